import type { VerdictChange, VerdictLog } from "../model/change.ts";
import type { Snapshot } from "../model/snapshot.ts";
import { DAY_MS } from "../model/time.ts";

/** Source: docs/website.md, "Feeds": a month of changes, and no more than readers would read. */
const KEPT_MS = 30 * DAY_MS;
const MOST_KEPT = 1_000;

/**
 * The log with what the snapshot says now. A service's first verdict is no change, a service that left the catalogue is forgotten,
 * and one without recent data keeps the verdict it had.
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
  return { codes, changes: [...kept, ...fresh].slice(-MOST_KEPT) };
}
