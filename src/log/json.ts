import { destination, type DestinationStream, pino } from "pino";
import type { RunEvent } from "../model/event.ts";
import type { Log } from "./log.ts";

/** One JSON line per event, as log collectors take it. On standard error, unless it is to go elsewhere. */
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
    emit: (event) => log[levelOf(event)](event),
    warn: (sentence) => log.warn({ event: "warning", message: sentence }),
    fail: (sentence) => log.error({ event: "failed", message: sentence }),
    refuse: (problem) => log.error({ event: "refused", message: problem }),
    close: () => undefined,
  };
}

/** Written at once: a line that is still in a buffer when the process is killed explains nothing. */
function openStandardError(): DestinationStream {
  return destination({ dest: 2, sync: true });
}

function levelOf(event: RunEvent): "info" | "warn" | "error" {
  switch (event.event) {
    case "run-offline":
      return "error";
    case "clock-behind":
    case "clock-off":
    case "already-folded":
    case "deadline-reached":
    case "failures-held":
    case "removals-held-back":
    case "inbox-damaged":
    case "reports-waiting":
    case "inbox-not-cleared":
    case "catalogue-kept":
    case "overlay-unused":
    case "monitors-held-back":
    case "monitors-already-counted":
    case "monitors-disturbed":
    case "monitors-newly-refused":
    case "monitors-mixed-addresses":
    case "resolver-not-trusted":
    case "run-stopped":
    case "site-without-address":
      return "warn";
    default:
      return "info";
  }
}
