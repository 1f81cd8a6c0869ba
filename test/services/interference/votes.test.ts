import { expect, test } from "vitest";
import { countVotes } from "../../../src/services/interference/judge-services.ts";

const F = true;
const OK = false;

test.each<[string, boolean, readonly boolean[], string]>([
  ["nobody else", F, [], "agreed"],
  ["one that agrees", F, [F], "agreed"],
  ["one that disagrees", F, [OK], "alone"],
  ["one that disagrees with a healthy result", OK, [F], "alone"],
  ["two that disagree", F, [OK, OK], "outvoted"],
  ["one of two", F, [OK, F], "agreed"],
  ["two of four: a tie leaves the runner its result", F, [OK, OK, F], "alone"],
  ["three of four", F, [OK, OK, OK, F], "outvoted"],
  ["two that fail while the runner does not", OK, [F, F], "outvoted"],
  ["one that lies among three", OK, [F, OK], "agreed"],
])("%s", (_, isFailingHere, others, expected) => {
  expect(countVotes(isFailingHere, others)).toBe(expected);
});
