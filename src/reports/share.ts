import { placeOfTime, type Recent } from "../model/recent.ts";
import { HOUR_MS } from "../model/time.ts";
import { MIN_BLOCKS } from "./surge.ts";

/**
 * Reports of each block that count in an hour of the clock, whoever else reports: a village with one provider is honest. A surge
 * of a service without history needs as many. Source: docs/reports.md, The share of a block.
 */
const ALWAYS_COUNTED = 15;

/** The accepted reports of one service in one hour of the clock, by block. */
interface BlockTotals {
  readonly total: number;
  /** Distinct blocks, or at least as many as a surge needs. */
  readonly blocks: number;
  /** Reports of the block that has most of them; may be less where none has more than half. */
  readonly largest: number;
}

/**
 * How many reports of a single block count: 15, and more as far as a surge accepts them, that is from at least four blocks and
 * none with more than half. See `isSpread`.
 */
function shareOf({ total, blocks, largest }: BlockTotals): number {
  return blocks < MIN_BLOCKS ? ALWAYS_COUNTED : Math.max(ALWAYS_COUNTED, total - largest);
}

/** What a count of reports that come one by one has to know. */
export interface RunningTotals {
  total: number;
  blocks: number;
  largest: number;
  /** The sum over blocks of their reports, 15 of each at most. */
  always: number;
}

/** Takes in one more report of a block that has sent `size` of them now, and returns how many of all count. */
export function addToTotals(totals: RunningTotals, size: number): number {
  totals.total += 1;
  if (size === 1) totals.blocks += 1;
  if (size <= ALWAYS_COUNTED) totals.always += 1;
  if (size > totals.largest) totals.largest = size;
  const { total, blocks, largest, always } = totals;
  return blocks < MIN_BLOCKS ? always : total - largest + Math.min(largest, shareOf(totals));
}

/**
 * Visits the place of each accepted report of an hour of the clock that does not count, in the order of time. Of a block that
 * has sent more than its share, those that came first count. So what counts follows from what was reported, and not from the
 * order of arrival.
 */
export function visitSurplus(recent: Recent, hour: number, visit: (place: number) => void): void {
  const from = placeOfTime(recent, hour * HOUR_MS);
  const to = placeOfTime(recent, (hour + 1) * HOUR_MS);
  if (to - from <= ALWAYS_COUNTED) return;
  const { largest, some, candidate } = measure(recent.blocks, from, to);
  const share = shareOf({ total: to - from, blocks: some.length, largest });
  // From four blocks on, only one that has more than half can have more than its share.
  const suspects = some.length < MIN_BLOCKS ? some : [candidate];
  if (some.length >= MIN_BLOCKS && largest <= share) return;
  const sizes = suspects.map(() => 0);
  for (let place = from; place < to; place += 1) {
    const suspect = suspects.indexOf(recent.blocks[place] ?? 0);
    if (suspect === -1) continue;
    const size = (sizes[suspect] ?? 0) + 1;
    sizes[suspect] = size;
    if (size > share) visit(place);
  }
}

/** What can be said of blocks in two passes over them, without a table. */
interface Measured {
  /** Distinct blocks, as many as a surge needs at most. */
  readonly some: readonly number[];
  /** The block that has more than half of the reports, if there is one; otherwise any. */
  readonly candidate: number;
  /** Reports of the candidate. */
  readonly largest: number;
}

/**
 * There may be 250,000 reports, and hardly ever does a block have more than its share, which takes more than half of them: the
 * majority vote finds such a block. Source: https://en.wikipedia.org/wiki/Boyer–Moore_majority_vote_algorithm
 */
function measure(blocks: Uint32Array, from: number, to: number): Measured {
  const some: number[] = [];
  let candidate = 0;
  let votes = 0;
  for (let place = from; place < to; place += 1) {
    const block = blocks[place] ?? 0;
    if (some.length < MIN_BLOCKS && !some.includes(block)) some.push(block);
    if (votes === 0) candidate = block;
    votes += block === candidate ? 1 : -1;
  }
  let largest = 0;
  for (let place = from; place < to; place += 1) if (blocks[place] === candidate) largest += 1;
  return { some, candidate, largest };
}
