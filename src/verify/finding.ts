import { setTimeout as sleep } from "node:timers/promises";
import { type CheckId, CHECKS, type VerifyCheck } from "./checks.ts";

/** The result of one check. */
export interface CheckFinding {
  readonly id: CheckId;
  readonly result: "pass" | "fail" | "skip";
  /** What was checked, or why the check was skipped. */
  readonly seen: string;
  /** One line per problem; empty unless the check fails. */
  readonly problems: readonly string[];
  /** Remarks that do not fail the check. */
  readonly warnings: readonly string[];
}

/** A finding with the description of its check. What to fix is absent unless the check fails. */
export type VerifiedCheck = CheckFinding &
  Pick<VerifyCheck, "title" | "source"> &
  Partial<Pick<VerifyCheck, "fix">>;

/** A problem, if something is not right. */
export function unless(isRight: boolean, problem: string): readonly string[] {
  return isRight ? [] : [problem];
}

/** Problems, each after what it is about. */
export function about(what: string, problems: readonly string[]): readonly string[] {
  return problems.map((problem) => `${what}: ${problem}`);
}

/** A finding that fails if there are problems, and passes otherwise. */
export function toFinding(
  id: CheckId,
  problems: readonly string[],
  seen: string,
  warnings: readonly string[] = [],
): CheckFinding {
  return { id, result: problems.length === 0 ? "pass" : "fail", seen, problems, warnings };
}

/** A finding that neither passes nor fails, with the reason. */
export function skip(id: CheckId, why: string): CheckFinding {
  return { id, result: "skip", seen: why, problems: [], warnings: [] };
}

/** Every check of a group, such as `site`, as skipped, with the reason. */
export function skipGroup(group: string, why: string): readonly CheckFinding[] {
  return [...CHECKS.keys()].filter((id) => id.startsWith(`${group}.`)).map((id) => skip(id, why));
}

/** Every check in its order. A check without a finding was skipped for the reason `whyMissing`. */
export function completeChecks(
  findings: readonly CheckFinding[],
  whyMissing: string,
): readonly VerifiedCheck[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return Array.from(CHECKS, ([id, { title, source, fix }]) => {
    const finding = byId.get(id) ?? skip(id, whyMissing);
    return { ...finding, title, source, ...(finding.result === "fail" ? { fix } : {}) };
  });
}

/** When to read again documents that disagree. */
export interface Settling {
  /** Documents that disagree are read again after each of these: a publish or a cache may be the reason. */
  readonly settleWaitsMs: readonly number[];
  /** Called before each of these waits, with the check that waits. */
  readonly onSettle?: (id: CheckId, waitMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * The finding about documents that have to agree. Those that disagree are read again after each wait before it counts.
 *
 * @param readAgain the problems then; undefined: documents that can no longer be read prove nothing, so the last problems stay.
 */
export async function settle(
  id: CheckId,
  seen: string,
  { settleWaitsMs, onSettle, signal }: Settling,
  first: readonly string[],
  readAgain: () => Promise<readonly string[] | undefined>,
): Promise<CheckFinding> {
  let problems = first;
  let rereads = 0;
  for (const waitMs of settleWaitsMs) {
    if (problems.length === 0) break;
    onSettle?.(id, waitMs);
    await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    problems = (await readAgain()) ?? problems;
    rereads += 1;
  }
  const isLate = problems.length === 0 && rereads > 0;
  const warnings = unless(!isLate, "they agreed only when they were read again");
  return toFinding(id, problems, seen, warnings);
}
