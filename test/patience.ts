/**
 * Timeout for expected events: long enough for the slowest machine, so that only an event that never comes fails a test. No test
 * measures time; `npm run bench` does.
 */
export const PATIENCE_MS = 120_000;

/** For vitest: longer than the waits inside a test, whose messages say what they waited for. */
export const PATIENCE = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: PATIENCE_MS } },
};
