#!/usr/bin/env node
import type { Io } from "./commands/io.ts";
import { ENV_PREFIX } from "./commands/options.ts";
import type { Host } from "./commands/program.ts";
import { createLog } from "./log/create-log.ts";
import type { Log } from "./log/log.ts";

/*
 * The shell of the program: arguments, environment, signals, exit codes. It alone touches `process`.
 */

const STREAMS: Host["streams"] = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** The log on standard error: for people on a terminal, as JSON elsewhere. */
const openLog: Host["openLog"] = async (mode) => {
  const suiting = process.stderr.isTTY ? "pretty" : "json";
  const log = await createLog(mode ?? suiting, process.stderr);
  routeWarnings(log);
  return log;
};

/** Node prints warnings as bare lines, which would break a log of one JSON object a line. */
function routeWarnings(log: Log): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ message }) => {
    // The S3 client says in every run that later versions of it need a newer Node: ours is fixed by the lock file.
    if (!message.startsWith("NodeVersionSupportWarning")) log.warn(message);
  });
}

/** `npm start` passes on the Ctrl-C that the terminal has sent us as well: within this time, two signals are one. */
const SAME_SIGNAL_MS = 1_000;

/** By which users and supervisors stop a program. */
const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The first signal ends the work in an orderly way; a later one ends the process as if we did not listen. */
function listenForSignals(stop: AbortController): void {
  let firstMs: number | undefined;
  for (const signal of SIGNALS) {
    const stopNow = (): void => {
      stop.abort("aborted");
      firstMs ??= performance.now();
      if (performance.now() - firstMs < SAME_SIGNAL_MS) return;
      process.removeListener(signal, stopNow);
      process.kill(process.pid, signal);
    };
    // It stays registered: libraries that restore the cursor end the process when they find themselves the only listener.
    process.on(signal, stopNow);
  }
}

/** A reader that went away (`| head`) is no error of ours. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

/** An empty variable, as compose files and CI systems leave them, is one that is not set; and `false` switches nothing on. */
function dropEmptySettings(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith(ENV_PREFIX) && (value === "" || value === "false")) {
      delete process.env[name];
    }
  }
}

async function main(): Promise<void> {
  const stop = new AbortController();
  listenForSignals(stop);
  process.stdout.on("error", ignoreBrokenPipe);
  process.stderr.on("error", ignoreBrokenPipe);
  dropEmptySettings();
  const io: Io = {
    print: (text) => STREAMS.out(`${text}\n`),
    env: process.env,
    setEnv: (name, value) => {
      process.env[name] = value;
    },
    wallMs: () => Date.now(),
    stop: stop.signal,
  };
  // In a file of its own when it is built, as deep as the files of `src` that find what ships by their own place.
  const { runProgram } = await import("./commands/program.ts");
  process.exitCode = await runProgram(process.argv.slice(2), { io, streams: STREAMS, openLog });
  endSoon();
}

/** Long enough for a request in hand to a store that answers, and for a write of a folder. */
const LEFT_ALONE_MS = 1_000;

/** The command has ended. What it left alone because it was stopped, such as a request that is not answered, must not keep the process. */
function endSoon(): void {
  setTimeout(end, LEFT_ALONE_MS).unref();
}

function end(): void {
  // An exit waits for system calls under way, such as a read from a disk that does not answer. Then another signal has to do.
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  process.exit();
}

await main();
