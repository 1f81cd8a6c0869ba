import {
  COLOR_OF,
  type CodeAndColor,
  type Verdict,
  type VerdictCode,
} from "../../contract/codes/verdict.ts";
import type { Signals } from "./signals.ts";
import { fire, type LiveRule, type RowId } from "./decision-table.ts";

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
