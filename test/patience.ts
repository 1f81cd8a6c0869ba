/**
 * How long a test waits for what should come: so long that only what never comes is told as a failure, on the slowest machine, too.
 * No test measures time; `npm run bench` does.
 */
export const PATIENCE_MS = 120_000;

/** The same for vitest: the test ends after everything that waits inside it, which then says what it waited for. */
export const PATIENCE = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: PATIENCE_MS } },
};
