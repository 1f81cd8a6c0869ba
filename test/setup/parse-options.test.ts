import { expect, test } from "vitest";
import { UsageError } from "../../src/setup/errors.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";

/** What `act` throws. */
function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}

test("all problems are told at once, those of the options first", () => {
  const { unwrap, addProblem, settle } = collectProblems();
  addProblem("--port x: give a number.");
  expect(unwrap({ problem: "--key a: no such file." })).toBeUndefined();
  expect(unwrap({ value: 0 })).toBe(0);
  const error = thrownBy(() => settle({ good: { value: 1 }, bad: { problem: "--dns: no." } }));
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain("--port x: give a number.");
  expect(String(error)).toContain("--key a: no such file.");
  expect(String(error)).toContain("--dns: no.");
});

test("without a problem each setting has its value, even an undefined one", () => {
  const problems = collectProblems();
  expect(problems.settle({ one: { value: 1 }, none: { value: undefined } })).toEqual({
    one: 1,
    none: undefined,
  });
  expect(thrownBy(problems.throwIfAny)).toBeUndefined();
});

test("an option that was given and is wrong is not missing as well", () => {
  const { need, addProblem, isWrong, throwIfAny } = collectProblems();
  addProblem("--key-file x: no such file.");
  addProblem("--port: empty.");
  expect(["--key-file", "--port", "--key", "port"].map(isWrong)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  need("--port", undefined, "a port");
  need("--given", null, "what is there");
  need("--key", undefined, "a file");
  const told = String(thrownBy(throwIfAny));
  expect(told).toContain("--key is missing: give a file.");
  expect(told).not.toContain("--port is missing");
  expect(told).not.toContain("--given");
});
