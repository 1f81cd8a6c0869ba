import { shownCondition } from "../monitors/uptime/record.ts";
import type { UptimeWindow } from "../model/monitor/monitor.ts";
import type { State } from "../model/state.ts";
import type { ObjectStore } from "../model/store.ts";
import type { CheckedCondition } from "../monitors/owner-api/owner-record.ts";
import { uptimeOf } from "../monitors/uptime/availability.ts";
import { shardOf } from "../model/monitor/shard.ts";
import { loadShards, recordsIn, withChanges } from "../state/monitor-shards.ts";

/**
 * What the checks of a monitor say as of a state; undefined if it was never checked. Reads one shard. Throws `StateError`,
 * `StoreError`.
 */
export async function readCondition(
  store: ObjectStore,
  { monitors: { clock, pending } }: State,
  id: string,
): Promise<CheckedCondition | undefined> {
  const { shards } = await loadShards(store, [shardOf(id)]);
  const record = recordsIn(withChanges(shards, pending))(id);
  if (record === undefined) return undefined;
  const { sinceMs, code, warning } = record;
  const state = shownCondition(record);
  const nowMs = Date.now();
  const count = (window: UptimeWindow) => uptimeOf(record, clock, window, nowMs);
  const isWrong = state === "failing" || state === "refused";
  return {
    condition: state,
    sinceMs: state === "unknown" ? null : sinceMs,
    ...(isWrong && code !== undefined ? { code } : {}),
    ...(warning === undefined ? {} : { warning }),
    counts: { "24h": count("24h"), "7d": count("7d"), "30d": count("30d"), "90d": count("90d") },
  };
}
