import type { Inbox } from "./inbox.ts";
import type { Catalogue } from "./model/catalogue.ts";
import { addFolded, forgetFolded, isFolded } from "./model/folded-ids.ts";
import type { ReportsState } from "./model/reports.ts";
import { DAY_MS } from "./model/time.ts";
import { evaluateSurges } from "./reports/evaluate.ts";
import { foldReports } from "./reports/fold.ts";

/** An id is remembered for as long as its reports could count if it came back, and as long again. */
const REMEMBER_MS = 2 * DAY_MS;

/**
 * Ranges of ids remembered at most; beyond, the oldest are forgotten. What an intake writes is one range for as long as it runs; a
 * range ends where an object never reached the inbox. Source: docs/publishing.md, The inbox.
 */
const MOST_RANGES = 20_000;

/**
 * Counts what lies in the inbox and was not counted before, and evaluates surges when that is due. Throws what reading the
 * inbox throws.
 *
 * @param nowMs the time as of which the counts are to be published.
 */
export async function countReports(
  { ledger, folded }: ReportsState,
  inbox: Inbox,
  { services }: Catalogue,
  nowMs: number,
): Promise<ReportsState> {
  const fresh = inbox.ids.filter((id) => !isFolded(folded, id));
  const reports = (await Promise.all(fresh.map(inbox.read))).flat();
  const slugs = services.map(({ slug }) => slug);
  const known = new Set(slugs);
  const counted = foldReports(
    ledger,
    reports.filter(({ slug }) => known.has(slug)),
    nowMs,
  );
  return {
    ledger: evaluateSurges(counted.ledger, slugs, nowMs),
    folded: forgetFolded(addFolded(folded, fresh, nowMs), nowMs, {
      keepMs: REMEMBER_MS,
      maxRanges: MOST_RANGES,
    }),
  };
}
