import type { MonitorRemovals, MonitorRecords, Registry } from "../publish/monitor-removals.ts";
import type { Monitor, UptimeWindow } from "../../model/monitor/monitor.ts";
import type { Document } from "../../model/service/snapshot.ts";
import type { Publication } from "../../model/publication.ts";
import type { MonitorRecord } from "../../model/monitor/uptime.ts";
import {
  type FamilyName,
  type GroupFamily,
  groupId,
  signaturesOf,
} from "../../publish/object-groups.ts";
import {
  responseOf,
  uptimeDaysOf,
  uptimeOf,
  uptimesOf,
} from "../../monitors/uptime/availability.ts";
import { DAY_MS } from "../../model/time.ts";
import type { MonitorView, OutageView } from "../../site/view.ts";
import { newRecord, shownCondition } from "../../monitors/uptime/record.ts";

export type MonitorSubject = ReturnType<typeof subjectOf>;

/** One kind of documents of each public monitor: badges, page, or picture for shared links. */
export interface MonitorOutput {
  readonly keysOf: (id: string) => readonly string[];
  /** Short; differs if any byte of the objects differs. */
  readonly signatureOf: (subject: MonitorSubject) => string;
  readonly build: (subject: MonitorSubject) => Promise<readonly Document[]>;
}

export interface OutputSources {
  readonly registry: Registry;
  readonly history: MonitorRecords;
  readonly removals: MonitorRemovals;
  readonly named: ReadonlySet<string>;
  /** Only `named` monitors are drawn. Other objects stay, except for removals. An audit draws those that would look the same. */
  readonly areMonitorsLater: boolean;
  /** The groups that are published. */
  readonly groups: Publication["groups"];
  readonly nowMs: number;
  /** Cache of the signatures that were computed from these sources, by group id. */
  readonly signatureById: Map<string, string>;
}

/**
 * Plans one output for all monitors. Objects of monitors that cannot be drawn stay while they are true.
 *
 * @param family the name of the output in the state.
 */
export function planOutput(
  output: MonitorOutput,
  family: FamilyName,
  sources: OutputSources,
): GroupFamily {
  const { registry, named, areMonitorsLater, groups, signatureById } = sources;
  const monitors = new Map(registry.monitors.map((monitor) => [monitor.id, monitor]));
  const isDrawn = (id: string): boolean => !areMonitorsLater || named.has(id);
  const mayStay = (id: string): boolean => {
    const monitor = monitors.get(id);
    return monitor === undefined ? isStillTrue(id, sources) : !isDrawn(id) && monitor.isPublic;
  };
  const signatures = new Map<string, string>();
  for (const [id, signature] of signaturesOf(family, groups))
    if (signature !== null && mayStay(id)) signatures.set(id, signature);
  for (const [id, monitor] of monitors) {
    if (!monitor.isPublic || !isDrawn(id)) continue;
    const group = groupId(family, id);
    const signature = signatureById.get(group) ?? output.signatureOf(subjectOf(monitor, sources));
    signatureById.set(group, signature);
    signatures.set(id, signature);
  }
  return {
    signatures,
    named,
    isDeliberate: (id) => named.has(id) || monitors.has(id) || sources.removals.isKept(id),
    keysOf: output.keysOf,
    build: async (id) => {
      const monitor = monitors.get(id);
      if (monitor === undefined) return [];
      const subject = subjectOf(monitor, sources);
      // Drawn from newer data, the objects would not match the signature that stays.
      const isAsSigned = isDrawn(id) || output.signatureOf(subject) === signatures.get(id);
      return isAsSigned ? output.build(subject) : [];
    },
  };
}

function subjectOf(monitor: Monitor, { history, nowMs }: OutputSources) {
  const { clock } = history;
  const record = history.recordOf(monitor.id);
  return { monitor, counts: uptimesOf(record, clock, nowMs), record, clock, nowMs };
}

/** Objects of a monitor that cannot be drawn stay for a day after the last check: no badge is better than an outdated green one. */
function isStillTrue(id: string, { removals, history, nowMs }: OutputSources): boolean {
  if (!removals.isKept(id)) return false;
  const record = history.recordOf(id);
  const decided = (window: UptimeWindow) => uptimeOf(record, history.clock, window, nowMs).decided;
  // A badge of a monitor that was never decided says "no data", which stays true.
  return decided("24h") > 0 || decided("90d") === 0;
}

/** What the page of a public monitor shows. Pure. */
export function viewMonitor(subject: MonitorSubject): MonitorView {
  const { monitor, counts, clock, nowMs } = subject;
  const record = subject.record ?? newRecord(clock.runs + 1, nowMs);
  const { id, name, url, ownedSinceMs } = monitor;
  const isYoung = nowMs < (ownedSinceMs ?? Number.NEGATIVE_INFINITY) + NOT_INDEXED_MS;
  const owner = ownedSinceMs === undefined ? {} : { owner: { isYoung } };
  const shown = shownCondition(record);
  return {
    id,
    name,
    url,
    uptimes: counts,
    ...owner,
    ...shown,
    outages: viewFailures({ ...record, state: shown.condition }),
    days: uptimeDaysOf(record, clock, nowMs),
    responseMs: responseOf(record, nowMs),
  };
}

/** Search engines do not get a page that its owner has just added. Source: docs/monitors/owners.md, "Abuse". */
const NOT_INDEXED_MS = 30 * DAY_MS;

/** The last failures, newest first. The one that lasts is not in the list of the record. */
export function viewFailures(record: MonitorRecord): readonly OutageView[] {
  const { state, sinceMs, code, failures = [] } = record;
  const ofOneAddress = { failing: 1, counted: 1 };
  const ended = failures.map((failure) => ({ ...failure, ...ofOneAddress })).toReversed();
  if (state !== "failing" || code === undefined) return ended;
  return [{ sinceMs, endedAtMs: null, code, ...ofOneAddress }, ...ended];
}
