import type { VerdictChange, VerdictLog } from "../../model/verdict-change.ts";
import type { Snapshot } from "../../model/snapshot.ts";
import { DAY_MS } from "../../model/time.ts";

/** Source: docs/website.md, "Feeds". */
const KEPT_MS = 30 * DAY_MS;
const MAX_KEPT = 1_000;

/**
 * The log with the verdicts of the snapshot. The first verdict of a service is not a change, a service without recent data keeps
 * its last verdict, and a service that left the catalogue is dropped.
 */
export function noteVerdicts(log: VerdictLog, { services }: Snapshot, nowMs: number): VerdictLog {
  const codes = new Map<string, VerdictChange["code"]>();
  const fresh: VerdictChange[] = [];
  for (const { slug, verdict } of services) {
    const before = log.codes.get(slug);
    const code = verdict.code === "none" ? before : verdict.code;
    if (code === undefined) continue;
    codes.set(slug, code);
    if (before !== undefined && before !== code) fresh.push({ slug, atMs: nowMs, before, code });
  }
  const kept = log.changes.filter(({ slug, atMs }) => codes.has(slug) && nowMs - atMs < KEPT_MS);
  return { codes, changes: [...kept, ...fresh].slice(-MAX_KEPT) };
}
