import type { Inbox } from "../../state/report-inbox.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import { addFolded, forgetFolded, isFolded } from "../../model/folded-ids.ts";
import type { ReportsState } from "../../model/service/reports.ts";
import { DAY_MS } from "../../model/time.ts";
import { evaluateSurges } from "../../reports/counting/evaluate-surges.ts";
import { foldReports } from "../../reports/counting/fold-reports.ts";

/** Twice as long as the reports of an object could still count if it appeared again. */
const REMEMBER_MS = 2 * DAY_MS;

/**
 * Ranges of ids that are kept at most; the oldest are dropped first. The objects of one intake process are one range, which ends
 * where an object never reached the inbox. Source: docs/publish/protocol.md, The inbox.
 */
const MAX_RANGES = 20_000;

/**
 * Counts the inbox objects that were not counted before, and evaluates surges if that is due. Throws what reading the inbox throws.
 *
 * @param nowMs the time as of which the counts are published.
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
      maxRanges: MAX_RANGES,
    }),
  };
}
