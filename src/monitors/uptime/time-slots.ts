import { shardOf } from "../../model/monitor/shard.ts";
import { type MonitorRecord, type MonitorResponse, SLOT_MS } from "../../model/monitor/uptime.ts";
import { levelOf } from "../../model/response-level.ts";
import { DAY_MS, HOUR_MS } from "../../model/time.ts";

/** Slots of a UTC day; also the most runs in 24 hours, because each run has a slot of its own. */
export const SLOTS_PER_DAY: number = DAY_MS / SLOT_MS;

/** The slot of a time, counted from the Unix epoch. */
export function toSlot(atMs: number): number {
  return Math.floor(atMs / SLOT_MS);
}

/** The UTC day of a slot. Exact, because no slot spans two days. */
export function dayOfSlot(slot: number): number {
  return Math.floor(slot / SLOTS_PER_DAY);
}

/** Number of hours with stored response times, including the current one. */
export const HOURS_KEPT = 24;

const SLOTS_PER_HOUR: number = HOUR_MS / SLOT_MS;

/** An hour without a response time. */
const NONE = ".";

/** The hour for a response time. It begins at another slot for each shard, so that a run writes a twelfth of the shards. */
export function responseHourOf(shardNumber: number, slot: number): number {
  return Math.floor((slot - (shardNumber % SLOTS_PER_HOUR)) / SLOTS_PER_HOUR);
}

/** The clock hour of a slot. */
export function hourOfSlot(slot: number): number {
  return Math.floor(slot / SLOTS_PER_HOUR);
}

/** Whether the response time of a healthy check in that slot is to be stored: no other one of its hour was. */
export function isResponseDue(id: string, record: MonitorRecord | undefined, slot: number) {
  // Also an earlier hour than the stored one, which then came from a wrong clock.
  return record?.response?.hour !== responseHourOf(shardOf(id), slot);
}

/** The response times with one more hour. The first one of an hour stays. */
export function addResponse(known: MonitorResponse | undefined, hour: number, totalMs: number) {
  const level = levelOf(totalMs);
  if (known === undefined || known.hour > hour) return { hour, levels: level };
  if (known.hour === hour) return known;
  // A gap may be years long.
  const gap = NONE.repeat(Math.min(HOURS_KEPT, hour - known.hour - 1));
  return { hour, levels: keepLast(known.levels + gap + level, HOURS_KEPT) };
}

/** The response times that remain in the hour of a slot; the same object if all remain, undefined if none does. */
export function pruneResponse(known: MonitorResponse, slot: number): MonitorResponse | undefined {
  const { hour, levels } = known;
  const kept = HOURS_KEPT - Math.max(0, hourOfSlot(slot) - hour);
  if (levels.length <= kept) return known;
  return kept <= 0 ? undefined : { hour, levels: keepLast(levels, kept) };
}

/** The first value is absolute, because the last stored one is. */
function keepLast(levels: string, count: number): string {
  return levels.slice(-count).replace(/^\.+/u, "");
}
