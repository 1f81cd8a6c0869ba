import type { Scope } from "../../model/service/interference.ts";
import type { Snapshot } from "../../model/service/snapshot.ts";
import { DAY_MS } from "../../model/time.ts";
import type { VerdictChange, VerdictLog } from "../../model/service/verdict-change.ts";

/** Source: docs/open-data.md, "Changes". */
const KEPT_MS = 90 * DAY_MS;
const MAX_KEPT = 10_000;

/**
 * The log with the verdicts of the snapshot. The first verdict of a service is not a change, a service without recent data keeps
 * its last verdict, and one that left the catalogue starts again if it comes back. Only the oldest changes are forgotten, so that the
 * numbers of those that are kept have no gap.
 *
 * @param scopeOf where a service fails now, by slug. Called only for changes.
 */
export function noteVerdicts(
  log: VerdictLog,
  { services }: Snapshot,
  nowMs: number,
  scopeOf: (slug: string) => Scope,
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
    fresh.push({ seq, slug, atMs: nowMs, before, code, scope: scopeOf(slug), isSurge, live });
  }
  // From the first one that is young enough: with a clock that was set back an older one can follow.
  const first = log.changes.findIndex(({ atMs }) => nowMs - atMs < KEPT_MS);
  const kept = first === -1 ? [] : log.changes.slice(first);
  return {
    codes,
    changes: [...kept, ...fresh].slice(-MAX_KEPT),
    next: log.next + fresh.length,
  };
}
