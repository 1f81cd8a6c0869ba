export interface BackoffLimits {
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * How long to wait after a failed attempt (from 1), milliseconds: at random up to a bound that doubles with each, so that writers
 * that met once do not meet again. Source: "Exponential Backoff And Jitter" ("full jitter"), AWS Architecture Blog.
 *
 * @param random uniform in [0, 1).
 */
export function backoffMs(
  attempt: number,
  random: () => number,
  { firstMs, longestMs }: BackoffLimits,
): number {
  return random() * Math.min(longestMs, firstMs * 2 ** attempt);
}
