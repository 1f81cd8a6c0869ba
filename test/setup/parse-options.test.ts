import { expect, test } from "vitest";
import { UsageError } from "../../src/setup/errors.ts";
import { collectProblems, readBy } from "../../src/setup/parse-options.ts";

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
  const { need, addProblem, isWrong, settle } = collectProblems();
  addProblem("--key-file x: no such file.");
  addProblem("--port: empty.");
  expect(["--key-file", "--port", "--key", "port"].map(isWrong)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const settings = {
    port: need("--port", undefined, "a port"),
    given: need("--given", null, "what is there"),
    key: need("--key", undefined, "a file"),
  };
  expect(settings.given).toEqual({ value: null });
  const told = String(thrownBy(() => settle(settings)));
  expect(told).toContain("--key is missing: give a file.");
  expect(told).not.toContain("--port is missing");
  expect(told.match(/--port/gu)).toHaveLength(1);
});

test("what a setting names is read, and a problem of the setting is that of both", async () => {
  const read = async (name: string) =>
    name === "good" ? { value: name.length } : { problem: `${name}: no such file.` };
  expect(await readBy({ value: "good" }, read)).toEqual({ value: 4 });
  expect(await readBy({ value: "bad" }, read)).toEqual({ problem: "bad: no such file." });
  const missing = { problem: "--key is missing: give a file." };
  expect(await readBy(missing, read)).toEqual(missing);
});
