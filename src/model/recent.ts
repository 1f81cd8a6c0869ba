/**
 * Accepted reports in columns, ascending by time. There may be 250,000 of them: as objects they would cost a publish more than
 * everything else in the state together.
 */
export interface Recent {
  /** Whole milliseconds since the epoch. */
  readonly times: Float64Array;
  /** `keyOf` the hash of the network. */
  readonly networks: Float64Array;
  /** `blockKeyOf` the hash of the block. */
  readonly blocks: Uint32Array;
}

/** One row of them. */
export type RecentRow = readonly [atMs: number, network: number, block: number];

export const NOBODY_RECENT: Recent = {
  times: new Float64Array(),
  networks: new Float64Array(),
  blocks: new Uint32Array(),
};

const WORD = 2 ** 32;

/**
 * A whole number below 2^53 that stands for a hash. Two of a quarter of a million share one once in 300,000 such crowds; the
 * hashes are keyed, so nobody can look for some that do. Source: https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
 */
export function keyOf(hash: string): number {
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

/** The same in 32 bits: blocks are only told apart within an hour. */
export function blockKeyOf(hash: string): number {
  return keyOf(hash) % WORD;
}

/** The place of the first row that is not before `fromMs`. */
export function placeOfTime({ times }: Recent, fromMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((times[middle] ?? 0) < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows with times in [fromMs, toMs), a view and no copy. */
export function recentBetween(recent: Recent, fromMs: number, toMs: number): Recent {
  const from = placeOfTime(recent, fromMs);
  const to = placeOfTime(recent, toMs);
  return {
    times: recent.times.subarray(from, to),
    networks: recent.networks.subarray(from, to),
    blocks: recent.blocks.subarray(from, to),
  };
}

/** The rows with times in [fromMs, toMs), in room of their own; the same value when these are all. */
export function keepRecent(recent: Recent, fromMs: number, toMs = Infinity): Recent {
  const from = placeOfTime(recent, fromMs);
  const to = placeOfTime(recent, toMs);
  if (from === 0 && to === recent.times.length) return recent;
  return {
    times: recent.times.slice(from, to),
    networks: recent.networks.slice(from, to),
    blocks: recent.blocks.slice(from, to),
  };
}

/** With rows put in, which ascend by time: each behind those of the same time. */
export function addRecent(recent: Recent, rows: readonly RecentRow[]): Recent {
  if (rows.length === 0) return recent;
  const length = recent.times.length + rows.length;
  const [times, networks] = [new Float64Array(length), new Float64Array(length)];
  const blocks = new Uint32Array(length);
  let [from, to] = [0, 0];
  const takeUntil = (place: number): void => {
    times.set(recent.times.subarray(from, place), to);
    networks.set(recent.networks.subarray(from, place), to);
    blocks.set(recent.blocks.subarray(from, place), to);
    to += place - from;
    from = place;
  };
  for (const [atMs, network, block] of rows) {
    // Times are whole milliseconds.
    takeUntil(Math.max(from, placeOfTime(recent, atMs + 1)));
    times[to] = atMs;
    networks[to] = network;
    blocks[to] = block;
    to += 1;
  }
  takeUntil(recent.times.length);
  return { times, networks, blocks };
}
