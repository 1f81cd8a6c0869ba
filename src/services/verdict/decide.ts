import {
  COLOR_OF,
  type CodeAndColor,
  type Verdict,
  type VerdictCode,
} from "../../contract/codes/verdict.ts";
import type { Signals } from "./signals.ts";
import { fire, type LiveRule, type RowId, type Clause, holds, TABLE } from "./decision-table.ts";
import type { CheckClass, ServiceHistory } from "../../model/service/history.ts";

/** A verdict and the row of the table that gave it. */
export interface Decision {
  readonly verdict: Verdict;
  /** Counted from 1. */
  readonly rowNumber: number;
  readonly rowId: RowId;
}

/**
 * The verdict of the first row that fires; the last row always does. `sinceMs` is the start of the current
 * check class, null if the service was never checked. Surges, annotations and the 24-hour limit do not move it.
 */
export function decide(signals: Signals, sinceMs: number | null): Decision {
  const { row, rowNumber } = fire(signals);
  const verdict = { ...pair(row.code), live: isLive(row.live, signals), sinceMs };
  return { verdict, rowNumber, rowId: row.id };
}

function pair(code: VerdictCode): CodeAndColor {
  // CodeAndColor is derived from COLOR_OF, but the compiler does not track a union through a lookup.
  return { code, color: COLOR_OF[code] } as CodeAndColor;
}

function isLive(rule: LiveRule, signals: Signals): boolean {
  switch (rule) {
    case "always":
      return true;
    case "never":
      return false;
    case "if-surging":
      return signals.isSurging;
    case "if-surging-or-recent":
      return signals.isSurging || !signals.isOld;
  }
}

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
