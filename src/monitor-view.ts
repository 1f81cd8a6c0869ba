import type { MonitorSubject } from "./monitor-parts.ts";
import type { MonitorView } from "./site/view.ts";
import { HOURS_KEPT } from "./uptime/response.ts";
import { DAYS_KEPT } from "./uptime/slots.ts";
import { daysOf, responseOf } from "./uptime/view.ts";

/** What the page of a public monitor shows. Pure. */
export function viewMonitor({
  monitor: { id, name, url },
  counts,
  record,
  clock,
  nowMs,
}: MonitorSubject): MonitorView {
  const about = { id, name, url, uptimes: counts };
  if (record === undefined) return { ...about, ...NOTHING };
  const { state, sinceMs, code, warning } = record;
  const isWrong = state === "failing" || state === "refused";
  return {
    ...about,
    condition: state,
    sinceMs: state === "unknown" ? null : sinceMs,
    // What an earlier failure was is no news of a monitor that is healthy.
    ...(isWrong && code !== undefined ? { code } : {}),
    ...(warning === undefined ? {} : { warning }),
    days: daysOf(record, clock, nowMs),
    responseMs: responseOf(record, nowMs),
  };
}

const NOTHING: Pick<MonitorView, "condition" | "sinceMs" | "days" | "responseMs"> = {
  condition: "unknown",
  sinceMs: null,
  days: Array.from({ length: DAYS_KEPT }, () => null),
  responseMs: Array.from({ length: HOURS_KEPT }, () => null),
};
