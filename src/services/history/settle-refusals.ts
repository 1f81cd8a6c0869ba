import type { Endpoint } from "../../model/service/catalogue.ts";
import type { SampleString } from "../../model/service/history.ts";
import { type EndpointResult, isUnanswered } from "../../model/probe-outcome.ts";
import type { Line } from "../../model/service/vantage.ts";
import { countFirstAnswers, lastState } from "./sample-codes.ts";
import { canPass } from "./suspicion.ts";

/** Runs that an endpoint needs before silence means anything where its owner refuses data centres. */
const MIN_RUNS = 200;

/** Share of them in which it has to have answered at the first attempt. Source: docs/services/verdicts.md, "Owners that refuse data centres". */
const MIN_RATIO = 0.95;

/** So many answers that tell of a failure that can pass make one, if other attempts met silence. */
const MIN_ANSWERS = 3;

/** Whether this runner is let in by the owner of an endpoint: it has usually answered at once. */
export function isLetIn(samples: SampleString): boolean {
  const { first, late } = countFirstAnswers(samples);
  return first + late >= MIN_RUNS && first >= MIN_RATIO * (first + late);
}

/** Whether silence of an endpoint towards this runner may be its owner's refusal of data centres. */
export function mayRefuse(
  { refuses = [] }: Pick<Endpoint, "refuses">,
  samples: SampleString,
  line: Line,
): boolean {
  return line === "hosting" && refuses.includes("hosting") && !isLetIn(samples);
}

/**
 * The result of an endpoint whose owner may refuse this runner. What the server said counts in any case; without a word of it, the places
 * in Moscow on lines of subscribers decide, and without those nothing is decided.
 *
 * @param samples of the endpoint before this run.
 * @param elsewhere whether it failed at each place in Moscow on the line of a subscriber that was asked about this failure.
 */
export function settleRefusal(
  { mayBeRefused: _noted, ...result }: EndpointResult,
  samples: SampleString,
  elsewhere: readonly boolean[],
): EndpointResult {
  const { outcome, attempts } = result;
  if (outcome.kind === "skipped" || !attempts.some(isUnanswered)) return result;
  const answers = attempts.filter((one) => one.kind === "failed" && !isUnanswered(one));
  if (outcome.kind !== "failed")
    return answers.length === 0 ? { ...result, mayBeRefused: true } : result;
  const answer = answers.at(-1);
  const isEnough = answers.length >= MIN_ANSWERS || lastState(samples) === "failing";
  if (answer !== undefined) {
    const told = { ...result, outcome: answer };
    return isEnough || !canPass(told) ? told : { ...told, mayBeRefused: true };
  }
  if (elsewhere.length === 0) return { ...result, mayBeRefused: true };
  const fails = elsewhere.filter((isFailing) => isFailing).length;
  return fails * 2 > elsewhere.length ? result : { ...result, outvotedBy: "healthy" };
}
