import { type Color, type Verdict, VERDICTS } from "../contract/codes/verdict.ts";

/** What a verdict means for the list, worst first: what happens now is apart from what lasts, and outages from warnings. */
export const SITUATIONS = ["outage", "warning", "lasting", "ok", "none"] as const;
export type Situation = (typeof SITUATIONS)[number];

/** The light of each situation. */
export const COLOR_OF_SITUATION: Readonly<Record<Situation, Color>> = {
  outage: "bad",
  warning: "warn",
  lasting: "bad",
  ok: "ok",
  none: "none",
};

/** What has a verdict. */
export interface Judged {
  readonly verdict: Verdict;
}

/** Every verdict is in one situation. */
export function situationOf({ code, color, live }: Verdict): Situation {
  if (color === "ok" || color === "none") return color;
  if (color === "bad") return live ? "outage" : "lasting";
  return live || VERDICTS[code].kind === "degraded" ? "warning" : "lasting";
}

/** How many services are in a situation. */
export function countSituations(services: readonly Judged[]): (situation: Situation) => number {
  const situations = services.map(({ verdict }) => situationOf(verdict));
  return (wanted) => situations.filter((situation) => situation === wanted).length;
}

/** What all services together are like: what lasts is not news, so it counts as working. */
export type OverallSituation = Exclude<Situation, "lasting">;
export const OVERALL_SITUATIONS = SITUATIONS.filter((situation) => situation !== "lasting");

/** The situation of the whole. */
export function overallSituation(services: readonly Judged[]): OverallSituation {
  const count = countSituations(services);
  if (count("outage") > 0) return "outage";
  if (count("warning") > 0) return "warning";
  return count("none") === services.length ? "none" : "ok";
}

interface Ranked extends Judged {
  readonly reports: { readonly hour: number };
}

/** Worst situation first, then the worst verdict, most reports in the last hour, newest; equal ones keep their order. */
export function sortBySeverity<Service extends Ranked>(
  services: readonly Service[],
): readonly Service[] {
  return services.toSorted(
    (one, other) =>
      placeOf(one) - placeOf(other) ||
      VERDICTS[other.verdict.code].severity - VERDICTS[one.verdict.code].severity ||
      compareProblems(one, other),
  );
}

function placeOf({ verdict }: Ranked): number {
  return SITUATIONS.indexOf(situationOf(verdict));
}

/** Services that work keep the order of the catalogue, or the page would change with every report. */
function compareProblems(one: Ranked, other: Ranked): number {
  if (one.verdict.color === "ok" || one.verdict.color === "none") return 0;
  return (
    other.reports.hour - one.reports.hour ||
    (other.verdict.sinceMs ?? 0) - (one.verdict.sinceMs ?? 0)
  );
}

/** Whether no service was ever checked: the runs so far were invalid. */
export function isUnchecked({ services }: { readonly services: readonly Judged[] }): boolean {
  return services.every(({ verdict }) => verdict.sinceMs === null);
}
