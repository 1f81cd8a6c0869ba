import { createJsonLog } from "../../src/cli/log/create-log.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { CliResult } from "./cli.ts";

/** The queue of commands: a process has one working directory. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line from the sources in this process, because loading the program takes longer than most commands. Logs JSON.
 * Environment, terminal and signals have to be tested with a real process.
 */
export function runHere(
  args: readonly string[],
  cwd: string,
  keys: Readonly<Record<string, string>> = {},
  stop: AbortSignal = new AbortController().signal,
): Promise<CliResult> {
  const ended = last.then(() => runIn(args, cwd, keys, stop));
  last = ended.catch(() => undefined);
  return ended;
}

/** Whether the environment has only credentials of a store, which are read when it is opened. */
export function areKeys(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).every((name) => name.startsWith("AWS_"));
}

async function runIn(
  args: readonly string[],
  cwd: string,
  keys: Readonly<Record<string, string>>,
  stop: AbortSignal,
): Promise<CliResult> {
  const startedMs = performance.now();
  let stdout = "";
  let stderr = "";
  const out = (text: string): void => void (stdout += text);
  const err = (text: string): void => void (stderr += text);
  const before = process.cwd();
  process.chdir(cwd);
  Object.assign(process.env, keys);
  try {
    const code = await runProgram(args, {
      io: {
        print: (text) => out(`${text}\n`),
        env: process.env,
        setEnv: (name) => {
          throw new Error(`${name} would be set for every test: start a process`);
        },
        wallMs: () => Date.now(),
        // On a busy machine some pictures would be left for the next run.
        pictureBudgetMs: Number.POSITIVE_INFINITY,
        stop,
        killGroup: () => undefined,
      },
      streams: { out, err },
      openLog: async (mode = "json") => {
        if (mode !== "json" && mode !== "debug") throw new Error(`--log ${mode}: start a process`);
        return createJsonLog("debug", { write: err });
      },
    });
    return { code, stdout, stderr, durationMs: performance.now() - startedMs };
  } finally {
    process.chdir(before);
    for (const name of Object.keys(keys)) delete process.env[name];
  }
}
