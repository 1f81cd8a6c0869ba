import { expect, test } from "vitest";
import { runProgram } from "../../src/cli/program.ts";
import { openLog } from "../intake/prepared.ts";

/** Runs a command whose log and output may be broken. */
function runWith(
  args: readonly string[],
  { open = () => openLog().log, print = (): void => undefined },
) {
  const nothing = (): void => undefined;
  return runProgram(args, {
    io: {
      print,
      env: {},
      setEnv: nothing,
      wallMs: () => 0,
      stop: new AbortController().signal,
      killGroup: nothing,
    },
    streams: { out: nothing, err: nothing },
    openLog: async () => open(),
  });
}

test("a defect is thrown, and gives no exit code", async () => {
  const fail = (): never => {
    throw new TypeError("a defect");
  };
  await expect(runWith(["config"], { print: fail })).rejects.toThrow("a defect");
  await expect(runWith(["run"], { open: fail })).rejects.toThrow("a defect");
});

test.each([
  [["--version"], 0],
  [["--help"], 0],
  [["no-such-command"], 2],
  [["config", "--no-such-option"], 2],
])("the command line %j ends with %i", async (args, code) => {
  expect(await runWith(args, {})).toBe(code);
});
