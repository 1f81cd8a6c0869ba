import type { VoteResult } from "../../model/service/interference.ts";

/**
 * How the runner's result stands among the voters in Moscow, the runner included. A majority decides. A tie, as of two that disagree,
 * leaves the runner its result: it is not known which of them is the exception.
 *
 * @param others whether the endpoint failed at each other voter that can be believed.
 */
export function countVotes(isFailingHere: boolean, others: readonly boolean[]): VoteResult {
  const against = others.filter((isFailing) => isFailing !== isFailingHere).length;
  const voters = others.length + 1;
  if (against * 2 > voters) return "outvoted";
  return against * 2 === voters ? "alone" : "agreed";
}
