import { createNewestMap } from "../../model/bounded-map.ts";
import { blockKeyOf, reportKeyOf } from "../../model/service/recent-reports.ts";
import type { Report, ReportLedger } from "../../model/service/reports.ts";
import { HOUR_MS } from "../../model/time.ts";
import { hourOf } from "./baseline.ts";
import { createShareCount, sumKeys } from "./share-count.ts";

/** Pairs of service and network that are kept: at least so many, at most twice as many; about 50 bytes each. */
const REMEMBERED = 125_000;

/** Of these, pairs whose report changed the count by other than 1, because their block exceeds its share. */
const REMEMBERED_UNEVEN = 20_000;

/** Estimates how reports will count, before they are in a ledger. */
export interface DedupEstimate {
  /**
   * The increase of the service's count by this report: 0 or 1, or more if earlier reports of a block count now. Call it once for
   * each report, in the order of arrival.
   */
  readonly accept: (report: Report) => number;
  /** The increase by this report, if it is the last accepted one of its network and service; otherwise 0. */
  readonly increaseOf: (report: Report) => number;
}

/**
 * Starts from the ledger and adds the reports of this process; reports of other intakes are unknown. A report is accepted if the
 * last accepted one of its network and service is an hour away, and counts within the share of its block. Source: docs/reports/counting.md,
 * Fair counting.
 */
export function createDedupEstimate({ services }: ReportLedger): DedupEstimate {
  const lastAccepted = createNewestMap<number, number>(REMEMBERED);
  const uneven = createNewestMap<number, number>(REMEMBERED_UNEVEN);
  const shares = createShareCount();
  for (const [slug, { recent }] of services) {
    const service = reportKeyOf(slug);
    for (const [place, network] of recent.networks.entries()) {
      const atMs = recent.times[place] ?? 0;
      lastAccepted.set(sumKeys(service, network), atMs);
      shares.add(service, hourOf(atMs), recent.blocks[place] ?? 0);
    }
  }
  return {
    accept: ({ slug, atMs, network, block }) => {
      const service = reportKeyOf(slug);
      const key = sumKeys(service, reportKeyOf(network));
      const lastMs = lastAccepted.get(key);
      if (lastMs !== undefined && Math.abs(atMs - lastMs) < HOUR_MS) return 0;
      lastAccepted.set(key, atMs);
      const increase = shares.add(service, hourOf(atMs), blockKeyOf(block));
      if (increase !== 1 || uneven.get(key) !== undefined) uneven.set(key, increase);
      return increase;
    },
    increaseOf: ({ slug, atMs, network }) => {
      const key = sumKeys(reportKeyOf(slug), reportKeyOf(network));
      return lastAccepted.get(key) === atMs ? (uneven.get(key) ?? 1) : 0;
    },
  };
}
