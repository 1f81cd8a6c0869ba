import { CHECK_CLASSES, type History, type ServiceHistory } from "../../model/service/history.ts";
import type { UptimeCount, UptimeWindow } from "../../model/monitor/monitor.ts";
import { HOUR_MS, toUtcDay } from "../../model/time.ts";
import { classOfChar } from "./sample-codes.ts";
import { uptimesOf } from "./service-chart-series.ts";

/** The beginning of the clock hour of a time. */
export function hourOf(nowMs: number): number {
  return nowMs - (nowMs % HOUR_MS);
}

/**
 * The uptimes of `uptimesOf` without the runs since the beginning of the hour, so that they change only with the hour. An hour never
 * spans two UTC days.
 */
export function hourlyUptimesOf(
  record: Pick<ServiceHistory, "strip" | "days"> | undefined,
  runs: History["runs"],
  nowMs: number,
): Readonly<Record<UptimeWindow, UptimeCount>> {
  const hourMs = hourOf(nowMs);
  const { strip, days } = record ?? { strip: "", days: [] };
  const first = runs.findLastIndex(({ atMs }) => atMs < hourMs) + 1;
  const later = CHECK_CLASSES.map(() => 0);
  for (const char of strip.slice(first)) {
    const checkClass = classOfChar(char);
    if (checkClass === undefined) continue;
    const rank = CHECK_CLASSES.indexOf(checkClass);
    later[rank] = (later[rank] ?? 0) + 1;
  }
  const earlier = days.map(({ day, counts }) => ({
    day,
    counts:
      day === toUtcDay(hourMs) ? counts.map((count, rank) => count - (later[rank] ?? 0)) : counts,
  }));
  return uptimesOf({ strip: strip.slice(0, first), days: earlier }, runs.slice(0, first), hourMs);
}
