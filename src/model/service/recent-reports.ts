import { OTHER_OPERATOR } from "../../contract/codes/operator.ts";
import { firstIndexWhere } from "../lists.ts";

/** The columns of every `RecentReports`, without a row. */
export const NO_RECENT_REPORTS = {
  /** Whole milliseconds since the epoch. */
  times: new Float64Array() as Float64Array,
  /** `reportKeyOf` the hash of the network. */
  networks: new Float64Array() as Float64Array,
  /** `blockKeyOf` the hash of the block. */
  blocks: new Uint32Array() as Uint32Array,
  /** The number of the operator. */
  operators: new Uint8Array() as Uint8Array,
};

/** Accepted reports in columns, ascending by time: 250,000 objects would cost a publish more time and memory than the rest of the state. */
export type RecentReports = Readonly<typeof NO_RECENT_REPORTS>;

const COLUMNS = Object.keys(NO_RECENT_REPORTS) as readonly (keyof RecentReports)[];

export type RecentRow = readonly [atMs: number, network: number, block: number, operator?: number];

const WORD = 2 ** 32;

/**
 * Maps a hash to an integer below 2^53. Among 250,000 hashes a collision has a chance of 1 in 300,000; the hashes are keyed, so
 * a client cannot search for one. Source: https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
 */
export function reportKeyOf(hash: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < hash.length; at += 1) {
    const code = hash.charCodeAt(at);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507);
  high ^= Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507);
  low ^= Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return WORD * (low & 0x1f_ffff) + (high >>> 0);
}

/** The same in 32 bits: blocks have to be distinct only within an hour. */
export function blockKeyOf(hash: string): number {
  return reportKeyOf(hash) % WORD;
}

/** The index of the first row that is not before `fromMs`. */
export function rowAtTime({ times }: RecentReports, fromMs: number): number {
  return firstIndexWhere(times.length, (row) => (times[row] ?? 0) >= fromMs);
}

/** The rows with times in [fromMs, toMs), as a view on the same memory. */
export function recentBetween(recent: RecentReports, fromMs: number, toMs: number): RecentReports {
  return take("subarray", recent, rowAtTime(recent, fromMs), rowAtTime(recent, toMs));
}

/** A copy of the rows with times in [fromMs, toMs); the same value if these are all. */
export function keepRecent(recent: RecentReports, fromMs: number, toMs = Infinity): RecentReports {
  const [from, to] = [rowAtTime(recent, fromMs), rowAtTime(recent, toMs)];
  if (from === 0 && to === recent.times.length) return recent;
  return take("slice", recent, from, to);
}

function take(how: "slice" | "subarray", recent: RecentReports, from: number, to: number) {
  const columns = COLUMNS.map((name) => [name, recent[name][how](from, to)] as const);
  // Each column stays of its kind.
  return Object.fromEntries(columns) as unknown as RecentReports;
}

/** Inserts rows, which must ascend by time, each after those of the same time. */
export function addRecent(recent: RecentReports, rows: readonly RecentRow[]): RecentReports {
  if (rows.length === 0) return recent;
  const length = recent.times.length + rows.length;
  const all = {
    times: new Float64Array(length),
    networks: new Float64Array(length),
    blocks: new Uint32Array(length),
    operators: new Uint8Array(length),
  };
  let [from, to] = [0, 0];
  const copyUntil = (row: number): void => {
    for (const name of COLUMNS) all[name].set(recent[name].subarray(from, row), to);
    to += row - from;
    from = row;
  };
  for (const [atMs, network, block, operator = OTHER_OPERATOR] of rows) {
    // Times are whole milliseconds.
    copyUntil(Math.max(from, rowAtTime(recent, atMs + 1)));
    all.times[to] = atMs;
    all.networks[to] = network;
    all.blocks[to] = block;
    all.operators[to] = operator;
    to += 1;
  }
  copyUntil(recent.times.length);
  return all;
}
