import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Service } from "../../src/model/service/catalogue.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import type { Message } from "../../src/notify/rules/change.ts";
import type { OpenChannel } from "../../src/notify/services/send-to-channel.ts";
import { createServiceSource } from "../../src/notify/services/service-source.ts";
import { createStateReader, type StateAudience } from "../../src/notify/state-audience.ts";
import {
  createVisitorSource,
  toVisitorOutboxes,
} from "../../src/notify/visitors/visitor-source.ts";
import { loadState, saveState } from "../../src/state/state-file.ts";
import { T0 } from "../model/samples.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { bodyOf, createVisitorHarness, visitorsIn } from "../visitors/visitor-harness.ts";
import { type FakeReceivers, nameOf, startReceivers, TELEGRAM_TOKEN } from "./fake-receivers.ts";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";

let receivers: FakeReceivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers.close());
beforeEach(() => {
  receivers.reset();
  Object.assign(receivers.world, { updated: T0 / 1_000, codes: new Map([["vk", "fail"]]) });
});

const notice = { subject: "vk", before: "ok", after: "fail", sinceMs: T0, atMs: T0, changes: 1 };
const MESSAGE: Message = { id: "vk.1", kind: "changed", notices: [notice], atMs: T0 };

/** Channels of the operator, and the names that the catalogue has in English. */
async function openServices(channels: readonly OpenChannel[], names: Record<string, string> = {}) {
  const stop = new AbortController();
  const services = Object.entries(names).map(
    ([slug, name]) => [slug, { slug, name: `${slug} ru`, nameEn: name } as Service] as const,
  );
  const source = createServiceSource({
    websiteUrl: `${receivers.url}/site`,
    channels,
    services: new Map(services),
    emit: () => undefined,
    probe: LOOPBACK_PROBE,
    signal: stop.signal,
    env: {},
    killGroup: () => undefined,
    wallMs: () => T0,
  });
  const [outbox] = await source.read([{ channels: new Map() }]);
  return { outbox, stop };
}

const hookIn = (language: "ru" | "en"): OpenChannel => ({
  channel: {
    id: "hook",
    kind: "webhook",
    language,
    slugs: undefined,
    url: `${receivers.url}/hook`,
    secret: { env: "X" },
  },
  secret: `whsec_${Buffer.alloc(24, 7).toString("base64")}`,
});

test.each([
  ["ru", "vk", nameOf("vk")],
  ["en", "vk", "VK in English"],
  ["ru", "gone", "gone ru"],
  ["en", "gone", "Gone in English"],
  ["en", "unknown", "unknown"],
] as const)("in %s the service %s is called %s", async (language, subject, name) => {
  const names = { vk: "VK in English", gone: "Gone in English" };
  const { outbox } = await openServices([hookIn(language)], names);
  await outbox.send("hook", { ...MESSAGE, notices: [{ ...notice, subject }] });
  const { data } = JSON.parse(receivers.world.hooks[0]?.body ?? "");
  expect(data.services).toMatchObject([{ slug: subject, name }]);
});

test("a stop ends the wait between two messages to one chat", async () => {
  const chat: OpenChannel = {
    channel: {
      id: "chat",
      kind: "telegram",
      language: "ru",
      slugs: undefined,
      chat: "@status_ru",
      token: { env: "X" },
      base: `${receivers.url}/telegram`,
    },
    secret: TELEGRAM_TOKEN,
  };
  const { outbox, stop } = await openServices([chat]);
  expect(await outbox.send("chat", MESSAGE)).toMatchObject({ kind: "delivered" });
  const waiting = outbox.send("chat", { ...MESSAGE, id: "vk.2" });
  stop.abort();
  expect(await waiting).toMatchObject({ kind: "failed" });
  expect(receivers.world.telegram.get("@status_ru")).toHaveLength(1);
});

test("a state is read again only if it has changed, a missing one each time", async () => {
  const store = createMemoryStore();
  let reads = 0;
  const counting: ObjectStore = {
    ...store,
    read: (...read) => {
      reads += 1;
      return store.read(...read);
    },
  };
  const read = createStateReader(counting);
  const urlOf = async () => [(await read()).baseUrl, reads];
  expect([await urlOf(), await urlOf()]).toEqual([
    [null, 1],
    [null, 2],
  ]);
  await saveState(store, { ...EMPTY_STATE, baseUrl: "https://a.example" }, undefined);
  expect([await urlOf(), await urlOf()]).toEqual([
    ["https://a.example", 3],
    ["https://a.example", 3],
  ]);
  const { etag } = await loadState(store);
  await saveState(store, { ...EMPTY_STATE, baseUrl: "https://b.example" }, etag);
  expect(await urlOf()).toEqual(["https://b.example", 4]);
});

/** What has browsers of visitors, of an intake that keeps them in the same store. */
function openVisitors() {
  const { ask, store } = createVisitorHarness();
  const events: unknown[] = [];
  const written: string[] = [];
  const faults: string[] = [];
  const stateStore: ObjectStore = {
    ...store,
    write: async (key, ...more) => {
      written.push(key);
      return faults.pop() === undefined ? store.write(key, ...more) : { kind: "conflict" };
    },
  };
  const source = createVisitorSource({
    stateStore,
    readState: async () => EMPTY_STATE,
    push: {} as StateAudience["push"],
    probe: LOOPBACK_PROBE,
    services: new Map(),
    wallMs: () => T0,
    stop: new AbortController().signal,
    emit: (event) => events.push(event),
    warn: () => undefined,
  });
  return { ask, store, events, written, faults, source };
}

test("a browser that has gone is erased once, also if another writer was faster", async () => {
  const { ask, store, events, written, faults, source } = openVisitors();
  const { id } = (await ask("POST", "/push", { body: bodyOf("a") })).body;
  faults.push("another was faster");
  await source.stopChannels?.([id]);
  expect([written.length, (await visitorsIn(store)).size]).toEqual([2, 0]);
  expect(events).toEqual([{ event: "subscriptions-ended", count: 1 }]);
  await source.stopChannels?.([id]);
  expect(written).toHaveLength(2);
});

test("before its first run a runner has nothing to tell, and counts as stopped", () => {
  const sending = { push: {}, probe: LOOPBACK_PROBE, contact: "", baseUrl: "" };
  const outboxes = toVisitorOutboxes(EMPTY_STATE, [], T0, {
    ...sending,
    push: {} as StateAudience["push"],
    signal: new AbortController().signal,
    nameOf: (slug) => slug,
  });
  expect(outboxes[0]).toMatchObject({ changes: [], lastRunMs: 0, isPaused: true });
});
