import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OwnedMonitor } from "../../src/model/monitor/owned-monitor.ts";
import type { OwnerChange, OwnerChannel } from "../../src/model/monitor/owner-channel.ts";
import { type Visitor, VISITOR_KEPT_MS } from "../../src/model/monitor/visitor.ts";
import { SLOT_MS } from "../../src/model/monitor/uptime.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { MINUTE_MS } from "../../src/model/time.ts";
import { readOwnerOutbox } from "../../src/notify/owners/owner-source.ts";
import type { Change, Message, Notice } from "../../src/notify/rules/change.ts";
import { NEW_CHANNEL } from "../../src/notify/rules/channel-ledger.ts";
import { newsOfServices, toServiceNews } from "../../src/notify/services/service-source.ts";
import type { PublicChange } from "../../src/notify/services/website-client.ts";
import { createPushClient } from "../../src/notify/channels/push.ts";
import { toVisitorOutboxes } from "../../src/notify/visitors/visitor-source.ts";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { provedMonitor } from "../model/owned-samples.ts";
import { T0 } from "../model/samples.ts";
import { createSubscriber } from "./decrypt-push.ts";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";

const received: { path: string; body: Buffer }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ path: request.url ?? "", body: Buffer.concat(chunks) });
    response.writeHead(201).end();
  });
});
let url = "";
const SENDING = { probe: LOOPBACK_PROBE, signal: new AbortController().signal };
const push = createPushClient(pushKeysOf(await makePushKey()), SENDING);
const contact = "mailto:a@example.ru";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => void received.splice(0));

const shown = () => JSON.parse(createSubscriber().decrypt(received[0]?.body ?? Buffer.alloc(0)));

const notice = (changes: Partial<Notice> = {}): Notice => ({
  subject: "shop",
  before: "healthy",
  after: "failing",
  sinceMs: T0 - 3_600_400,
  atMs: T0,
  changes: 1,
  ...changes,
});
const message = (changes: Partial<Message> = {}): Message => ({
  id: "shop.7",
  kind: "changed",
  notices: [notice()],
  atMs: T0,
  ...changes,
});

describe("owners", () => {
  const hook = (id: string, more: object = {}): OwnerChannel => {
    const secret = `whsec_${"A".repeat(32)}`;
    return { kind: "webhook", id, addedAtMs: T0, url: `${url}/${id}`, secret, ...more };
  };
  const browser = (language: "ru" | "en"): OwnerChannel => {
    const receiver = { endpoint: `${url}/push`, ...createSubscriber().keys };
    return { kind: "push", id: "p", addedAtMs: T0, language, ...receiver };
  };

  function owned(channels: readonly OwnerChannel[], more: Partial<OwnedMonitor> = {}) {
    const { monitor, ...others } = provedMonitor("shop");
    return { ...others, monitor: { ...monitor, name: "Shop", isPublic: true }, channels, ...more };
  }

  const failure = {
    seq: 7,
    id: "shop",
    atMs: T0,
    kind: "condition",
    before: "healthy",
    sinceMs: T0 - 60_000,
    after: "failing",
    code: "tcp-timeout",
  } as const;

  function open(
    monitor: OwnedMonitor,
    {
      changes = [failure] as readonly OwnerChange[],
      cursor = 1,
      known = [] as string[],
      websiteUrl = "https://a.ru",
    } = {},
  ) {
    const pending = { sequence: T0, changes: new Map([["shop", monitor]]) };
    const recent = { next: 8, recent: changes };
    const owners = { ...EMPTY_STATE.owners, pending, changes: recent };
    const clock = { ...EMPTY_STATE.monitors.clock, lastSlot: 9 };
    const state = { owners, monitors: { ...EMPTY_STATE.monitors, clock } };
    const ledger = { cursor, channels: new Map(known.map((key) => [key, NEW_CHANNEL])) };
    return readOwnerOutbox(createMemoryStore(), state, ledger, {
      ...SENDING,
      push,
      contact,
      baseUrl: websiteUrl,
      wallMs: () => T0,
    });
  }

  test("hear of the changes of their monitor, and of a channel that was added there", async () => {
    const added: OwnerChange = { seq: 6, id: "shop", atMs: T0, kind: "added", channelId: "b" };
    const monitor = owned([hook("a"), hook("b"), hook("c", { stoppedAtMs: T0 })]);
    const outbox = await open(monitor, { changes: [added, failure] });
    expect([outbox.next, outbox.lastRunMs]).toEqual([8, 9 * SLOT_MS]);
    const [first, second] = outbox.changes;
    const common = { subject: "shop", atMs: T0 };
    expect(first).toEqual({ ...common, seq: 6, kind: "added" });
    const { code, before, sinceMs, after } = failure;
    expect(second).toEqual({ ...common, seq: 7, kind: "changed", code, before, sinceMs, after });
    if (first === undefined || second === undefined) return;
    expect(outbox.channelsFor(first)).toEqual(["shop/b"]);
    expect(outbox.channelsFor(second)).toEqual(["shop/a", "shop/b"]);
    expect(outbox.channelsFor({ ...second, seq: 99 })).toEqual([]);
    const subjects = ["shop/a", "shop/c", "shop/x"].map((key) => outbox.subjectsOf(key));
    expect(subjects).toEqual([1, undefined, undefined]);
  });

  test("of a monitor that is not checked have no channel", async () => {
    const outbox = await open(owned([hook("a")], { removedAtMs: T0 }));
    expect(outbox.subjectsOf("shop/a")).toBeUndefined();
    expect(outbox.changes.map((change) => outbox.channelsFor(change))).toEqual([[]]);
  });

  test("are read for a change that is new, or a channel that waits, and not else", async () => {
    const monitor = owned([hook("a")]);
    expect((await open(monitor, { cursor: 7 })).subjectsOf("shop/a")).toBe(1);
    expect((await open(monitor, { cursor: 8 })).subjectsOf("shop/a")).toBeUndefined();
    const waiting = await open(monitor, { cursor: 8, known: ["shop/a"] });
    expect(waiting.subjectsOf("shop/a")).toBe(1);
  });

  test.each([
    [
      message({ notices: [notice({ code: "tcp-timeout" })] }),
      "monitor.failing",
      { before: "healthy", state: "failing", beforeSeconds: 3_600, code: "tcp-timeout" },
    ],
    [message({ notices: [notice({ after: "healthy" })] }), "monitor.healthy", { changes: 1 }],
    [
      message({ notices: [notice({ sinceMs: T0 + 5_000 })] }),
      "monitor.failing",
      { beforeSeconds: 0 },
    ],
    [
      message({ kind: "flapping", notices: [notice({ changes: 4 })] }),
      "monitor.flapping",
      { changes: 4, at: T0 / 1_000 },
    ],
    [message({ kind: "added", notices: [] }), "channel.added", {}],
  ])("a webhook gets %o as %s", async (one, type, data) => {
    const outbox = await open(owned([hook("a")]));
    expect(await outbox.send("shop/a", one)).toEqual({ kind: "delivered" });
    const timestamp = new Date(T0).toISOString();
    const common = { id: "shop", url: "https://shop.example.ru/", name: "Shop" };
    expect(received.map(({ path }) => path)).toEqual(["/a"]);
    expect(JSON.parse(received[0]?.body.toString() ?? "")).toMatchObject({
      type,
      timestamp,
      data: { ...common, page: "https://a.ru/m/shop", ...data },
    });
  });

  test("a page is named only of a public monitor on a website", async () => {
    for (const [isPublic, websiteUrl] of [
      [false, "https://a.ru"],
      [true, ""],
    ] as const) {
      const one = owned([hook("a")]);
      const outbox = await open({ ...one, monitor: { ...one.monitor, isPublic } }, { websiteUrl });
      await outbox.send("shop/a", message());
      expect(JSON.parse(received.pop()?.body.toString() ?? "").data).not.toHaveProperty("page");
    }
  });

  test.each([
    ["ru", true, "https://a.ru/m/shop", "Shop не открывается"],
    ["en", true, "https://a.ru/en/m/shop", "Shop does not open"],
    ["en", false, "https://a.ru/en/monitor/", "Shop does not open"],
  ] as const)(
    "a browser in %s of a public monitor (%o) opens %s",
    async (language, isPublic, to, title) => {
      const one = owned([browser(language)]);
      const outbox = await open({ ...one, monitor: { ...one.monitor, isPublic } });
      await outbox.send("shop/p", message());
      expect(shown()).toMatchObject({ title, tag: "shop", url: to });
    },
  );

  test.each([
    [message({ kind: "added", notices: [] }), "Alerts are on"],
    [message({ kind: "digest", notices: [notice({ after: "healthy" })] }), "Shop works again"],
    [message({ kind: "flapping", notices: [notice({ changes: 4 })] }), "Shop is unstable"],
  ])("a browser shows %o as %s", async (one, title) => {
    const outbox = await open(owned([browser("en")]));
    await outbox.send("shop/p", one);
    expect(shown().title).toBe(title);
    if (one.kind === "digest") expect(shown().body).toContain("1 hour");
    if (one.kind === "flapping") expect(shown().body).toContain("4 changes");
  });

  test("a message to a channel that has gone fails", async () => {
    const failed = { kind: "failed", reason: "no such channel" };
    expect(await (await open(owned([]))).send("shop/a", message())).toEqual(failed);
  });
});

const logged = (changes: Partial<PublicChange>): PublicChange => ({
  seq: 1,
  id: "vk.1",
  slug: "vk",
  atMs: T0,
  before: "ok",
  code: "fail",
  isSurge: false,
  ...changes,
});

describe("services", () => {
  const states = { next: 5, updatedMs: T0, codeOf: () => "ok" };
  const newsOf = (changes: readonly PublicChange[], nowMs = T0) =>
    newsOfServices({ ...states, changes }, nowMs);

  test("carry what the log says of the time before a change", () => {
    const { changes } = newsOf([
      logged({ seq: 1, atMs: T0, before: "fail", code: "ok" }),
      logged({ seq: 2, atMs: T0 + 1, before: "ok", code: "slow" }),
      logged({ seq: 3, atMs: T0 + 3, before: "slow", code: "fail" }),
      logged({ seq: 4, atMs: T0 + 7, before: "fail", code: "ok" }),
      logged({ seq: 5, atMs: T0 + 9, slug: "other" }),
      logged({ seq: 6, atMs: T0 + 12, before: "slow", code: "ok" }),
    ]);
    const times = changes.map((one) =>
      one.kind === "changed" ? [one.sinceMs - T0, one.beganMs && one.beganMs - T0] : [],
    );
    const none = undefined;
    expect(times).toEqual([
      [0, none],
      [0, none],
      [1, none],
      [3, 1],
      [9, none],
      [7, none],
    ]);
  });

  test.each([
    ["fail", true, true],
    ["err", true, true],
    ["slow", true, undefined],
    ["ok", true, undefined],
    ["fail", false, undefined],
  ] as const)("at %s with a surge (%o) are urgent: %o", (code, isSurge, isUrgent) => {
    expect(newsOf([logged({ code, isSurge })]).changes[0]).toHaveProperty("after", code);
    const [one] = newsOf([logged({ code, isSurge })]).changes;
    expect(one?.kind === "changed" ? one.isUrgent : "").toBe(isUrgent);
  });

  test("pause when the list is over 15 minutes old", () => {
    expect(newsOf([], T0 + 15 * MINUTE_MS).isPaused).toBe(false);
    expect(newsOf([], T0 + 15 * MINUTE_MS + 1).isPaused).toBe(true);
  });

  test("are for the channels that listen to them", () => {
    const vk = { name: "VK", code: "fail" } as const;
    const status = {
      updatedMs: T0,
      services: new Map([
        ["vk", vk],
        ["ok", vk],
      ]),
    };
    const channels = new Map([
      ["all", { kind: "telegram", slugs: undefined }],
      ["vk", { kind: "max", slugs: new Set(["vk"]) }],
      ["none", { kind: "webhook", slugs: new Set(["other"]) }],
      ["exec", { kind: "exec", slugs: new Set(["vk", "ok"]) }],
    ] as const);
    const news = toServiceNews({ changes: { next: 1, changes: [] }, status }, channels, T0);
    const of = (subject: string) => news.channelsFor({ seq: 1, subject, atMs: T0, kind: "added" });
    expect([of("vk"), of("other")]).toEqual([
      ["all", "vk", "exec"],
      ["all", "none"],
    ]);
    const keysOf = [...channels.keys(), "gone"];
    expect(keysOf.map((key) => news.subjectsOf(key))).toEqual([2, 1, 1, 2, undefined]);
    expect(keysOf.map((key) => news.mayEdit?.(key))).toEqual([true, true, false, false, false]);
    expect(["vk", "gone"].map((slug) => news.stateNow?.(slug))).toEqual(["fail", "gone"]);
    expect(news.isOpen).toBe(true);
  });
});

describe("visitors", () => {
  const visitor = (id: string, changes: Partial<Visitor> = {}): Visitor => ({
    id,
    endpoint: `${url}/${id}`,
    ...createSubscriber().keys,
    tokenHash: "t",
    language: "ru",
    services: ["vk"],
    renewedAtMs: T0,
    ...changes,
  });

  function open(visitors: readonly Visitor[], nowMs = T0) {
    const change = { seq: 3, slug: "vk", atMs: T0, before: "ok", code: "fail" } as const;
    const more = { scope: "unknown", isSurge: false, live: false } as const;
    const codes = new Map([["vk", "fail"]] as const);
    const verdicts = { next: 4, changes: [{ ...change, ...more }], codes };
    const history = { ...EMPTY_STATE.history, updatedAtMs: T0 };
    const { accuracy } = EMPTY_STATE;
    const outboxes = toVisitorOutboxes({ verdicts, history, accuracy }, visitors, nowMs, {
      ...SENDING,
      push,
      contact,
      baseUrl: "https://a.ru",
      nameOf: (slug, language) => `${slug} (${language})`,
    });
    const outboxOf = (id: string) =>
      outboxes.find((one) => one.subjectsOf(id) !== undefined) ?? outboxes[0];
    return {
      ...outboxes[0],
      channelsFor: (one: Change) =>
        outboxes.flatMap(({ channelsFor }) => channelsFor(one)).toSorted(),
      subjectsOf: (id: string) => outboxOf(id).subjectsOf(id),
      send: (id: string, one: Message) => outboxOf(id).send(id, one),
    };
  }

  const told = (...subjects: readonly string[]): Message =>
    message({
      kind: subjects.length > 1 ? "digest" : "changed",
      notices: subjects.map((subject) => notice({ subject, before: "ok", after: "fail" })),
    });

  test("hear of the services that they follow, until their record ends", () => {
    const both = visitor("b", { services: ["ok", "vk"] });
    const outbox = open([visitor("a"), both, visitor("c", { services: ["ok"] })]);
    const [change] = outbox.changes;
    expect(change).toMatchObject({ seq: 3, id: `vk.${T0 / 1_000}.fail`, subject: "vk" });
    if (change === undefined) return;
    expect(outbox.channelsFor(change)).toEqual(["a", "b"]);
    expect(outbox.channelsFor({ ...change, subject: "other" })).toEqual([]);
    expect(["a", "b", "x"].map((id) => outbox.subjectsOf(id))).toEqual([1, 2, undefined]);
    expect([outbox.next, outbox.lastRunMs, outbox.isOpen]).toEqual([4, T0, true]);
    expect(["vk", "x"].map((slug) => outbox.stateNow?.(slug))).toEqual(["fail", "gone"]);
    const endMs = T0 + VISITOR_KEPT_MS;
    expect(open([visitor("a")], endMs - 1).subjectsOf("a")).toBe(1);
    expect(open([visitor("a")], endMs).subjectsOf("a")).toBeUndefined();
  });

  test("see a service in their language, under a tag of its own", async () => {
    const outbox = open([visitor("a", { language: "en" })]);
    expect(await outbox.send("a", told("vk"))).toEqual({ kind: "delivered" });
    expect(shown()).toMatchObject({ tag: "service.vk", url: "https://a.ru/en/status/vk" });
    expect(shown().title).toContain("vk (en)");
  });

  test("see several services as one notice, and none that they do not follow", async () => {
    const outbox = open([visitor("a", { services: ["ok", "vk"] })]);
    await outbox.send("a", told("vk", "other", "ok"));
    expect(shown()).toMatchObject({ tag: "services", url: "https://a.ru/" });
    expect(JSON.stringify(shown())).not.toContain("other");
    received.splice(0);
    expect(await outbox.send("a", told("other"))).toEqual({ kind: "delivered" });
    expect(received).toEqual([]);
  });

  test("get a notice that is short enough for their services", async () => {
    const services = Array.from({ length: 80 }, (_, at) => `service-number-${at}`);
    await open([visitor("a", { services })]).send("a", told(...services));
    expect(shown().body.length).toBeLessThanOrEqual(400);
    expect(received[0]?.body.length).toBeLessThanOrEqual(4_096);
  });
});
