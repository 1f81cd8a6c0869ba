import type { VoteResult } from "../../model/interference.ts";

/** Voters that a majority needs, the runner included. */
const MIN_VOTERS = 3;

/**
 * How the runner's result stands among the voters in Moscow. Three or more: the majority decides, and a tie leaves the runner its
 * result. Two that disagree: it is not known which of them is the exception.
 *
 * @param others whether the endpoint failed at each other voter that can be believed.
 */
export function countVotes(isFailingHere: boolean, others: readonly boolean[]): VoteResult {
  const against = others.filter((isFailing) => isFailing !== isFailingHere).length;
  if (against === 0) return "agreed";
  const voters = others.length + 1;
  if (voters >= MIN_VOTERS) return against * 2 > voters ? "outvoted" : "agreed";
  return "alone";
}
