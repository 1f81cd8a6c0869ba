import type { CheckClass, ServiceHistory } from "../../model/service/history.ts";
import type { VerdictCode } from "../../contract/codes/verdict.ts";
import { decide, type Decision } from "./decide.ts";
import type { Signals } from "./signals.ts";
import { type Clause, fire, holds, type LiveRule, type RowId, TABLE } from "./decision-table.ts";

/** A row above the one that fired. */
export interface RejectedRow {
  readonly rowNumber: number;
  readonly rowId: RowId;
  readonly code: VerdictCode;
  /** For each alternative of the row, the clauses that did not hold: at least one. */
  readonly unmet: readonly (readonly Clause[])[];
}

export interface FiredRow {
  readonly rowNumber: number;
  readonly rowId: RowId;
  readonly code: VerdictCode;
  /** The clauses that held; none for the last row, which has no condition. */
  readonly met: readonly Clause[];
}

/** Why `live` has its value. */
export interface LiveReason {
  readonly isLive: boolean;
  readonly rule: LiveRule;
  /** The two signals that a rule may depend on. */
  readonly isSurging: boolean;
  readonly isOld: boolean;
}

/** Why `since` has its value. */
export type SinceReason =
  | { readonly kind: "never-checked" }
  | {
      readonly kind: "class-began";
      readonly checkClass: CheckClass;
      readonly sinceMs: number;
      /** False: the class began before the first run, or during a gap without runs. */
      readonly isExact: boolean;
      readonly checkedAtMs: number;
    };

/** How a decision was made, as codes; the renderer words them. */
export interface Explanation {
  readonly verdict: Decision["verdict"];
  readonly signals: Signals;
  readonly fired: FiredRow;
  /** The rows above the one that fired, in table order. */
  readonly rejected: readonly RejectedRow[];
  readonly live: LiveReason;
  readonly since: SinceReason;
}

/**
 * What `decide` gives for the same signals, and why. `history` is undefined if the service was never checked.
 * Never throws.
 */
export function explainDecision(
  signals: Signals,
  history: ServiceHistory | undefined,
): Explanation {
  const { verdict } = decide(signals, history?.sinceMs ?? null);
  const { row, rowNumber, met } = fire(signals);
  const { isSurging, isOld } = signals;
  return {
    verdict,
    signals,
    fired: { rowNumber, rowId: row.id, code: row.code, met },
    rejected: rejectedRows(signals, rowNumber),
    live: { isLive: verdict.live, rule: row.live, isSurging, isOld },
    since: explainSince(history),
  };
}

function rejectedRows(signals: Signals, rowNumber: number): readonly RejectedRow[] {
  return TABLE.slice(0, rowNumber - 1).map(({ id, code, anyOf }, index) => ({
    rowNumber: index + 1,
    rowId: id,
    code,
    unmet: anyOf.map((clauses: readonly Clause[]) => {
      return clauses.filter((clause) => !holds(clause, signals));
    }),
  }));
}

function explainSince(history: ServiceHistory | undefined): SinceReason {
  if (history === undefined) return { kind: "never-checked" };
  const { checkClass, sinceMs, isSinceExact, checkedAtMs } = history;
  return {
    kind: "class-began",
    checkClass,
    sinceMs,
    isExact: isSinceExact,
    checkedAtMs,
  };
}
