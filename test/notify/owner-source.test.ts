import { expect, test } from "vitest";
import type { RunEvent } from "../../src/model/run-event.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { createOwnerSource } from "../../src/notify/owners/owner-source.ts";
import { NEW_CHANNEL } from "../../src/notify/rules/channel-ledger.ts";
import { createPushClient } from "../../src/notify/channels/push.ts";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { openEdits } from "../../src/state/inbox.ts";
import { T0 } from "../model/samples.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";

const signal = new AbortController().signal;
const push = createPushClient(pushKeysOf(await makePushKey()), { probe: LOOPBACK_PROBE, signal });

function openSource() {
  const events: RunEvent[] = [];
  const stateStore = createMemoryStore();
  const source = createOwnerSource({
    stateStore,
    readState: async () => EMPTY_STATE,
    push,
    probe: LOOPBACK_PROBE,
    wallMs: () => T0,
    stop: signal,
    emit: (event) => void events.push(event),
  });
  return { source, stateStore, events };
}

test("owners have one ledger, and 64 messages at once", async () => {
  const { source } = openSource();
  expect([source.ledgerKeys, source.concurrency]).toEqual([["owners.json.gz"], 64]);
  const ledger = { cursor: 1, channels: new Map([["shop/c", NEW_CHANNEL]]) };
  const outboxes = await source.read([ledger]);
  expect(outboxes).toMatchObject([{ next: EMPTY_STATE.owners.changes.next, changes: [] }]);
});

test("channels that have gone are stopped by an edit, the log names their monitors", async () => {
  const { source, stateStore, events } = openSource();
  await source.stopChannels?.([`shop/${"c".repeat(22)}`, `bank/${"d".repeat(22)}`]);
  const { items } = await (await openEdits(stateStore, () => undefined)).take(new Map());
  expect(items).toMatchObject([
    { kind: "channel-stopped", id: "shop", channelId: "c".repeat(22), atMs: T0 },
    { kind: "channel-stopped", id: "bank", channelId: "d".repeat(22), atMs: T0 },
  ]);
  source.onFailed("shop/c", "it answers 500", 3);
  expect(events).toEqual([
    { event: "channel-stopped", monitor: "shop" },
    { event: "channel-stopped", monitor: "bank" },
    { event: "notice-failed", monitor: "shop", reason: "it answers 500", tries: 3 },
  ]);
});
