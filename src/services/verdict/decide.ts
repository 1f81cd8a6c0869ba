import {
  COLOR_OF,
  type CodeAndColor,
  type Verdict,
  type VerdictCode,
} from "../../contract/codes/verdict.ts";
import type { ServiceHistory } from "../../model/service/history.ts";
import { type Clause, fire, holds, type LiveRule, TABLE } from "./decision-table.ts";
import type { Signals } from "./signals.ts";

/**
 * The verdict of the first row that fires; the last row always does. `sinceMs` is the start of the current check class, null if the
 * service was never checked. Surges, annotations and the 24-hour limit do not move it.
 */
export function decide(signals: Signals, sinceMs: number | null): Verdict {
  const { row } = fire(signals);
  return { ...pair(row.code), live: IS_LIVE[row.live](signals), sinceMs };
}

function pair(code: VerdictCode): CodeAndColor {
  // CodeAndColor is derived from COLOR_OF, but the compiler does not track a union through a lookup.
  return { code, color: COLOR_OF[code] } as CodeAndColor;
}

const IS_LIVE: Readonly<Record<LiveRule, (signals: Signals) => boolean>> = {
  always: () => true,
  never: () => false,
  "if-surging": ({ isSurging }) => isSurging,
  "if-surging-or-recent": ({ isSurging, isOld }) => isSurging || !isOld,
};

/** What `decide` gives for the same signals, and why, as codes that the renderer words. `history` is undefined if the service was never checked. Never throws. */
export function explainDecision(signals: Signals, history: ServiceHistory | undefined) {
  const verdict = decide(signals, history?.sinceMs ?? null);
  const { row, rowNumber, met } = fire(signals);
  const { isSurging, isOld } = signals;
  return {
    verdict,
    signals,
    /** `met`: the clauses that held; none for the last row, which has no condition. */
    fired: { rowNumber, rowId: row.id, code: row.code, met },
    /** The rows above the one that fired, in table order; for each alternative the clauses that did not hold, at least one. */
    rejected: TABLE.slice(0, rowNumber - 1).map(({ id, code, anyOf }, index) => ({
      rowNumber: index + 1,
      rowId: id,
      code,
      unmet: anyOf.map((clauses: readonly Clause[]) =>
        clauses.filter((clause) => !holds(clause, signals)),
      ),
    })),
    /** Why `live` has its value: the rule, and the two signals that it may depend on. */
    live: { isLive: verdict.live, rule: row.live, isSurging, isOld },
    since: explainSince(history),
  };
}

/** Why `since` has its value. */
function explainSince(history: ServiceHistory | undefined) {
  if (history === undefined) return { kind: "never-checked" as const };
  const { checkClass, sinceMs, isSinceExact: isExact, checkedAtMs } = history;
  return { kind: "class-began" as const, checkClass, sinceMs, isExact, checkedAtMs };
}

export type Explanation = ReturnType<typeof explainDecision>;
