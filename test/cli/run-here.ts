import { createJsonLog } from "../../src/log/json.ts";
import { runProgram } from "../../src/commands/program.ts";
import type { CliResult } from "./cli.ts";

/** The commands that were asked for, one after the other: a process has one folder to work in. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line of the sources in this process, as `dist/cli.js` would in one of its own: that loads the program anew each time,
 * which takes longer than most commands do. The log is JSON. What a process is given when it starts (its environment, its
 * terminal, its signals) has to be tested with a process.
 */
export function runHere(args: readonly string[], cwd: string): Promise<CliResult> {
  const ended = last.then(() => runIn(args, cwd));
  last = ended.catch(() => undefined);
  return ended;
}

async function runIn(args: readonly string[], cwd: string): Promise<CliResult> {
  const startedMs = performance.now();
  let stdout = "";
  let stderr = "";
  const out = (text: string): void => void (stdout += text);
  const err = (text: string): void => void (stderr += text);
  const before = process.cwd();
  process.chdir(cwd);
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
  }
}
