export type Random = () => number;

/** Uniform in [0, 1), the same in every run of a test. Source: https://github.com/bryc/code/blob/master/jshash/PRNGs.md (mulberry32) */
export function createRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
