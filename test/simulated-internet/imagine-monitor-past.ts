import { levelOf } from "../../src/model/response-level.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { HISTORY_DAYS, MINUTE_MS } from "../../src/model/time.ts";
import {
  type MonitorClock,
  type MonitorFailure,
  type MonitorRecord,
  SLOT_MS,
  type UptimeShard,
} from "../../src/model/monitor/uptime.ts";
import {
  dayOfSlot,
  hourOfSlot,
  HOURS_KEPT,
  SLOTS_PER_DAY,
} from "../../src/monitors/uptime/time-slots.ts";
import { shardKey, shardOf } from "../../src/model/monitor/shard.ts";
import { encodeShard } from "../../src/state/codec/monitor-shard.ts";
import { loadShards, UPTIMES } from "../../src/state/shards.ts";

/** Days ago, length and cause of the failures. */
const FAILURES = [
  { daysAgo: 71, minutes: 130, code: "tls-timeout" },
  { daysAgo: 38, minutes: 10, code: "http-server-error" },
  { daysAgo: 12, minutes: 25, code: "tcp-timeout" },
] as const;

/** A run in each slot of ninety days, up to the last one of this clock. */
export function imagineClock({ lastSlot }: MonitorClock): MonitorClock {
  const firstSlot = (dayOfSlot(lastSlot) - HISTORY_DAYS + 1) * SLOTS_PER_DAY;
  return {
    runs: lastSlot - firstSlot + 1,
    lastSlot,
    days: Array.from({ length: HISTORY_DAYS }, (_, at) => [
      dayOfSlot(firstSlot) + at,
      1 + at * SLOTS_PER_DAY,
    ]),
    recentSlots: Array.from(
      { length: SLOTS_PER_DAY },
      (_, at) => lastSlot - SLOTS_PER_DAY + 1 + at,
    ),
  };
}

/** Gives a healthy monitor ninety days of this clock, with some failures. */
export async function writeMonitorPast(
  store: ObjectStore,
  id: string,
  clock: MonitorClock,
): Promise<void> {
  const number = shardOf(id);
  const shard: UptimeShard | undefined = (await loadShards(UPTIMES, store, [number])).shards.get(
    number,
  );
  if (shard === undefined) throw new Error(`no checks of ${id}`);
  const records = new Map(shard.records).set(id, imagineRecord(clock));
  await store.write(shardKey(number), {
    body: encodeShard({ ...shard, records }),
    contentType: "application/gzip",
    cacheControl: "no-store",
  });
}

function imagineRecord({ lastSlot }: MonitorClock): MonitorRecord {
  const today = dayOfSlot(lastSlot);
  const failures = FAILURES.map(({ daysAgo, minutes, code }): MonitorFailure => {
    const sinceMs = ((today - daysAgo) * SLOTS_PER_DAY + 110) * SLOT_MS;
    return { sinceMs, endedAtMs: sinceMs + minutes * MINUTE_MS, code };
  });
  return {
    firstRun: 1,
    days: FAILURES.map(({ daysAgo, minutes }) => {
      return { day: today - daysAgo, failed: (minutes * MINUTE_MS) / SLOT_MS, skipped: 0 };
    }),
    marks: "",
    marksEnd: 0,
    state: "healthy",
    sinceMs: failures.at(-1)?.endedAtMs ?? 0,
    code: FAILURES[2].code,
    failures,
    response: {
      hour: hourOfSlot(lastSlot),
      levels: Array.from({ length: HOURS_KEPT }, (_, at) =>
        levelOf(150 + 60 * Math.sin(at / 3)),
      ).join(""),
    },
  };
}
