#!/usr/bin/env node
import type { Io } from "./setup/io.ts";
import type { Host } from "./cli/program.ts";
import { createLog } from "./cli/log/create-log.ts";
import type { Log } from "./setup/log.ts";

/* Arguments, environment, signals and exit codes. Of the program, only this file uses `process`. */

const STREAMS: Host["streams"] = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

/** Without a mode, the log is pretty on a terminal and JSON elsewhere. */
const openLog: Host["openLog"] = async (mode) => {
  const byDefault = process.stderr.isTTY ? "pretty" : "json";
  const log = await createLog(mode ?? byDefault, process.stderr);
  routeWarnings(log);
  return log;
};

/** Node prints warnings as plain lines, which would break a log of one JSON object per line. */
function routeWarnings(log: Log): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ message }) => {
    // The S3 client warns in every run that its later versions need a newer Node; the lock file fixes our version.
    if (!message.startsWith("NodeVersionSupportWarning")) log.warn(message);
  });
}

/** Two signals within this time count as one: `npm start` forwards the Ctrl-C that the terminal sends us as well. */
const SAME_SIGNAL_MS = 1_000;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** The first signal stops the command gracefully; a later one ends the process by the default action. */
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
    // Stays registered: libraries that restore the cursor end the process if they are the only listener.
    process.on(signal, stopNow);
  }
}

/** A closed pipe (`| head`) is not an error. */
function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended.
  }
}

async function main(): Promise<void> {
  const stop = new AbortController();
  listenForSignals(stop);
  process.stdout.on("error", ignoreBrokenPipe);
  process.stderr.on("error", ignoreBrokenPipe);
  // The S3 client would write the same warning to standard error, in a log that programs read.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  const io: Io = {
    print: (text) => STREAMS.out(`${text}\n`),
    env: process.env,
    setEnv: (name, value) => {
      process.env[name] = value;
    },
    wallMs: () => Date.now(),
    stop: stop.signal,
    killGroup,
  };
  // Its own bundle, at the same depth as the source files that find shipped files relative to themselves.
  const { runProgram } = await import("./cli/program.ts");
  process.exitCode = await runProgram(process.argv.slice(2), { io, streams: STREAMS, openLog });
  // Work that a stopped command abandoned, such as an unanswered request, must not keep the process alive.
  setTimeout(end, EXIT_DELAY_MS).unref();
}

/** Long enough for a pending request to a store that answers, and for a write to a folder. */
const EXIT_DELAY_MS = 1_000;

function end(): void {
  // An exit waits for pending system calls, such as a read from a disk that does not answer; then another signal has to end it.
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  process.exit();
}

/** As `engines` in package.json says, which npm only warns of. */
const OLDEST_NODE = { major: 20, minor: 19 };

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor)) {
  await main();
} else {
  STREAMS.err(
    `status-snapshot needs Node.js ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or newer; this is ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
}
