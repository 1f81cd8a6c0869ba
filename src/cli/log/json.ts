import { destination, type DestinationStream, pino } from "pino";
import { rowOf } from "../../model/run-event.ts";
import { type Log, SENTENCE_EVENTS } from "../../setup/log.ts";

/** Logs one JSON line per event, for log collectors; on standard error by default. */
export function createJsonLog(to: DestinationStream = openStandardError()): Log {
  const log = pino(
    {
      base: null,
      messageKey: "message",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    to,
  );
  return {
    emit: (event) => log[rowOf(event).level](event),
    warn: (sentence) => log[SENTENCE_EVENTS.warning.level]({ event: "warning", message: sentence }),
    fail: (sentence) => log[SENTENCE_EVENTS.failed.level]({ event: "failed", message: sentence }),
    refuse: (problem) => log[SENTENCE_EVENTS.refused.level]({ event: "refused", message: problem }),
    advise: () => undefined,
    close: () => undefined,
  };
}

/** Synchronous, so that a killed process loses no line. */
function openStandardError(): DestinationStream {
  return destination({ dest: 2, sync: true });
}
