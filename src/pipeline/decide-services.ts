import { NO_REPORTS, type Reports } from "../model/reports.ts";
import type { Catalogue } from "../model/catalogue.ts";
import type { History } from "../model/history.ts";
import type { Snapshot } from "../model/snapshot.ts";
import type { Verdict } from "../model/verdict.ts";
import { buildSnapshot } from "../services/snapshot/build.ts";
import { decide } from "../services/verdict/decide.ts";
import { signalsOf } from "../services/verdict/signals.ts";

/**
 * Decides the verdicts as of a time, from history and reports. Pure: the same inputs give the same bytes on every machine.
 *
 * @param updatedAtMs time of the last run, as `updated` of the list.
 */
export function decideServices(
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
