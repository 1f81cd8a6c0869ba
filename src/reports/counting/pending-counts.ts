import type { Report, ReportCounts, ReportLedger } from "../../model/service/reports.ts";
import { mapValues } from "../../model/lists.ts";
import { MINUTE_MS, HOUR_MS } from "../../model/time.ts";
import { MINUTES_PER_DAY, MINUTES_PER_HOUR } from "./counts.ts";
import { type FoldedIds, isFolded } from "../../model/folded-ids.ts";
import { createNewestMap } from "../../model/bounded-map.ts";
import { blockKeyOf, reportKeyOf } from "../../model/service/recent-reports.ts";
import { hourOf } from "./baseline.ts";
import { addToTotals, type RunningTotals } from "./share.ts";

/** Counted reports of one service, in typed arrays, which are cheap to pass between threads. */
export interface MinuteColumns {
  /** `floor(atMs / 1 min)`, ascending. */
  readonly minutes: Uint32Array;
  readonly accepted: Uint32Array;
}

/** The counted reports of a ledger, by slug. */
export type AcceptedReports = ReadonlyMap<string, MinuteColumns>;

/** The counts in a response to a report. */
export type AnswerCounts = Pick<ReportCounts, "hour" | "day">;

export function addCounts(a: AnswerCounts, b: AnswerCounts): AnswerCounts {
  return { hour: a.hour + b.hour, day: a.day + b.day };
}

export function acceptedOf({ services }: ReportLedger): AcceptedReports {
  return mapValues(services, ({ minutes }) => ({
    minutes: Uint32Array.from(minutes, ([minute]) => minute),
    accepted: Uint32Array.from(minutes, ([, accepted]) => accepted),
  }));
}

/** Reports of the last 60 and 1,440 minutes, including that of `nowMs`, as in `countsOf`. */
export function countColumns(columns: MinuteColumns | undefined, nowMs: number): AnswerCounts {
  const counts = { hour: 0, day: 0 };
  if (columns === undefined) return counts;
  const { minutes, accepted } = columns;
  for (let place = minutes.length - 1; place >= 0; place -= 1) {
    if (!addTo(counts, minutes[place] ?? 0, accepted[place] ?? 0, nowMs)) break;
  }
  return counts;
}

/** False if the minute is too long ago to count. */
function addTo(
  counts: { hour: number; day: number },
  minute: number,
  reports: number,
  nowMs: number,
): boolean {
  const age = Math.floor(nowMs / MINUTE_MS) - minute;
  if (age >= 0 && age < MINUTES_PER_DAY) counts.day += reports;
  if (age >= 0 && age < MINUTES_PER_HOUR) counts.hour += reports;
  return age < MINUTES_PER_DAY;
}

export type Tally = ReturnType<typeof createTally>;

/** Numbers of reports by service and minute: its size depends on the minutes and not on the reports. */
export function createTally() {
  const services = new Map<string, Map<number, number>>();
  const change = (slug: string, minute: number, by: number): boolean => {
    const minutes = services.get(slug) ?? new Map<number, number>();
    services.set(slug, minutes);
    const reports = (minutes.get(minute) ?? 0) + by;
    if (reports > 0) minutes.set(minute, reports);
    else minutes.delete(minute);
    return reports >= 0;
  };
  return {
    /** Adds a number at the service and minute of a report. */
    add: ({ slug, atMs }: Report, reports: number): void =>
      void change(slug, Math.floor(atMs / MINUTE_MS), reports),
    /** Subtracts a number at the service and minute of a report. If there are fewer, returns false and leaves 0. */
    subtract: ({ slug, atMs }: Report, reports: number): boolean =>
      change(slug, Math.floor(atMs / MINUTE_MS), -reports),
    addAll: (other: ReadonlyMap<string, ReadonlyMap<number, number>>): void => {
      for (const [slug, minutes] of other)
        for (const [minute, reports] of minutes) change(slug, minute, reports);
    },
    clear: (): void => services.clear(),
    count: (slug: string, nowMs: number): AnswerCounts => {
      const counts = { hour: 0, day: 0 };
      for (const [minute, reports] of services.get(slug) ?? [])
        addTo(counts, minute, reports, nowMs);
      return counts;
    },
    services,
  };
}

/** Inbox objects that have a tally of their own until a publish has counted them: some seconds of the worst flood. */
const MAX_WAITING = 500;

/** Counts of accepted reports that are not published yet, in bounded memory. Starts empty; the ledger has the published counts. */
export function createUnpublished(ledger: ReportLedger) {
  const estimate = createDedupEstimate(ledger);
  // In the inbox, by id: counted by the running publish or the next one.
  const waiting = new Map<string, Tally>();
  // Objects that have waited too long for a tally of their own, and the journal.
  const [late, journaled] = [createTally(), createTally()];
  let published: FoldedIds = new Map();

  const merge = (): void => {
    for (const tally of waiting.values()) late.addAll(tally.services);
    waiting.clear();
  };
  const wait = (id: string, tally: Tally): void => {
    // A publish can end before the response to the write arrives.
    if (!isFolded(published, id)) waiting.set(id, tally);
    if (waiting.size > MAX_WAITING) merge();
  };
  return {
    count: (slug: string, nowMs: number): AnswerCounts =>
      [...waiting.values(), late, journaled]
        .map((tally) => tally.count(slug, nowMs))
        .reduce(addCounts),
    /** Reports that are durable now: in the inbox under this id, or in the journal. */
    accept: (reports: readonly Report[], id?: string): void => {
      const tally = id === undefined ? journaled : createTally();
      for (const report of reports) tally.add(report, estimate.accept(report));
      if (id !== undefined) wait(id, tally);
    },
    /** Reports of the journal that are now in the inbox under this id. */
    moveToInbox: (reports: readonly Report[], id: string): void => {
      const tally = createTally();
      for (const report of reports) {
        const increase = estimate.increaseOf(report);
        if (journaled.subtract(report, increase)) tally.add(report, increase);
      }
      wait(id, tally);
    },
    /** The journal is empty. */
    clearJournal: journaled.clear,
    /** A publish begins. Call the returned function with the counted objects if it succeeds. */
    beginPublish: () => {
      const before = new Set(waiting.keys());
      return (folded: FoldedIds): void => {
        published = folded;
        late.clear();
        for (const id of waiting.keys()) {
          if (before.has(id) || isFolded(folded, id)) waiting.delete(id);
        }
      };
    },
    /** The publish has failed. */
    failPublish: merge,
  };
}

/** Pairs of service and network that are kept: at least so many, at most twice as many; about 50 bytes each. */
const REMEMBERED = 125_000;

/** Of these, pairs whose report changed the count by other than 1, because their block exceeds its share. */
const REMEMBERED_UNEVEN = 20_000;

/**
 * Estimates how reports will count, before they are in a ledger. Starts from the ledger and adds the reports of this process; reports of
 * other intakes are unknown. A report is accepted if the last accepted one of its network and service is an hour away, and counts within
 * the share of its block. Source: docs/reports/counting.md, Fair counting.
 */
export function createDedupEstimate({ services }: ReportLedger) {
  const lastAccepted = createNewestMap<number, number>(REMEMBERED);
  const uneven = createNewestMap<number, number>(REMEMBERED_UNEVEN);
  const addToShare = createShareCount();
  for (const [slug, { recent }] of services) {
    const service = reportKeyOf(slug);
    for (const [place, network] of recent.networks.entries()) {
      const atMs = recent.times[place] ?? 0;
      lastAccepted.set(sumKeys(service, network), atMs);
      addToShare(service, hourOf(atMs), recent.blocks[place] ?? 0);
    }
  }
  return {
    /**
     * The increase of the service's count by this report: 0 or 1, or more if earlier reports of a block count now. Call it once for each
     * report, in the order of arrival.
     */
    accept: ({ slug, atMs, network, block }: Report): number => {
      const service = reportKeyOf(slug);
      const key = sumKeys(service, reportKeyOf(network));
      const lastMs = lastAccepted.get(key);
      if (lastMs !== undefined && Math.abs(atMs - lastMs) < HOUR_MS) return 0;
      lastAccepted.set(key, atMs);
      const increase = addToShare(service, hourOf(atMs), blockKeyOf(block));
      if (increase !== 1 || uneven.get(key) !== undefined) uneven.set(key, increase);
      return increase;
    },
    /** The increase by this report, if it is the last accepted one of its network and service; otherwise 0. */
    increaseOf: ({ slug, atMs, network }: Report): number => {
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

/**
 * Counts accepted reports one by one, by the rule of `visitSurplus`, in bounded memory. The function adds an accepted report of a block
 * (its `blockKeyOf`) of a service (the `reportKeyOf` its slug) in a clock hour, and returns the increase of the service's count: 0 if it
 * exceeds the share of its block, more than 1 if earlier reports count now.
 */
function createShareCount(): (service: number, hour: number, block: number) => number {
  const sizes = createNewestMap<number, number>(REMEMBERED_BLOCKS);
  const hours = createNewestMap<number, RunningTotals>(REMEMBERED_HOURS);
  return (service, hour, block) => {
    const hourKey = sumKeys(service, (hour % HOURS) * BLOCK_KEYS);
    const key = sumKeys(hourKey, block);
    const size = (sizes.get(key) ?? 0) + 1;
    sizes.set(key, size);
    const nothing = { total: 0, blocks: 0, largest: 0, always: 0, counted: 0 };
    const totals = hours.get(hourKey) ?? nothing;
    hours.set(hourKey, totals);
    return addToTotals(totals, size);
  };
}

/** The sum of two numbers below 2^53, modulo 2^53, without an intermediate value that exceeds exact integers. */
function sumKeys(a: number, b: number): number {
  const room = KEYS - a;
  return b < room ? b + (KEYS - room) : b - room;
}
