import { type FoldedIds, isFolded } from "../../model/folded-ids.ts";
import type { Report, ReportLedger } from "../../model/service/reports.ts";
import { addCounts, type AnswerCounts, createTally, type Tally } from "./minute-counts.ts";
import { createNewestMap } from "../../model/bounded-map.ts";
import { blockKeyOf, reportKeyOf } from "../../model/service/recent-reports.ts";
import { HOUR_MS } from "../../model/time.ts";
import { hourOf } from "./baseline.ts";
import { addToTotals, type RunningTotals } from "./share.ts";

/** Inbox objects that have a tally of their own until a publish has counted them: some seconds of the worst flood. */
const MAX_WAITING = 500;

/** Counts of accepted reports that are not published yet, in bounded memory. */
export interface UnpublishedReports {
  readonly count: (slug: string, nowMs: number) => AnswerCounts;
  /** Reports that are durable now: in the inbox under this id, or in the journal. */
  readonly accept: (reports: readonly Report[], id?: string) => void;
  /** Reports of the journal that are now in the inbox under this id. */
  readonly moveToInbox: (reports: readonly Report[], id: string) => void;
  /** The journal is empty. */
  readonly clearJournal: () => void;
  /** A publish begins. Call the returned function with the counted objects if it succeeds. */
  readonly beginPublish: () => (folded: FoldedIds) => void;
  /** The publish has failed. */
  readonly failPublish: () => void;
}

/** Starts empty; the ledger has the published counts. */
export function createUnpublished(ledger: ReportLedger): UnpublishedReports {
  const estimate = createDedupEstimate(ledger);
  // In the inbox, by id: counted by the running publish or the next one.
  const waiting = new Map<string, Tally>();
  // Objects that have waited too long for a tally of their own, and the journal.
  const [late, journaled] = [createTally(), createTally()];
  let published: FoldedIds = new Map();

  const merge = (): void => {
    for (const tally of waiting.values()) late.addAll(tally);
    waiting.clear();
  };
  const wait = (id: string, tally: Tally): void => {
    // A publish can end before the response to the write arrives.
    if (!isFolded(published, id)) waiting.set(id, tally);
    if (waiting.size > MAX_WAITING) merge();
  };
  return {
    count: (slug, nowMs) =>
      [...waiting.values(), late, journaled]
        .map((tally) => tally.count(slug, nowMs))
        .reduce(addCounts),
    accept: (reports, id) => {
      const tally = id === undefined ? journaled : createTally();
      for (const report of reports) tally.add(report, estimate.accept(report));
      if (id !== undefined) wait(id, tally);
    },
    moveToInbox: (reports, id) => {
      const tally = createTally();
      for (const report of reports) {
        const increase = estimate.increaseOf(report);
        if (journaled.subtract(report, increase)) tally.add(report, increase);
      }
      wait(id, tally);
    },
    clearJournal: journaled.clear,
    beginPublish: () => {
      const before = new Set(waiting.keys());
      return (folded) => {
        published = folded;
        late.clear();
        for (const id of waiting.keys()) {
          if (before.has(id) || isFolded(folded, id)) waiting.delete(id);
        }
      };
    },
    failPublish: merge,
  };
}

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

/** Blocks by service and hour that are kept: at least so many, at most twice as many; about 50 bytes each. */
const REMEMBERED_BLOCKS = 50_000;

/** Clock hours by service that are kept at least. */
const REMEMBERED_HOURS = 10_000;

const KEYS = 2 ** 53;
const BLOCK_KEYS = 2 ** 32;
const HOURS = KEYS / BLOCK_KEYS;

interface HourTotals extends RunningTotals {
  counted: number;
}

/** Counts accepted reports one by one, by the rule of `visitSurplus`, in bounded memory. */
export interface ShareCount {
  /**
   * Adds an accepted report of a block in a clock hour, and returns the increase of the service's count: 0 if it exceeds the share
   * of its block, more than 1 if earlier reports count now.
   */
  readonly add: (service: number, hour: number, block: number) => number;
}

/** Starts empty. Services are identified by the `reportKeyOf` of their slugs, blocks by their `blockKeyOf`. */
export function createShareCount(): ShareCount {
  const sizes = createNewestMap<number, number>(REMEMBERED_BLOCKS);
  const hours = createNewestMap<number, HourTotals>(REMEMBERED_HOURS);
  const totalsOf = (key: number): HourTotals => {
    const known = hours.get(key);
    if (known !== undefined) return known;
    const totals = { total: 0, blocks: 0, largest: 0, always: 0, counted: 0 };
    hours.set(key, totals);
    return totals;
  };
  return {
    add: (service, hour, block) => {
      const hourKey = sumKeys(service, (hour % HOURS) * BLOCK_KEYS);
      const key = sumKeys(hourKey, block);
      const size = (sizes.get(key) ?? 0) + 1;
      sizes.set(key, size);
      const totals = totalsOf(hourKey);
      const before = totals.counted;
      totals.counted = addToTotals(totals, size);
      return totals.counted - before;
    },
  };
}

/** The sum of two numbers below 2^53, modulo 2^53, without an intermediate value that exceeds exact integers. */
export function sumKeys(a: number, b: number): number {
  const room = KEYS - a;
  return b < room ? b + (KEYS - room) : b - room;
}
