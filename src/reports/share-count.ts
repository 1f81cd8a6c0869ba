import { createNewestMap } from "../model/newest.ts";
import { addToTotals, type RunningTotals } from "./share.ts";

/** Blocks remembered at least, by service and hour, some 50 bytes each; at most twice as many. One that is forgotten begins anew. */
const REMEMBERED = 50_000;

/** Hours of the clock remembered at least, each of one service. */
const REMEMBERED_HOURS = 10_000;

const KEYS = 2 ** 53;
const BLOCK_KEYS = 2 ** 32;
const HOURS = KEYS / BLOCK_KEYS;

interface HourTotals extends RunningTotals {
  counted: number;
}

/** Counts accepted reports as they come, by the rule of `visitSurplus`, in bounded room. */
export interface ShareCount {
  /**
   * Takes in an accepted report of a block in an hour of the clock, and returns by how much the count of its service rises: 0
   * when it is beyond the share of its block, more than 1 when it lets others count.
   */
  readonly add: (service: number, hour: number, block: number) => number;
}

/** Has seen nothing. Services are told apart by `keyOf` their slugs, blocks by their `blockKeyOf`. */
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

/** The sum of two numbers below 2^53, modulo 2^53: no intermediate value passes what a number holds exactly. */
export function sumKeys(a: number, b: number): number {
  const room = KEYS - a;
  return b < room ? b + (KEYS - room) : b - room;
}
