import { setTimeout as sleep } from "node:timers/promises";
import type { CheckId } from "../api/checks.ts";
import { type CheckFinding, toFinding } from "../finding.ts";

/** When to read again documents that disagree. */
export interface Settling {
  readonly settleWaitsMs: readonly number[];
  /** Called before each wait. */
  readonly onSettle?: (id: CheckId, waitMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * The finding about documents that have to agree. A publish may come between the reads, and caches may keep a document for a minute, so
 * documents that disagree are read again after each wait before the disagreement counts. Source: docs/verify.md.
 *
 * @param readAgain the problems then; undefined: documents that can no longer be read prove nothing, so the last problems stay.
 */
export async function settle(
  id: CheckId,
  seen: string,
  first: readonly string[],
  readAgain: () => Promise<readonly string[] | undefined>,
  { settleWaitsMs, onSettle, signal }: Settling,
): Promise<CheckFinding> {
  let problems = first;
  let rereads = 0;
  for (const waitMs of settleWaitsMs) {
    if (problems.length === 0) break;
    onSettle?.(id, waitMs);
    try {
      await sleep(waitMs, undefined, { signal });
    } catch {
      break;
    }
    problems = (await readAgain()) ?? problems;
    rereads += 1;
  }
  const isLate = problems.length === 0 && rereads > 0;
  return toFinding(
    id,
    problems,
    seen,
    isLate ? ["they agreed only when they were read again"] : [],
  );
}
