import { setMaxListeners } from "node:events";
import { homedir } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { ExitCode } from "./exit-codes.ts";
import type { Log } from "./log.ts";
import type { FoundOptions } from "./options/sources.ts";
import type { ProblemCollector } from "./parse-options.ts";

/** The process as commands see it. Built once, in `cli.ts`. */
export interface Io {
  readonly print: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly setEnv: (name: string, value: string) => void;
  /** The wall clock, milliseconds since the epoch. */
  readonly wallMs: () => number;
  /** How long a run draws pictures; undefined: as long as is good for most. */
  readonly pictureBudgetMs?: number;
  /** Aborted with the reason `aborted` by SIGINT or SIGTERM. */
  readonly stop: AbortSignal;
  /** Kills a program that was started in a process group of its own, and all that it has started. */
  readonly killGroup: (pid: number) => void;
}

/** What a command is called with. */
export interface Call<Flags> {
  readonly flags: Flags;
  /** Where the flags come from. */
  readonly found: FoundOptions;
  /** Has those of the options already. The command adds what else is wrong, and throws all of them before it acts. */
  readonly problems: ProblemCollector;
  readonly io: Io;
  readonly log: Log;
}

/** A command, with as many arguments as its usage has. */
export type Action<Flags, Args extends readonly (string | undefined)[] = []> = (
  call: Call<Flags>,
  ...args: Args
) => Promise<ExitCode>;

/** Resolves after `ms`, or early on abort; the caller checks the signal. */
export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  // Hundreds of endpoints may wait for one signal.
  setMaxListeners(0, signal);
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

/**
 * Sets `HOME` where the user of the process has none: in a container, any number may be a user. The client of S3 looks for its files there,
 * and every request to a store would fail.
 */
export function setMissingHome({ setEnv }: Pick<Io, "setEnv">, find: () => string = homedir): void {
  try {
    find();
  } catch {
    setEnv("HOME", "/");
  }
}
