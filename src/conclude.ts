import { NO_REPORTS, type Reports } from "./model/reports.ts";
import type { Catalogue } from "./model/catalogue.ts";
import type { History } from "./model/history.ts";
import type { Snapshot } from "./model/snapshot.ts";
import type { Verdict } from "./model/verdict.ts";
import { buildSnapshot } from "./snapshot/build.ts";
import { decide } from "./verdict/decide.ts";
import { signalsOf } from "./verdict/signals.ts";

/**
 * Everything the public may see, as of a time: history and reports in, verdicts out. Pure, so the same inputs publish
 * the same bytes, whoever computes them.
 *
 * @param updatedAtMs what the list says of the last run of checks.
 */
export function conclude(
  catalogue: Catalogue,
  history: History,
  reports: Reports,
  updatedAtMs: number,
  nowMs: number,
): Snapshot {
  const verdicts = new Map<string, Verdict>();
  for (const service of catalogue.services) {
    const record = history.services.get(service.slug);
    const signals = signalsOf(service, record, reports.get(service.slug) ?? NO_REPORTS, nowMs);
    verdicts.set(service.slug, decide(signals, record?.sinceMs ?? null).verdict);
  }
  return buildSnapshot(catalogue, verdicts, reports, updatedAtMs);
}
