import { createNewestMap } from "../../model/bounded-map.ts";
import { addToTotals, type RunningTotals } from "./share.ts";

/** Blocks by service and hour that are kept: at least so many, at most twice as many; about 50 bytes each. */
const REMEMBERED = 50_000;

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
  const sizes = createNewestMap<number, number>(REMEMBERED);
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
