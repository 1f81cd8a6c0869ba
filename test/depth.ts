/**
 * Whether tests run in their long form. Some are worth more the longer they run: they kill a process at random moments, explore
 * interleavings, wait for a store that stays away. `npm test` runs a short form of them; a project of
 * `test/system/vitest.config.ts` runs every file that imports this module again, at full depth. `test.runIf(isFull)` is for tests
 * of a rule that a shorter one shows as well, `test.skipIf(isFull)` for those in the same files that have one form: they ran already.
 */
export const isFull = process.env["STATUS_SNAPSHOT_TEST_DEPTH"] === "full";

/** How many rounds, cases or generations: `short` in `npm test`, `full` in `npm run test:system`. */
export function atDepth(short: number, full: number): number {
  return isFull ? full : short;
}
