import { NO_REPORTS, type Reports } from "../../model/service/reports.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { History } from "../../model/service/history.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import type { Verdict } from "../../contract/codes/verdict.ts";
import { buildSnapshot } from "../../services/snapshot/api-documents.ts";
import { HOUR_MS } from "../../model/time.ts";
import { decide } from "../../services/verdict/decide.ts";
import { signalsOf } from "../../services/verdict/signals.ts";

/** A service that is being confirmed keeps its verdict over a gap no longer than this. Source: docs/services/verdicts.md, "The first publish". */
const KEPT_MS = HOUR_MS;

/**
 * Decides the verdicts as of a time, from history and reports. Pure: the same inputs give the same bytes on every machine.
 *
 * @param updatedAtMs time of the last run, as `updated` of the list.
 * @param pending slugs of services that the run is still confirming.
 */
export function decideServices(
  catalogue: Catalogue,
  history: History,
  reports: Reports,
  updatedAtMs: number,
  nowMs: number,
  pending: ReadonlySet<string> = new Set(),
): Snapshot {
  const verdicts = new Map<string, Verdict>();
  for (const service of catalogue.services) {
    const record = history.services.get(service.slug);
    const checkedMs = record?.checkedAtMs ?? nowMs;
    const isKept = pending.has(service.slug) && nowMs - checkedMs <= KEPT_MS;
    const atMs = isKept ? checkedMs : nowMs;
    const signals = signalsOf(service, record, reports.get(service.slug) ?? NO_REPORTS, atMs);
    verdicts.set(service.slug, decide(signals, record?.sinceMs ?? null).verdict);
  }
  return buildSnapshot(catalogue, verdicts, reports, updatedAtMs);
}
