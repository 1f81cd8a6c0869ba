import type { CheckClass, ServiceHistory } from "../model/history.ts";
import type { VerdictCode } from "../model/verdict.ts";
import { decide, type Decision } from "./decide.ts";
import type { Signals } from "./signals.ts";
import { type Clause, fire, holds, type LiveRule, type RowId, TABLE } from "./table.ts";

/** A row above the one that fired. */
export interface RejectedRow {
  readonly rowNumber: number;
  readonly rowId: RowId;
  readonly code: VerdictCode;
  /** For each alternative of the row, the clauses of it that did not hold: at least one each. */
  readonly unmet: readonly (readonly Clause[])[];
}

/** The row that fired. */
export interface FiredRow {
  readonly rowNumber: number;
  readonly rowId: RowId;
  readonly code: VerdictCode;
  /** The clauses that held; none for the last row, which fires when no other does. */
  readonly met: readonly Clause[];
}

/** Why `live` is what it is. */
export interface LiveReason {
  readonly isLive: boolean;
  /** The row's rule. */
  readonly rule: LiveRule;
  /** The two facts that a rule may ask for. */
  readonly isSurging: boolean;
  readonly isOld: boolean;
}

/** Why `since` is what it is. */
export type SinceReason =
  | { readonly kind: "never-checked" }
  | {
      readonly kind: "class-began";
      readonly checkClass: CheckClass;
      readonly sinceMs: number;
      /** False: the class began before the first run, or somewhere in a gap without runs. */
      readonly isExact: boolean;
      readonly checkedAtMs: number;
    };

/** A decision laid open, as codes: the words are the renderer's. */
export interface Explanation {
  readonly verdict: Decision["verdict"];
  readonly signals: Signals;
  readonly fired: FiredRow;
  /** The rows above, in the order of the table. */
  readonly rejected: readonly RejectedRow[];
  readonly live: LiveReason;
  readonly since: SinceReason;
}

/**
 * What `decide` decided for the same signals and why. `history` is that of the service, undefined when it was
 * never checked. Never throws.
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
