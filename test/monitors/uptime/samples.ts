import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import {
  type MonitorChange,
  type MonitorRecord,
  type PendingChanges,
  SLOT_MS,
} from "../../../src/model/monitor/uptime.ts";
import { shardOf } from "../../../src/model/monitor/shard.ts";

/** The first slot of a UTC day. */
export const SLOT0 = 20_833 * 288;

export const HEALTHY: CheckResult = { kind: "healthy" };
export const FAILING: CheckResult = { kind: "failing", code: "tcp-timeout" };
export const REFUSED: CheckResult = { kind: "refused", code: "dns-special-address" };
export const SKIPPED: CheckResult = { kind: "skipped" };
export const GONE: MonitorChange = { kind: "gone" };

export function recordOf(changes: Partial<MonitorRecord> = {}): MonitorRecord {
  return {
    firstRun: 1,
    days: [],
    marks: "",
    marksEnd: 0,
    state: "healthy",
    sinceMs: SLOT0 * SLOT_MS,
    ...changes,
  };
}

/** The journal of run number `run`, where one ran in every slot since the first. */
export function pendingOf(
  run: number,
  changes: Readonly<Record<string, MonitorChange>>,
): PendingChanges {
  const slot = SLOT0 + run - 1;
  return {
    sequence: run,
    run,
    slot,
    atMs: slot * SLOT_MS,
    changes: new Map(Object.entries(changes)),
  };
}

/** Another id in the same shard. */
export function neighbourOf(id: string): string {
  const names = [...Array(1_000).keys()].map((number) => `n${number}`);
  return names.find((name) => shardOf(name) === shardOf(id)) ?? "none";
}
