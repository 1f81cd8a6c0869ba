import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { PATIENCE_MS } from "../patience.ts";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After this time it is killed. */
  readonly timeoutMs?: number;
  /** Another user, which needs root. */
  readonly uid?: number;
  /** Limit of open files; by default that of the tests. */
  readonly descriptors?: number;
}

export interface CliResult {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** The program as a running child process. */
export interface RunningCli {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<CliResult>;
}

/**
 * Lets a hanging child fail its test instead of blocking the suite. Far above the duration of any test: a writer that is overtaken
 * repeatedly takes half a minute on a fast machine.
 */
const TIMEOUT_MS = 240_000;

/** Starts `node dist/cli.js` with only `PATH` and `HOME` in addition to `env`. */
export function startCli(
  args: readonly string[],
  { cwd, env = {}, timeoutMs = TIMEOUT_MS, uid, descriptors }: CliOptions,
): RunningCli {
  const startedMs = performance.now();
  const program = [process.execPath, CLI, ...args];
  const [command = "", ...rest] =
    descriptors === undefined
      ? program
      : ["sh", "-c", `ulimit -n ${descriptors} && exec "$@"`, "sh", ...program];
  const child = spawn(command, rest, {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "close").then(([code]: (number | null)[]) => ({
    code: code ?? null,
    stdout,
    stderr,
    durationMs: performance.now() - startedMs,
  }));
  return { child, stdout: () => stdout, stderr: () => stderr, ended };
}

/** Runs it to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}

/** Resolves when the condition holds; throws after `withinMs`. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = PATIENCE_MS,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`timed out waiting until ${what}`);
    await delay(10);
  }
}

/** The URL that `serve` prints. */
export async function servedAt({ stdout }: RunningCli): Promise<string> {
  await until("it prints its URL", () => stdout().includes("Try http"));
  return /http:\/\/127\.0\.0\.1:\d+/u.exec(stdout())?.[0] ?? "";
}

/** The events of `--log json`; throws if a line is not an object. An unfinished last line is left out. */
export function eventsOf(stderr: string): readonly Readonly<Record<string, unknown>>[] {
  return stderr
    .slice(0, stderr.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const value: unknown = JSON.parse(line);
      if (typeof value !== "object" || value === null) throw new Error(`no object: ${line}`);
      return { ...value };
    });
}

/** The events of one name. */
export function eventsNamed(
  stderr: string,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  return eventsOf(stderr).filter(({ event }) => event === name);
}

/** The problems that the user has to fix. */
export function problemsOf(stderr: string): readonly string[] {
  return eventsNamed(stderr, "refused").map(({ message }) => String(message));
}
