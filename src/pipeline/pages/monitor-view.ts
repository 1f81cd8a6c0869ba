import type { MonitorSubject } from "./monitor-outputs.ts";
import { DAY_MS } from "../../model/time.ts";
import type { MonitorRecord } from "../../model/monitor/uptime.ts";
import type { MonitorView, OutageView } from "../../site/view.ts";
import { shownCondition } from "../../monitors/uptime/record.ts";
import { DAYS_KEPT, HOURS_KEPT } from "../../monitors/uptime/time-slots.ts";
import { uptimeDaysOf, responseOf } from "../../monitors/uptime/uptime-days.ts";

/** What the page of a public monitor shows. Pure. */
export function viewMonitor({
  monitor: { id, name, url, ownedSinceMs },
  counts,
  record,
  clock,
  nowMs,
}: MonitorSubject): MonitorView {
  const isYoung = nowMs < (ownedSinceMs ?? Number.NEGATIVE_INFINITY) + NOT_INDEXED_MS;
  const owner = ownedSinceMs === undefined ? {} : { owner: { isYoung } };
  const about = { id, name, url, uptimes: counts, ...owner };
  if (record === undefined) return { ...about, ...NOTHING };
  const shown = shownCondition(record);
  return {
    ...about,
    ...shown,
    outages: viewFailures({ ...record, state: shown.condition }),
    days: uptimeDaysOf(record, clock, nowMs),
    responseMs: responseOf(record, nowMs),
  };
}

/** Search engines do not get a page that its owner has just added. Source: docs/monitors/owners.md, "Abuse". */
const NOT_INDEXED_MS = 30 * DAY_MS;

const NOTHING: Pick<MonitorView, "condition" | "sinceMs" | "outages" | "days" | "responseMs"> = {
  condition: "unknown",
  sinceMs: null,
  outages: [],
  days: Array.from({ length: DAYS_KEPT }, () => null),
  responseMs: Array.from({ length: HOURS_KEPT }, () => null),
};

/** The last failures, newest first. The one that lasts is not in the list of the record. */
export function viewFailures({
  state,
  sinceMs,
  code,
  failures = [],
}: MonitorRecord): readonly OutageView[] {
  const ofOneAddress = { failing: 1, counted: 1 };
  const ended = failures.map((failure) => ({ ...failure, ...ofOneAddress })).toReversed();
  if (state !== "failing" || code === undefined) return ended;
  return [{ sinceMs, endedAtMs: null, code, ...ofOneAddress }, ...ended];
}
