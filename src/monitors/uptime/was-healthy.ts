import { isRefusal } from "../../model/probe-outcome.ts";
import type { MonitorClock, MonitorRecord } from "../../model/monitor/uptime.ts";
import { uptimeOf } from "./availability.ts";

/**
 * Whether a monitor was ever healthy, as far as its record remembers: in the last 90 UTC days including that of `nowMs`, or before
 * that if refusals have counted as failing since. Other failures are not remembered for longer. Source: docs/monitors/uptime.md,
 * "Refusals".
 */
export function wasHealthy(
  record: MonitorRecord | undefined,
  clock: MonitorClock,
  nowMs: number,
): boolean {
  if (record === undefined) return false;
  const { state, code } = record;
  if (state === "healthy") return true;
  // A refusal of a monitor that was never healthy has a condition of its own.
  if (state === "failing" && code !== undefined && isRefusal(code)) return true;
  return uptimeOf(record, clock, "90d", nowMs).healthy > 0;
}
