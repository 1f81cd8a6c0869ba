import { type CheckResult, countRefusal } from "../../model/monitor/monitor.ts";
import type {
  MonitorChange,
  MonitorClock,
  MonitorRecord,
  PendingChanges,
  UptimeShard,
} from "../../model/monitor/uptime.ts";
import { changesByShard } from "../../model/monitor/shard.ts";
import { HISTORY_DAYS } from "../../model/time.ts";
import { wasHealthy } from "./availability.ts";
import { continuedRecord, pruneRecord, recordVerdict } from "./record.ts";
import { dayOfSlot, isResponseDue, responseHourOf, SLOTS_PER_DAY, toSlot } from "./time-slots.ts";

export interface MonitorRun {
  /** Number of the journal that will carry the changes. */
  readonly sequence: number;
  readonly atMs: number;
  /** Of every monitor in the registry: one that has a record and is in neither list would count as healthy. */
  readonly verdicts: ReadonlyMap<string, CheckResult>;
  /** Monitors with a page: their response times are stored. */
  readonly publicIds: ReadonlySet<string>;
  /** Monitors that left the registry. One that is in both lists is removed. */
  readonly removedIds: readonly string[];
}

/** Counts a run, unless its slot or a later one was counted. `recordOf` must include the last journal. Source: docs/monitors/uptime.md. */
export function planRun(
  clock: MonitorClock,
  recordOf: (id: string) => MonitorRecord | undefined,
  { sequence, atMs, verdicts, publicIds, removedIds }: MonitorRun,
): { readonly clock: MonitorClock; readonly pending: PendingChanges } | "already-counted" {
  const slot = toSlot(atMs);
  if (slot <= clock.lastSlot) return "already-counted";
  const run = clock.runs + 1;
  const changes = new Map<string, MonitorChange>();
  for (const [id, seen] of verdicts) {
    // A record of another sequence of runs is useless: the monitor gets a new one.
    const record = continuedRecord(recordOf(id), run);
    const verdict = countRefusal(seen, seen.kind === "refused" && wasHealthy(record, clock, atMs));
    const isDue =
      verdict.kind === "healthy" && publicIds.has(id) && isResponseDue(id, record, slot);
    const told = isDue ? verdict : withoutTime(verdict);
    if (isChange(record, told)) changes.set(id, told);
  }
  for (const id of removedIds) {
    if (recordOf(id) === undefined) changes.delete(id);
    else changes.set(id, { kind: "gone" });
  }
  return { clock: advance(clock, slot), pending: { sequence, run, slot, atMs, changes } };
}

/** The journal of an edit that removes monitors and counts no run. */
export function planRemovals(
  clock: MonitorClock,
  sequence: number,
  atMs: number,
  removedIds: readonly string[],
): PendingChanges {
  const changes = new Map(removedIds.map((id) => [id, { kind: "gone" }] as const));
  return { sequence, run: clock.runs, slot: clock.lastSlot, atMs, changes };
}

function withoutTime(verdict: CheckResult): CheckResult {
  if (verdict.kind !== "healthy") return verdict;
  const { totalMs: _, ...others } = verdict;
  return others;
}

function isChange(record: MonitorRecord | undefined, verdict: CheckResult): boolean {
  if (record?.state !== "healthy" || verdict.kind !== "healthy") return true;
  return verdict.totalMs !== undefined || verdict.warning !== record.warning;
}

function advance({ runs, days, recentSlots }: MonitorClock, slot: number): MonitorClock {
  const run = runs + 1;
  const day = dayOfSlot(slot);
  const keptDays = days.filter(([past]) => past > day - HISTORY_DAYS);
  const isNewDay = keptDays.at(-1)?.[0] !== day;
  return {
    runs: run,
    lastSlot: slot,
    days: isNewDay ? [...keptDays, [day, run]] : keptDays,
    recentSlots: [...recentSlots.filter((past) => past > slot - SLOTS_PER_DAY), slot],
  };
}

/**
 * The shard after the changes of its monitors; the same object if they were already applied or none concerns it, so undefined only
 * without a shard and without changes for it. A shard that loses its last monitor stays, empty: it has to remember that the journal
 * was applied, or a late writer with an older journal could restore the monitor. Data outside of all windows is removed only when
 * the shard changes anyway.
 */
export function applyPending(
  shardNumber: number,
  shard: UptimeShard | undefined,
  pending: PendingChanges,
): UptimeShard | undefined {
  if (shard !== undefined && shard.sequence >= pending.sequence) return shard;
  const known = shard?.records ?? new Map<string, MonitorRecord>();
  const changes = [...(changesByShard(pending.changes).get(shardNumber) ?? [])].filter(
    ([id, { kind }]) => kind !== "gone" || known.has(id),
  );
  if (changes.length === 0) return shard;
  const records = new Map(known);
  const point = { ...pending, responseHour: responseHourOf(shardNumber, pending.slot) };
  for (const [id, change] of changes) {
    if (change.kind === "gone") records.delete(id);
    else records.set(id, recordVerdict(known.get(id), change, point));
  }
  for (const [id, record] of records) {
    const pruned = pruneRecord(record, pending);
    if (pruned !== record) records.set(id, pruned);
  }
  return { sequence: pending.sequence, records };
}
