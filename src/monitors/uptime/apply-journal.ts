import type {
  MonitorChange,
  MonitorRecord,
  PendingChanges,
  UptimeShard,
} from "../../model/monitor/uptime.ts";
import { pruneRecord, recordVerdict } from "./record.ts";
import { responseHourOf } from "./response-hours.ts";
import { shardOf } from "../../model/monitor/shard.ts";

type Changes = readonly (readonly [id: string, change: MonitorChange])[];

/** Cached, so that 64 shards do not hash every id 64 times. Changes are immutable. */
const grouped = new WeakMap<PendingChanges, ReadonlyMap<number, Changes>>();

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
  const changes = (groupByShard(pending).get(shardNumber) ?? []).filter(
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

function groupByShard(pending: PendingChanges): ReadonlyMap<number, Changes> {
  const before = grouped.get(pending);
  if (before !== undefined) return before;
  const groups = new Map<number, (readonly [string, MonitorChange])[]>();
  for (const entry of pending.changes) {
    const shardNumber = shardOf(entry[0]);
    const group = groups.get(shardNumber);
    if (group === undefined) groups.set(shardNumber, [entry]);
    else group.push(entry);
  }
  grouped.set(pending, groups);
  return groups;
}
