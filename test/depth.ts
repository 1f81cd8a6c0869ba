/**
 * Whether tests run in their long form. Some find more the longer they run: they kill a process at random moments, explore
 * interleavings, wait for an unavailable store. `npm test` runs their short form; a project of `test/system/vitest.config.ts` runs
 * every file that imports this module again in the long form. `test.runIf(isFull)` is for tests of a rule that a shorter test
 * covers, `test.skipIf(isFull)` for tests in the same files without a long form, which have run already.
 */
export const isFull = process.env["TEST_DEPTH"] === "full";

/** A number of rounds, cases or generations: `short` in `npm test`, `full` in `npm run test:system`. */
export function atDepth(short: number, full: number): number {
  return isFull ? full : short;
}
