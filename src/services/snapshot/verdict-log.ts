import type { Snapshot } from "../../model/service/snapshot.ts";
import { DAY_MS } from "../../model/time.ts";
import type {
  ToldWith,
  VerdictChange,
  VerdictLog,
  Incident,
  Incidents,
} from "../../model/service/verdict-change.ts";

/** Source: docs/open-data.md, "Changes". */
const KEPT_MS = 90 * DAY_MS;
const MAX_KEPT = 10_000;

/**
 * The log with the verdicts of the snapshot. The first verdict of a service is not a change, a service without recent data keeps
 * its last verdict, and one that left the catalogue starts again if it comes back. Only the oldest changes are forgotten, so that the
 * numbers of those that are kept have no gap.
 *
 * @param aboutOf where a service fails now, and what is told with it, by slug and code. Called only for changes.
 */
export function noteVerdicts(
  log: VerdictLog,
  { services }: Snapshot,
  nowMs: number,
  aboutOf: (
    slug: string,
    code: VerdictChange["code"],
  ) => ToldWith & Pick<VerdictChange, "scope" | "networks">,
): VerdictLog {
  const codes = new Map<string, VerdictChange["code"]>();
  const fresh: VerdictChange[] = [];
  for (const { slug, verdict, reports } of services) {
    const before = log.codes.get(slug);
    const code = verdict.code === "none" ? before : verdict.code;
    if (code === undefined) continue;
    codes.set(slug, code);
    if (before === undefined || before === code) continue;
    const seq = log.next + fresh.length;
    const { live } = verdict;
    const { isSurging: isSurge } = reports;
    fresh.push({ seq, slug, atMs: nowMs, before, code, isSurge, live, ...aboutOf(slug, code) });
  }
  // From the first one that is young enough: with a clock that was set back an older one can follow.
  const first = log.changes.findIndex(({ atMs }) => nowMs - atMs < KEPT_MS);
  const kept = first === -1 ? [] : log.changes.slice(first);
  const changes = [...kept, ...fresh].slice(-MAX_KEPT);
  return { codes, changes, next: log.next + fresh.length };
}

/** As many as Statuspage shows. */
const MAX_PAST = 50;

/** Of one incident, its beginning and its end included: a verdict that goes to and fro must not make the state grow. */
const MAX_STEPS = 20;

/**
 * The incidents with the verdicts of a snapshot. An incident begins with the first `live` verdict and ends with the first one that is
 * not. `none` ends nothing, because it says nothing: it is a step. An incident of a service that left the catalogue ends with `none`,
 * and no other does: a reader of the documents who knows it as open has to hear of its end.
 *
 * @param log with the changes of this snapshot.
 */
export function noteIncidents(
  incidents: Incidents,
  { services }: Snapshot,
  log: VerdictLog,
  nowMs: number,
): Incidents {
  const known = new Map(incidents.open.map((incident) => [incident.slug, incident]));
  const open = new Map<string, Incident>();
  const slugs = new Set(services.map(({ slug }) => slug));
  const ended = incidents.open
    .filter(({ slug }) => !slugs.has(slug))
    .map((incident) => addStep(incident, { atMs: nowMs, code: "none" }, true));
  for (const { slug, verdict } of services) {
    const { code, live } = verdict;
    const before = known.get(slug);
    if (before === undefined && !live) continue;
    const isEnd = !live && code !== "none";
    const incident = addStep(before ?? { slug, steps: [] }, { atMs: nowMs, code }, isEnd);
    if (isEnd) ended.push(incident);
    else open.set(slug, incident);
  }
  const begun = [...open.keys()].filter((slug) => !known.has(slug));
  const hasChanged =
    open.size !== known.size ||
    [...open].some(([slug, incident]) => known.get(slug) !== incident) ||
    log.changes.at(-1)?.atMs === nowMs;
  return {
    open: [...known.keys(), ...begun].flatMap((slug) => open.get(slug) ?? []),
    past: ended.length === 0 ? incidents.past : [...incidents.past, ...ended].slice(-MAX_PAST),
    changedAtMs: hasChanged ? nowMs : incidents.changedAtMs,
  };
}

/** The same incident if nothing changed. The oldest steps between the first and the last are dropped. */
function addStep(incident: Incident, step: Incident["steps"][number], isEnd: boolean): Incident {
  const { steps } = incident;
  if (steps.at(-1)?.code === step.code && !isEnd) return incident;
  const all = [...steps, step];
  return { ...incident, steps: all.length > MAX_STEPS ? all.toSpliced(1, 1) : all };
}
