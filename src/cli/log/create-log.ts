import { type Log, type LogMode, SENTENCE_EVENTS } from "../../setup/log.ts";
import type { DestinationStream } from "pino";
import { levelOf } from "../../model/run-event.ts";

/** Opens the log of a mode on standard error. Loads only the modules of that mode. */
export async function createLog(mode: LogMode, stderr: NodeJS.WriteStream): Promise<Log> {
  if (mode === "pretty") return (await import("./pretty.ts")).createPrettyLog(stderr);
  if (mode === "silent") return createPlainLog((text) => void stderr.write(text));
  return createJsonLog(mode === "json" ? "info" : mode);
}

const ignore = (): void => undefined;

/** Logs only why a command failed, and what has to be fixed, as sentences. */
export function createPlainLog(write: (text: string) => void): Log {
  const print = (sentence: string): void => write(`${sentence}\n`);
  return { emit: ignore, warn: ignore, fail: print, refuse: print, advise: ignore, close: ignore };
}

/** Logs one JSON line per event of a level or a higher one, for log collectors. Standard error is written synchronously, so that a killed process loses no line. */
export async function createJsonLog(level: "debug" | "info", to?: DestinationStream): Promise<Log> {
  // Bundled as CommonJS, it has only a default export.
  const { default: pino } = await import("pino");
  const log = pino(
    {
      level,
      base: null,
      messageKey: "message",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    to ?? pino.destination({ dest: 2, sync: true }),
  );
  return {
    emit: (event) => log[levelOf(event)](event),
    warn: (sentence) => log[SENTENCE_EVENTS.warning.level]({ event: "warning", message: sentence }),
    fail: (sentence) => log[SENTENCE_EVENTS.failed.level]({ event: "failed", message: sentence }),
    refuse: (problem) => log[SENTENCE_EVENTS.refused.level]({ event: "refused", message: problem }),
    advise: () => undefined,
    close: () => undefined,
  };
}
