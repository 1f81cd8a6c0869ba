/**
 * Size of the negative binomial distribution: the rate behind the reports varies with a coefficient of 1/√4 = 0.5. The
 * closed form below needs it to be whole.
 */
const SIZE = 4;

/** So seldom must chance alone bring as many reports for a surge to start. Source: docs/reports.md, The detector. */
export const START_PROBABILITY = 1e-6;

/** Fewer never start a surge. */
const MIN_REPORTS = 6;

/** Nor does less than this multiple of what is expected: sharp, not merely significant. */
const MIN_MULTIPLE = 3;

/**
 * P(X ≥ count) for a negative binomial X of the given mean (over 0) and size 4, 0 to 1.
 *
 * X counts failures before the fourth success in trials that succeed with p = 4 / (4 + mean). X ≥ n says that the first
 * n + 3 trials hold at most three successes, so four terms of a binomial are the whole tail, with nothing to cancel.
 * Source: https://en.wikipedia.org/wiki/Negative_binomial_distribution#Binomial_distribution
 */
export function tailProbability(count: number, mean: number): number {
  if (count <= 0) return 1;
  const trials = count + SIZE - 1;
  const odds = SIZE / mean;
  // q^trials, and then each next term by its ratio to the one before.
  let term = Math.exp(-trials * Math.log1p(odds));
  let sum = term;
  for (let successes = 1; successes < SIZE; successes += 1) {
    term *= ((trials - successes + 1) / successes) * odds;
    sum += term;
  }
  return Math.min(sum, 1);
}

/** Whether that many reports in a window that expects `mean` are a sharp increase. */
export function isSharp(count: number, mean: number): boolean {
  return (
    count >= MIN_REPORTS &&
    count >= MIN_MULTIPLE * mean &&
    tailProbability(count, mean) < START_PROBABILITY
  );
}

/** The least count that is a sharp increase over `mean`. */
export function sharpThreshold(mean: number): number {
  let low = Math.max(MIN_REPORTS, Math.ceil(MIN_MULTIPLE * mean));
  let high = low;
  while (!isSharp(high, mean)) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSharp(middle, mean)) high = middle;
    else low = middle + 1;
  }
  return low;
}
