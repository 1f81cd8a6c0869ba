import { createNewestMap } from "../model/newest.ts";
import { blockKeyOf, keyOf } from "../model/recent.ts";
import type { Report, ReportLedger } from "../model/reports.ts";
import { HOUR_MS } from "../model/time.ts";
import { hourOf } from "./baseline.ts";
import { createShareCount, sumKeys } from "./share-count.ts";

/** Pairs of service and network remembered at least, some 50 bytes each; at most twice as many. */
const REMEMBERED = 125_000;

/** Of these, those that raise the count by anything but one: only where a block reports more than its share. */
const REMEMBERED_UNEVEN = 20_000;

/** Guesses how reports are going to count, before a ledger has them. */
export interface ReportJudge {
  /**
   * By how much the report raises the count of its service, next to those that came before: 0 or 1, and more when it lets others
   * of a block count. To be asked once for each, in the order in which they come.
   */
  readonly accept: (report: Report) => number;
  /** By how much this report raised the count, if it is the last one of its network and service that was accepted; otherwise 0. */
  readonly raisedBy: (report: Report) => number;
}

/**
 * Judges by what it has seen itself, and by what the ledger knows at the beginning: a report is accepted when the last of its
 * network and service that was is an hour away, and counts within the share of its block. What other intakes take meanwhile it
 * does not know. Source: docs/reports.md, Fair counting.
 */
export function createReportJudge({ services }: ReportLedger): ReportJudge {
  const lastAccepted = createNewestMap<number, number>(REMEMBERED);
  const uneven = createNewestMap<number, number>(REMEMBERED_UNEVEN);
  const shares = createShareCount();
  for (const [slug, { recent }] of services) {
    const service = keyOf(slug);
    for (const [place, network] of recent.networks.entries()) {
      const atMs = recent.times[place] ?? 0;
      lastAccepted.set(sumKeys(service, network), atMs);
      shares.add(service, hourOf(atMs), recent.blocks[place] ?? 0);
    }
  }
  return {
    accept: ({ slug, atMs, network, block }) => {
      const service = keyOf(slug);
      const key = sumKeys(service, keyOf(network));
      const lastMs = lastAccepted.get(key);
      if (lastMs !== undefined && Math.abs(atMs - lastMs) < HOUR_MS) return 0;
      lastAccepted.set(key, atMs);
      const rise = shares.add(service, hourOf(atMs), blockKeyOf(block));
      if (rise !== 1 || uneven.get(key) !== undefined) uneven.set(key, rise);
      return rise;
    },
    raisedBy: ({ slug, atMs, network }) => {
      const key = sumKeys(keyOf(slug), keyOf(network));
      return lastAccepted.get(key) === atMs ? (uneven.get(key) ?? 1) : 0;
    },
  };
}
