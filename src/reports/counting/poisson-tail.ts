/**
 * Size of the negative binomial distribution: the rate of reports has a coefficient of variation of 1/√4 = 0.5. The closed form
 * below needs a whole number.
 */
const SIZE = 4;

/** A surge starts if chance alone would give as many reports less often than this. Source: docs/reports/counting.md, The detector. */
export const START_PROBABILITY = 1e-6;

/** Fewer reports never start a surge. */
const MIN_REPORTS = 6;

/**
 * P(X ≥ count) for a negative binomial X of the given mean (over 0) and size 4, 0 to 1.
 *
 * X counts failures before the fourth success in trials that succeed with p = 4 / (4 + mean). X ≥ n means that the first
 * n + 3 trials have at most three successes, so the tail is the sum of four binomial terms, without cancellation.
 * Source: https://en.wikipedia.org/wiki/Negative_binomial_distribution#Binomial_distribution
 */
export function tailProbability(count: number, mean: number): number {
  if (count <= 0) return 1;
  const trials = count + SIZE - 1;
  const odds = SIZE / mean;
  // q^trials; each next term by its ratio to the previous one.
  let term = Math.exp(-trials * Math.log1p(odds));
  let sum = term;
  for (let successes = 1; successes < SIZE; successes += 1) {
    term *= ((trials - successes + 1) / successes) * odds;
    sum += term;
  }
  return Math.min(sum, 1);
}

/**
 * Whether that many reports in a window that expects `mean` are a sharp increase. They are then at least 5.3 times as many, by the
 * probability alone.
 */
export function isSharp(count: number, mean: number): boolean {
  return count >= MIN_REPORTS && tailProbability(count, mean) < START_PROBABILITY;
}

/** The least count that is a sharp increase over `mean`. */
export function sharpThreshold(mean: number): number {
  let low = MIN_REPORTS;
  let high = low;
  while (!isSharp(high, mean)) high *= 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSharp(middle, mean)) high = middle;
    else low = middle + 1;
  }
  return low;
}
