import type { MonitorRecord, PendingChanges, UptimeShard } from "../../model/monitor/uptime.ts";
import { pruneRecord, recordVerdict } from "./record.ts";
import { responseHourOf } from "./response-hours.ts";
import { changesByShard } from "../../model/monitor/shard.ts";

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
