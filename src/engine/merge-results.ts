import type { CheckResult } from "../model/monitor/monitor.ts";

/**
 * What several vantages together say of a monitor: it works if it works for one of them, and fails only if all that could tell say
 * so. A single vantage decides alone. Pure.
 *
 * @param results of each vantage, in their order; undefined: it did not answer.
 */
export function mergeResults(results: readonly (CheckResult | undefined)[]): CheckResult {
  const told = results.filter((one) => one !== undefined && one.kind !== "skipped");
  return (
    told.find((one) => one.kind === "healthy") ??
    told.find((one) => one.kind === "failing") ??
    told[0] ?? { kind: "skipped" }
  );
}
