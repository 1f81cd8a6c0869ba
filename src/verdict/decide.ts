import { COLOR_OF, type CodeAndColor, type Verdict, type VerdictCode } from "../model/verdict.ts";
import type { Signals } from "./signals.ts";
import { fire, type LiveRule, type RowId } from "./table.ts";

/** A verdict and where in the table it comes from. */
export interface Decision {
  readonly verdict: Verdict;
  /** Place of the row in the table, counted from 1. */
  readonly rowNumber: number;
  readonly rowId: RowId;
}

/**
 * The verdict for the signals: the first row of the table that fires. Total: the last row always does.
 * `sinceMs` is the start of the current check class, null when the service was never checked; nothing else
 * (a surge, an annotation, the 24-hour crossing) moves it.
 */
export function decide(signals: Signals, sinceMs: number | null): Decision {
  const { row, rowNumber } = fire(signals);
  const verdict = { ...pair(row.code), live: isLive(row.live, signals), sinceMs };
  return { verdict, rowNumber, rowId: row.id };
}

function pair(code: VerdictCode): CodeAndColor {
  // COLOR_OF is what CodeAndColor is made of, but the compiler does not follow a union through a lookup.
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
