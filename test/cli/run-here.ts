import { createJsonLog } from "../../src/log/json.ts";
import { runProgram } from "../../src/commands/program.ts";
import type { CliResult } from "./cli.ts";

/** The commands that were asked for, one after the other: a process has one folder to work in. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line of the sources in this process, as `dist/cli.js` would in one of its own: that loads the program anew each time,
 * which takes longer than most commands do. The log is JSON. What a process is given when it starts (most of its environment, its
 * terminal, its signals) has to be tested with a process.
 */
export function runHere(
  args: readonly string[],
  cwd: string,
  keys: Readonly<Record<string, string>> = {},
): Promise<CliResult> {
  const ended = last.then(() => runIn(args, cwd, keys));
  last = ended.catch(() => undefined);
  return ended;
}

/** Whether these are keys of a store, which are read when it is opened, and nothing else. */
export function areKeys(env: Readonly<Record<string, string>>): boolean {
  return Object.keys(env).every((name) => name.startsWith("AWS_"));
}

async function runIn(
  args: readonly string[],
  cwd: string,
  keys: Readonly<Record<string, string>>,
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
        stop: new AbortController().signal,
      },
      streams: { out, err },
      openLog: async (mode = "json") => {
        if (mode !== "json") throw new Error(`--log ${mode}: start a process`);
        return createJsonLog({ write: err });
      },
    });
    return { code, stdout, stderr, durationMs: performance.now() - startedMs };
  } finally {
    process.chdir(before);
    for (const name of Object.keys(keys)) delete process.env[name];
  }
}
