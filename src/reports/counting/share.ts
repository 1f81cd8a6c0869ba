import { rowAtTime, type RecentReports } from "../../model/service/recent-reports.ts";
import { HOUR_MS } from "../../model/time.ts";
import { hourOf } from "./baseline.ts";
import { MIN_BLOCKS } from "./surge.ts";

/**
 * Reports of each block that always count in a clock hour, for places with a single provider. A surge of a service without history
 * needs as many. Source: docs/reports/counting.md, The share of a block.
 */
const ALWAYS_COUNTED = 15;

/**
 * How many reports of one block count: 15, or more as far as the reports still satisfy `isSpread`, with at least four blocks and
 * none with more than half.
 */
function shareOf(total: number, blocks: number, largest: number): number {
  return blocks < MIN_BLOCKS ? ALWAYS_COUNTED : Math.max(ALWAYS_COUNTED, total - largest);
}

/** The accepted reports of one service in one clock hour, by block; those that arrive one by one are added. */
export interface RunningTotals {
  total: number;
  /** Distinct blocks; may be less if it is at least the number that a surge needs. */
  blocks: number;
  /** Reports of the largest block; may be less if none has more than half. */
  largest: number;
  /** The sum over blocks of their reports, at most 15 of each. */
  always: number;
  /** How many of all reports count. */
  counted: number;
}

/** Adds a report of a block, its `size`-th, and returns the increase of the reports that count. */
export function addToTotals(totals: RunningTotals, size: number): number {
  totals.total += 1;
  if (size === 1) totals.blocks += 1;
  if (size <= ALWAYS_COUNTED) totals.always += 1;
  if (size > totals.largest) totals.largest = size;
  const { total, blocks, largest, always, counted: before } = totals;
  totals.counted =
    blocks < MIN_BLOCKS
      ? always
      : total - largest + Math.min(largest, shareOf(total, blocks, largest));
  return totals.counted - before;
}

/** The indexes that `visitSurplus` visits in each clock hour that has a part of [fromMs, toMs). */
export function surplusIn(
  recent: RecentReports,
  fromMs: number,
  toMs: number,
): ReadonlySet<number> {
  const surplus = new Set<number>();
  for (let hour = hourOf(fromMs); hour <= hourOf(toMs - 1); hour += 1)
    visitSurplus(recent, hour, (place) => surplus.add(place));
  return surplus;
}

/**
 * Visits the index of each accepted report of a clock hour that does not count, in the order of time. Of a block that exceeds its
 * share, the earliest reports count, by their times and not by the order of arrival.
 */
export function visitSurplus(
  recent: RecentReports,
  hour: number,
  visit: (place: number) => void,
): void {
  const from = rowAtTime(recent, hour * HOUR_MS);
  const to = rowAtTime(recent, (hour + 1) * HOUR_MS);
  if (to - from <= ALWAYS_COUNTED) return;
  const { largest, some, candidate } = measure(recent.blocks, from, to);
  const share = shareOf(to - from, some.length, largest);
  // With four or more blocks, only a block with more than half can exceed its share.
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

/**
 * `some`: distinct blocks, at most as many as a surge needs. `candidate`: the block with more than half of the reports, otherwise any.
 * `largest`: its reports. There may be 250,000 reports, and a block seldom exceeds its share, which takes more than half of them: a
 * majority vote finds such a block. Source: https://en.wikipedia.org/wiki/Boyer–Moore_majority_vote_algorithm
 */
function measure(blocks: Uint32Array, from: number, to: number) {
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
