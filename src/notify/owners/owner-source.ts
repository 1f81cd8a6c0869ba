import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import type { OwnerChange, OwnerChannel } from "../../model/monitor/owner-channel.ts";
import { shardOf } from "../../model/monitor/shard.ts";
import { SLOT_MS } from "../../model/monitor/uptime.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import { groupBy } from "../../model/lists.ts";
import { SECOND_MS, toUnixSeconds } from "../../model/time.ts";
import { channelsOf } from "../../monitors/ownership/apply-edit.ts";
import { isChecked } from "../../monitors/ownership/owner-phase.ts";
import { OWNERS, loadShards, withJournal } from "../../state/shards.ts";
import { createInboxId } from "../../store/inbox-id.ts";
import type { PushNotice } from "../channels/push.ts";
import { sendWebhook, type WebhookMessage } from "../channels/webhook.ts";
import type { Source } from "../deliver.ts";
import { type Outbox, sendBy } from "../outbox.ts";
import type { Ledger } from "../ledger.ts";
import type { Change, Message, Notice, SendResult } from "../rules/change.ts";
import { type NoticeDependencies, sendingOf, type StateAudience } from "../state-audience.ts";
import { writeEdits } from "../../state/inbox.ts";
import { describeAlert } from "../../site/words/alert.ts";

/** Messages at once: most of the time is spent waiting for receivers. */
const CONCURRENCY = 64;

/** Owners of monitors, and what they are told. */
export function createOwnerSource(audience: StateAudience): Source {
  const { stateStore, readState, wallMs, emit } = audience;
  return {
    ledgerKeys: ["owners.json.gz"],
    read: async ([ledger]) => {
      const state = await readState();
      const sending = { ...sendingOf(state, audience), wallMs };
      return [await readOwnerOutbox(stateStore, state, ledger, sending)];
    },
    stopChannels: async (keys) => {
      const atMs = wallMs();
      const edits = keys.map((key) => {
        const { monitorId: id, channelId } = idsIn(key);
        emit({ event: "channel-stopped", monitor: id });
        return { kind: "channel-stopped", id, channelId, atMs } as const;
      });
      await writeEdits(stateStore, createInboxId(atMs), edits);
    },
    onFailed: (key, reason, tries) =>
      emit({ event: "notice-failed", monitor: idsIn(key).monitorId, reason, tries }),
    concurrency: CONCURRENCY,
  };
}

/** The ids in the key of a channel. */
function idsIn(key: string): { readonly monitorId: string; readonly channelId: string } {
  const [monitorId = "", channelId = ""] = key.split("/");
  return { monitorId, channelId };
}

interface ChannelOfOwner {
  readonly owned: OwnedMonitor;
  readonly channel: OwnerChannel;
}

type OwnerSending = NoticeDependencies & Pick<StateAudience, "wallMs">;

/** The outbox of a state. Reads only the records that a change or the ledger names. Throws `StateError`, `StoreError`. */
export async function readOwnerOutbox(
  store: ObjectStore,
  { monitors, owners }: Pick<State, "monitors" | "owners">,
  ledger: Ledger,
  sending: OwnerSending,
): Promise<Outbox> {
  const { next, recent } = owners.changes;
  const fresh = recent.filter(({ seq }) => seq >= (ledger.cursor ?? 0));
  const known = [...ledger.channels.keys()].map((key) => idsIn(key).monitorId);
  const ids = new Set([...fresh.map(({ id }) => id), ...known]);
  const channels = await readChannels(store, owners, ids, sending.wallMs());
  const bySeq = new Map(fresh.map((change) => [change.seq, change]));
  const keysOf = groupBy(channels.keys(), (key) => idsIn(key).monitorId);
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
    send: sendBy(channels, (channel, message) => sendToOwner(channel, message, sending)),
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
  const { shards } = await loadShards(OWNERS, store, new Set([...ids].map(shardOf)));
  const current = withJournal(OWNERS, shards, pending);
  const found = new Map<string, ChannelOfOwner>();
  for (const id of ids) {
    const owned = current.get(shardOf(id))?.owned.get(id);
    if (owned === undefined || !isChecked(owned, nowMs)) continue;
    for (const channel of channelsOf(owned))
      if (channel.stoppedAtMs === undefined) found.set(`${id}/${channel.id}`, { owned, channel });
  }
  return found;
}

/** Sends a message to a channel of an owner, which hears of one monitor. Never rejects. */
function sendToOwner(
  { owned: { monitor }, channel }: ChannelOfOwner,
  message: Message,
  sending: OwnerSending,
): Promise<SendResult> {
  const { baseUrl, push, contact, wallMs } = sending;
  const told = { ...message, monitor, notice: message.notices.at(-1), baseUrl };
  return channel.kind === "webhook"
    ? sendWebhook(channel, toWebhook(told), wallMs(), sending)
    : push.send(channel, toPush(told, channel.language), contact);
}

/** A message, what it says of the one monitor, and where the page of that is. */
interface Told extends Pick<Message, "id" | "kind" | "atMs"> {
  readonly monitor: OwnedMonitor["monitor"];
  readonly notice: Notice | undefined;
  readonly baseUrl: string;
}

/** The message of a webhook. Source of the form: docs/monitors/owners.md, "Alerts". */
function toWebhook(told: Told): WebhookMessage {
  const { monitor, notice, baseUrl } = told;
  const { id, url, name, isPublic } = monitor;
  const page = isPublic && baseUrl !== "" ? { page: `${baseUrl}/m/${id}` } : {};
  return {
    id: told.id,
    payload: {
      type: typeOf(told),
      timestamp: new Date(told.atMs).toISOString(),
      data: { id, url, name, ...page, ...(notice && toData(notice)) },
    },
  };
}

function typeOf({ kind, notice }: Told): string {
  if (kind === "added") return "channel.added";
  return kind === "flapping" ? "monitor.flapping" : `monitor.${notice?.after ?? "healthy"}`;
}

function toData({ before, after, sinceMs, atMs, code, changes }: Notice): object {
  return {
    before,
    state: after,
    at: toUnixSeconds(atMs),
    // Length of the state before.
    beforeSeconds: Math.max(0, Math.round((atMs - sinceMs) / SECOND_MS)),
    ...(code === undefined ? {} : { code }),
    changes,
  };
}

function toPush({ kind, monitor, notice, baseUrl }: Told, language: "ru" | "en"): PushNotice {
  const { id, name, isPublic } = monitor;
  const alert = {
    kind: kind === "digest" ? "changed" : kind,
    name,
    after: notice?.after === "failing" ? "failing" : "healthy",
    beforeMs: notice === undefined ? 0 : notice.atMs - notice.sinceMs,
    changes: notice?.changes ?? 1,
    ...(notice?.code === undefined ? {} : { code: notice.code }),
  } as const;
  const base = language === "en" ? `${baseUrl}/en` : baseUrl;
  const url = isPublic ? `${base}/m/${id}` : `${base}/monitor/`;
  return { ...describeAlert(alert, language), tag: id, url };
}
