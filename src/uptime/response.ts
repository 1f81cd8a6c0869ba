import { levelOf } from "../model/response-level.ts";
import { HOUR_MS } from "../model/time.ts";
import { type MonitorRecord, type MonitorResponse, SLOT_MS } from "../model/uptime.ts";
import { shardOf } from "./shard.ts";

/** Hours of which response times are remembered, the one under way among them. */
export const HOURS_KEPT = 24;

/** Slots of an hour. */
const SLOTS_PER_HOUR: number = HOUR_MS / SLOT_MS;

/** An hour without a response time. */
const NONE = ".";

/**
 * The hour to which a check in a slot belongs, where its response time is to be remembered. For the monitors of a shard an hour
 * begins at a slot of their own: so each run has a twelfth of the shards to write, and no more, while the first healthy check of
 * each hour is remembered however seldom runs come.
 */
export function responseHourOf(shardNumber: number, slot: number): number {
  return Math.floor((slot - (shardNumber % SLOTS_PER_HOUR)) / SLOTS_PER_HOUR);
}

/** The hour of the clock of a slot. */
export function hourOfSlot(slot: number): number {
  return Math.floor(slot / SLOTS_PER_HOUR);
}

/** Whether the response time of a healthy check in that slot is to be remembered: that of no other one of its hour was. */
export function isResponseDue(
  id: string,
  record: MonitorRecord | undefined,
  slot: number,
): boolean {
  // Another hour, not a later one: hours to come are those of a clock that was wrong.
  return record?.response?.hour !== responseHourOf(shardOf(id), slot);
}

/** The response times with that of one more hour. The first one of an hour stays. */
export function addResponse(
  known: MonitorResponse | undefined,
  hour: number,
  totalMs: number,
): MonitorResponse {
  const level = levelOf(totalMs);
  if (known === undefined || known.hour > hour) return { hour, levels: level };
  if (known.hour === hour) return known;
  // A gap may be of years.
  const gap = NONE.repeat(Math.min(HOURS_KEPT, hour - known.hour - 1));
  return { hour, levels: keepLast(known.levels + gap + level, HOURS_KEPT) };
}

/** What is left of response times in the hour of a slot; the same ones where that is all, undefined where nothing is. */
export function pruneResponse(known: MonitorResponse, slot: number): MonitorResponse | undefined {
  const { hour, levels } = known;
  const kept = HOURS_KEPT - Math.max(0, hourOfSlot(slot) - hour);
  if (levels.length <= kept) return known;
  return kept <= 0 ? undefined : { hour, levels: keepLast(levels, kept) };
}

/** Begins with a level, as the last one is a level. */
function keepLast(levels: string, count: number): string {
  return levels.slice(-count).replace(/^\.+/u, "");
}
