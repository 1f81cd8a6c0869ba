import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface CliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It is killed when it lives longer. */
  readonly timeoutMs?: number;
}

export interface CliResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** The program as a child process that is under way. */
export interface RunningCli {
  readonly child: ChildProcess;
  /** What it has written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<CliResult>;
}

/**
 * A child that hangs ends as a failure, not as a stuck suite. Far above what any test needs: who is overtaken by other writers again and
 * again takes half a minute.
 */
const TIMEOUT_MS = 60_000;

/** Starts `node dist/cli.js`, with nothing of our own environment but what finds Node's files. */
export function startCli(
  args: readonly string[],
  { cwd, env = {}, timeoutMs = TIMEOUT_MS }: CliOptions,
): RunningCli {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: cwd, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
    killSignal: "SIGKILL",
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

/** Resolves when the condition holds; throws when it does not within ten seconds, or as many as are given. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`waited in vain until ${what}`);
    await delay(10);
  }
}

/** Where `serve` answers, once it has told it. */
export async function servedAt({ stdout }: RunningCli): Promise<string> {
  await until("it tells its URL", () => stdout().includes("Try http"));
  return /http:\/\/127\.0\.0\.1:\d+/u.exec(stdout())?.[0] ?? "";
}

/** The events of `--log json`, one object a line; throws when a line is anything else. */
export function eventsOf(stderr: string): readonly Readonly<Record<string, unknown>>[] {
  return stderr
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

/** The sentences by which the program says what is to be mended. */
export function problemsOf(stderr: string): readonly string[] {
  return eventsNamed(stderr, "refused").map(({ message }) => String(message));
}
