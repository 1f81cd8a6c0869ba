import Table from "cli-table3";
import type { ServiceEvidence } from "../model/evidence.ts";
import type { ServiceSnapshot, Snapshot } from "../model/snapshot.ts";
import type { Color } from "../model/verdict.ts";
import { NO_BORDERS, trimLines } from "./plain-table.ts";
import { describeOutcome, VERDICT_WORDS } from "./words.ts";

/** What `run` has to show of its result. */
export interface RunView {
  readonly snapshot: Snapshot;
  readonly evidence: ReadonlyMap<string, ServiceEvidence>;
  readonly published: {
    readonly written: number;
    readonly unchanged: number;
    readonly removed: number;
  };
}

/** The order in which a reader wants to see them: broken first. */
const SEVERITY: Readonly<Record<Color, number>> = { bad: 0, warn: 1, none: 2, ok: 3 };

/** A table of the services that are not ok, worst first, and a line of counts. Ends without a line break. */
export function renderRun(view: RunView, durationMs: number): string {
  const notOk = view.snapshot.services
    .filter(({ verdict }) => verdict.code !== "ok")
    .toSorted((a, b) => rank(a) - rank(b));
  const counts = renderCounts(view, durationMs);
  // The same row for every service would only hide the one thing there is to say.
  if (
    notOk.every(({ verdict }) => verdict.code === "none") &&
    notOk.length === view.snapshot.services.length
  ) {
    return `No service has recent data.\n\n${counts}`;
  }
  return notOk.length === 0 ? counts : `${renderTable(notOk, view.evidence)}\n\n${counts}`;
}

/** Broken before impaired, and what is happening now before what persists. */
function rank({ verdict }: ServiceSnapshot): number {
  return 2 * SEVERITY[verdict.color] + (verdict.live ? 0 : 1);
}

function renderTable(
  services: readonly ServiceSnapshot[],
  evidence: ReadonlyMap<string, ServiceEvidence>,
): string {
  const table = new Table({
    head: ["SERVICE", "VERDICT", "LIVE", "SINCE (UTC)", "WHAT IS KNOWN"],
    ...NO_BORDERS,
  });
  for (const { slug, verdict } of services) {
    const since = verdict.sinceMs === null ? "-" : formatMinute(verdict.sinceMs);
    table.push([
      slug,
      verdict.code,
      verdict.live ? "live" : "",
      since,
      whatIsKnown(verdict.code, evidence.get(slug)),
    ]);
  }
  return trimLines(table.toString());
}

function whatIsKnown(
  code: keyof typeof VERDICT_WORDS,
  evidence: ServiceEvidence | undefined,
): string {
  const failing = (evidence?.endpoints ?? []).filter(
    ({ result }) => result.outcome.kind === "failed",
  );
  const [first] = failing;
  if (first === undefined) return VERDICT_WORDS[code];
  const share = `${failing.length} of ${evidence?.endpoints.length ?? 0} endpoints fail`;
  return `${share}: ${new URL(first.url).host}: ${describeOutcome(first.result.outcome)}`;
}

function formatMinute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
}

function renderCounts({ snapshot, evidence, published }: RunView, durationMs: number): string {
  const colors = snapshot.services.map(({ verdict }) => verdict.color);
  const count = (color: Color): number => colors.filter((one) => one === color).length;
  const outcomes = [...evidence.values()].flatMap(({ endpoints }) =>
    endpoints.map(({ result }) => result.outcome.kind),
  );
  const kinds = (kind: string): number => outcomes.filter((one) => one === kind).length;
  const endpoints = [
    `${kinds("ok")} healthy`,
    `${kinds("failed")} failing`,
    ...(kinds("denied") === 0 ? [] : [`${kinds("denied")} denied`]),
    ...(kinds("skipped") === 0 ? [] : [`${kinds("skipped")} skipped`]),
  ];
  return [
    `${colors.length} services: ${count("ok")} ok, ${count("warn")} warn, ${count("bad")} bad, ${count("none")} no data`,
    `${outcomes.length} endpoints: ${endpoints.join(", ")}`,
    `${published.written} objects written, ${published.unchanged} unchanged, ${published.removed} removed`,
    `${(durationMs / 1000).toFixed(1)} s`,
  ].join(" | ");
}
