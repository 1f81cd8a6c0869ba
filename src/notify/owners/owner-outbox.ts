import type { OwnerChange } from "../../model/monitor/owner-channel.ts";
import { shardOf } from "../../model/monitor/shard.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import { SLOT_MS } from "../../model/monitor/uptime.ts";
import { channelsOf } from "../../monitors/ownership/apply-edit.ts";
import { isChecked } from "../../monitors/ownership/owner-phase.ts";
import { loadShards, OWNERS, withJournal } from "../../state/shards.ts";
import { type Outbox, sendBy } from "../deliver.ts";
import type { Ledger } from "../ledger.ts";
import type { Change } from "../rules/change.ts";
import { type ChannelOfOwner, type OwnerSendDependencies, sendToOwner } from "./send-to-owner.ts";

/** The key of a channel in the ledger. */
function channelKeyOf(monitorId: string, channelId: string): string {
  return `${monitorId}/${channelId}`;
}

/** The monitor and the channel in a key. */
export function idsIn(key: string): { readonly monitorId: string; readonly channelId: string } {
  const [monitorId = "", channelId = ""] = key.split("/");
  return { monitorId, channelId };
}

/**
 * The outbox of a state. Reads only the records that a change or the ledger names. Throws `StateError`, `StoreError`.
 */
export async function readOwnerOutbox(
  store: ObjectStore,
  { monitors, owners }: Pick<State, "monitors" | "owners">,
  ledger: Ledger,
  deps: OwnerSendDependencies,
): Promise<Outbox> {
  const { next, recent } = owners.changes;
  const fresh = recent.filter(({ seq }) => seq >= (ledger.cursor ?? 0));
  const known = [...ledger.channels.keys()].map((key) => idsIn(key).monitorId);
  const ids = new Set([...fresh.map(({ id }) => id), ...known]);
  const channels = await readChannels(store, owners, ids, deps.wallMs());
  const bySeq = new Map(fresh.map((change) => [change.seq, change]));
  const keysOf = new Map<string, string[]>();
  for (const [key, { owned }] of channels)
    keysOf.set(owned.monitor.id, [...(keysOf.get(owned.monitor.id) ?? []), key]);
  return {
    next,
    changes: recent.map(toChange),
    lastRunMs: monitors.clock.lastSlot * SLOT_MS,
    channelsFor: ({ seq }) => {
      const change = bySeq.get(seq);
      if (change === undefined) return [];
      const keys = keysOf.get(change.id) ?? [];
      if (change.kind !== "added") return keys;
      return keys.filter((key) => idsIn(key).channelId === change.channelId);
    },
    subjectsOf: (key) => (channels.has(key) ? 1 : undefined),
    send: sendBy(channels, (channel, message) => sendToOwner(channel, message, deps)),
  };
}

function toChange(change: OwnerChange): Change {
  const { seq, id: subject, atMs } = change;
  if (change.kind === "added") return { seq, subject, atMs, kind: "added" };
  const { before, sinceMs, after, code } = change;
  const why = code === undefined ? {} : { code };
  return { seq, subject, atMs, kind: "changed", before, sinceMs, after, ...why };
}

/** The channels of these monitors that something may be sent to. */
async function readChannels(
  store: ObjectStore,
  { pending }: State["owners"],
  ids: ReadonlySet<string>,
  nowMs: number,
): Promise<ReadonlyMap<string, ChannelOfOwner>> {
  const numbers = new Set([...ids].map(shardOf));
  const { shards } = await loadShards(OWNERS, store, numbers);
  const current = withJournal(OWNERS, shards, pending);
  const found = new Map<string, ChannelOfOwner>();
  for (const id of ids) {
    const owned = current.get(shardOf(id))?.owned.get(id);
    if (owned === undefined || !isChecked(owned, nowMs)) continue;
    for (const channel of channelsOf(owned))
      if (channel.stoppedAtMs === undefined)
        found.set(channelKeyOf(id, channel.id), { owned, channel });
  }
  return found;
}
