import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CHANNEL_KINDS, type KindSettings } from "../../src/notify/channels/kinds.ts";
import type { Message, Notice } from "../../src/notify/rules/change.ts";
import { createSender, testChannel } from "../../src/notify/services/send-to-channel.ts";
import type { UnusualOperators } from "../../src/model/service/reports.ts";
import type { ChannelMessage } from "../../src/notify/services/render-message.ts";
import { T0 } from "../model/samples.ts";
import { type FakeReceivers, MAX_TOKEN, startReceivers, TELEGRAM_TOKEN } from "./fake-receivers.ts";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";

let receivers: FakeReceivers;
beforeAll(async () => {
  receivers = await startReceivers();
});
afterAll(() => receivers.close());
beforeEach(() => receivers.reset());

const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const CHAT = "@status_ru";

const notice: Notice = {
  subject: "vk",
  before: "ok",
  after: "fail",
  sinceMs: T0 - 600_000,
  atMs: T0,
  changes: 1,
};
const FAILED: Message = { id: "vk.1", kind: "changed", notices: [notice], atMs: T0 };
const WELL: Message = {
  ...FAILED,
  id: "vk.2",
  notices: [{ ...notice, before: "fail", after: "ok", beganMs: T0 - 720_400 }],
};

/** Of the failure. */
const PAST = { of: "service", days: 90, count: 9, medianMs: 2_100_000, longestMs: 12_000_000 };

const OPERATORS: UnusualOperators = {
  shares: [{ operator: "mts", percent: 71, usual: 18 }],
  isAlone: true,
};

type Kind = KindSettings["kind"];

function open(kind: Kind, changes: object = {}) {
  const place = { env: "X" };
  const own = {
    telegram: { chat: CHAT, token: place, base: `${receivers.url}/telegram` },
    max: { chat: "7", token: place, base: `${receivers.url}/max` },
    webhook: { url: `${receivers.url}/hook`, secret: place },
    exec: { command: ["/bin/sh", "-c", 'read -r line; echo "$line" >&2; exit 75'] },
  }[kind];
  const secrets = { telegram: TELEGRAM_TOKEN, max: MAX_TOKEN, webhook: WEBHOOK_SECRET, exec: "" };
  const common = { id: kind, kind, language: "ru", slugs: undefined };
  const channel = { ...common, ...own, ...changes } as KindSettings & typeof NOBODY;
  return { channel, secret: secrets[kind] };
}
const NOBODY = { id: "", language: "ru" as "ru" | "en", slugs: undefined };

function sender(secrets: readonly string[] = [TELEGRAM_TOKEN, MAX_TOKEN, WEBHOOK_SECRET]) {
  const clock = { nowMs: T0 };
  const slept: number[] = [];
  const deps = {
    probe: LOOPBACK_PROBE,
    signal: new AbortController().signal,
    env: { PATH: "/usr/bin:/bin" },
    killGroup: (pid: number) => void process.kill(-pid, "SIGKILL"),
    wallMs: () => clock.nowMs,
    baseUrl: "https://status.example",
    nameOf: (slug: string, language: string) => `${slug} (${language})`,
    changeOf: (slug: string, atMs: number) =>
      slug === "vk" && atMs === T0
        ? { past: { ...PAST, of: "service" as const }, operators: OPERATORS }
        : undefined,
    sleep: async (ms: number) => void slept.push(ms),
  };
  return { clock, slept, deps, send: createSender(secrets, () => deps) };
}

const send = (kind: Kind, message: ChannelMessage, changes: object = {}) =>
  sender().send(open(kind, changes), message);

const texts = (kind: "telegram" | "max", chat = kind === "max" ? "7" : CHAT) =>
  (receivers.world[kind].get(chat) ?? []).map((one) => one.texts);

describe.each(["telegram", "max"] as const)("a bot of %s", (kind) => {
  const ref = kind === "max" ? "mid.1" : "7";

  test("sends a message in tags, with a sound if something is down", async () => {
    expect(await send(kind, FAILED)).toEqual({ kind: "delivered", ref });
    expect(await send(kind, WELL)).toMatchObject({ kind: "delivered" });
    const sent = receivers.world[kind].get(kind === "max" ? "7" : CHAT) ?? [];
    expect(sent.map(({ isSilent }) => isSilent)).toEqual([false, true]);
    const page = '<a href="https://status.example/status/vk">';
    expect(sent[0]?.texts[0]).toContain("<b>");
    expect(sent[0]?.texts[0]).toContain("vk (ru)");
    expect(sent[0]?.texts[0]).toContain(page);
    expect(sent[0]?.texts[0]).toContain(
      "Сбои этого сервиса за 90 дней: 9. Половина закончилась за 35 минут или быстрее, самый долгий длился 3 часа 20 минут.",
    );
    expect(sent[0]?.texts[0]).toContain(
      "Похоже на сбой у оператора МТС: от его абонентов 71\u00A0% жалоб, обычно 18\u00A0%.",
    );
    expect(sent[1]?.texts[0]).not.toMatch(/Сбои|сбой/u);
  });

  test("changes a message, and sends a new one if it cannot", async () => {
    await send(kind, FAILED);
    expect(await send(kind, { ...WELL, edits: ref })).toEqual({ kind: "delivered" });
    expect(texts(kind).map(({ length }) => length)).toEqual([2]);
    const lost = kind === "max" ? "mid.99" : "99";
    expect(await send(kind, { ...WELL, edits: lost })).toMatchObject({ ref: expect.anything() });
    expect(texts(kind).map(({ length }) => length)).toEqual([2, 1]);
  });

  test("that fails to change a message sends no other", async () => {
    await send(kind, FAILED);
    for (const trouble of ["reset", { status: 500 }] as const) {
      receivers.world.trouble = () => trouble;
      const result = await send(kind, { ...WELL, edits: ref });
      expect(result.kind).toBe("failed");
    }
    expect(texts(kind).map(({ length }) => length)).toEqual([1]);
  });

  test("says why it failed, without the secret and in one line", async () => {
    const words = `no ${TELEGRAM_TOKEN}${MAX_TOKEN}\n${"long".repeat(60)}`;
    const body = { description: words, message: words };
    receivers.world.trouble = () => ({ status: 403, body });
    const result = await send(kind, FAILED);
    if (result.kind !== "failed") throw new Error("it was sent");
    expect(result.reason).toMatch(/^status 403: no …… long/u);
    expect(result.reason.length).toBeLessThanOrEqual("status 403: ".length + 160);
    receivers.world.trouble = () => ({ status: 502 });
    expect(await send(kind, FAILED)).toEqual({ kind: "failed", reason: "status 502" });
  });

  test("is tested without a message", async () => {
    const { deps } = sender();
    expect(await testChannel(open(kind), deps)).toBeUndefined();
    expect(texts(kind)).toEqual([]);
    receivers.world.trouble = (method) =>
      /getChat|chats/u.test(method) ? { status: 404, body: {} } : undefined;
    expect(await testChannel(open(kind), deps)).toMatch(/(?:getChat|chats\/7): status 404$/u);
    receivers.world.trouble = undefined;
    const other = { ...open(kind), secret: "wrong-token" };
    expect(await testChannel(other, deps)).toMatch(/^(?:getMe|GET \/me): status 401/u);
  });
});

test("Telegram says in its answer how long to wait", async () => {
  const wait = (retry_after: unknown) => {
    const body = { ok: false, description: "Too Many", parameters: { retry_after } };
    receivers.world.trouble = () => ({ status: 429, body });
    return send("telegram", FAILED);
  };
  const failed = { kind: "failed", reason: "status 429: Too Many" };
  expect(await wait(35)).toEqual({ ...failed, retryAfterMs: 35_000 });
  expect(await wait(0)).toEqual({ ...failed, retryAfterMs: 0 });
  expect(await wait(999_999)).toEqual({ ...failed, retryAfterMs: 86_400_000 });
  expect(await wait(-1)).toEqual(failed);
  expect(await wait("35")).toEqual(failed);
});

test("a message that already says so was changed", async () => {
  await send("telegram", FAILED);
  await send("telegram", { ...WELL, edits: "7" });
  expect(await send("telegram", { ...WELL, edits: "7" })).toEqual({ kind: "delivered" });
  expect(texts("telegram")).toMatchObject([{ length: 2 }]);
});

test("a webhook gets what happened, with an id", async () => {
  expect(await send("webhook", WELL, { language: "en" })).toEqual({ kind: "delivered" });
  const [{ body, headers } = { body: "", headers: {} }] = receivers.world.hooks;
  expect(headers["webhook-id"]).toBe("vk.2");
  expect(headers["webhook-timestamp"]).toBe(String(T0 / 1_000));
  expect(JSON.parse(body)).toEqual({
    type: "service.changed",
    timestamp: new Date(T0).toISOString(),
    data: {
      page: "https://status.example/en/",
      services: [
        {
          slug: "vk",
          name: "vk (en)",
          before: "fail",
          code: "ok",
          color: "ok",
          at: T0 / 1_000,
          troubleSeconds: 720,
          changes: 1,
          page: "https://status.example/en/status/vk",
        },
      ],
    },
  });
  expect(await testChannel(open("webhook"), sender().deps)).toBeUndefined();
});

test.each([
  ["test", { kind: "test", id: "t", atMs: T0 }, "channel.test"],
  ["flapping", { ...FAILED, kind: "flapping" }, "service.flapping"],
  ["digest", { ...FAILED, kind: "digest" }, "services.changed"],
] as const)("a webhook gets a %s under its type", async (_, message, type) => {
  await send("webhook", message);
  expect(JSON.parse(receivers.world.hooks[0]?.body ?? "")).toMatchObject({ type });
});

test("a receiver of the operator is never gone, and its words have no secret", async () => {
  receivers.world.trouble = () => ({ status: 410 });
  expect(await send("webhook", FAILED)).toEqual({ kind: "failed", reason: "status 410" });
  const { send: sendWith } = sender(["", "vk.1"]);
  const result = await sendWith(open("exec"), FAILED);
  expect(result).toMatchObject({ kind: "failed" });
  expect(JSON.stringify(result)).toContain("…");
  expect(JSON.stringify(result)).not.toContain("vk.1");
});

test("a program gets one line of JSON, and says itself that it wants it later", async () => {
  const command = ["/bin/sh", "-c", 'read -r line; echo "$line" | cut -c 1-150 >&2; exit 75'];
  const result = await send("exec", FAILED, { command });
  if (result.kind !== "failed") throw new Error("it was taken");
  expect(result.reason).toMatch(/^exit 75, try later: \{"id":"vk\.1","type":"service\.changed"/u);
  const script = `read -r line; case "$line" in *'"language":"ru","text":"'*'https://status.example/status/vk"}') exit 0;; esac; exit 1`;
  expect(await send("exec", FAILED, { command: ["/bin/sh", "-c", script] })).toEqual({
    kind: "delivered",
  });
  const none = await send("exec", FAILED, { command: ["/bin/sh", "-c", 'test -z "$SECRET$HOME"'] });
  expect(none).toEqual({ kind: "delivered" });
  expect(await send("exec", FAILED, { command: ["/no/program"] })).toEqual({
    kind: "failed",
    reason: "ENOENT",
  });
  expect(await send("exec", FAILED, { command: ["/bin/sh", "-c", "exit 3"] })).toEqual({
    kind: "failed",
    reason: "exit 3",
  });
});

test("a program is looked for in PATH, as at a start", async () => {
  const { deps } = sender();
  expect(await testChannel(open("exec"), deps)).toBeUndefined();
  expect(await testChannel(open("exec", { command: ["sh"] }), deps)).toBeUndefined();
  const nowhere = { ...deps, env: { PATH: "/nowhere" } };
  expect(await testChannel(open("exec", { command: ["sh"] }), nowhere)).toContain("sh is ");
  expect(await testChannel(open("exec", { command: ["/no/sh"] }), deps)).toContain("/no/sh is ");
});

test("between two messages to one chat is a second, and none to another", async () => {
  const { clock, slept, send: sendIn } = sender();
  await sendIn(open("telegram"), FAILED);
  await sendIn(open("telegram", { id: "second" }), FAILED);
  await sendIn(open("max"), FAILED);
  await sendIn(open("telegram", { chat: "-1001" }), FAILED);
  expect(slept).toEqual([1_000]);
  clock.nowMs += 1_999;
  await sendIn(open("telegram"), FAILED);
  expect(slept).toEqual([1_000, 1]);
  clock.nowMs += 1_001;
  await sendIn(open("telegram"), FAILED);
  expect(slept).toEqual([1_000, 1]);
});

describe("the secret of a kind", () => {
  const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 1).toString("base64")}`;
  test.each([
    ["telegram", "1:abcdefghij", true],
    ["telegram", "1:abcdefghi", false],
    ["telegram", `${"1".repeat(20)}:abcdefghij`, true],
    ["telegram", `${"1".repeat(21)}:abcdefghij`, false],
    ["telegram", "1:abcdefghi j", false],
    ["max", "abcdefghij", true],
    ["max", "abcdefghi", false],
    ["max", "abcdefghi\u007f", false],
    ["max", "abcdefghij k", false],
    ["webhook", whsec(24), true],
    ["webhook", whsec(23), false],
    ["webhook", whsec(64), true],
    ["webhook", whsec(65), false],
    ["webhook", whsec(24).slice(6), true],
    ["webhook", "secret!", false],
  ] as const)("%s: %s", (kind, secret, isRight) => {
    expect(CHANNEL_KINDS[kind].secret?.faultIn(secret) === undefined).toBe(isRight);
  });
});

test.each([
  ["telegram", { ok: true, result: { message_id: "7" } }],
  ["telegram", { ok: true }],
  ["max", { message: { body: { mid: "" } } }],
  ["max", { message: { body: { mid: 5 } } }],
  ["max", {}],
] as const)("a message of %s without a name, %o, cannot be changed later", async (kind, body) => {
  receivers.world.trouble = () => ({ status: 200, body });
  expect(await send(kind, FAILED)).toEqual({ kind: "delivered" });
});

test("each kind says what its test has shown, and what to do about a fault", () => {
  const words = Object.entries(CHANNEL_KINDS).map(([kind, { found, remedy }]) => [
    kind,
    found.split(" ").slice(0, 4).join(" "),
    remedy.split(" ").slice(0, 3).join(" "),
  ]);
  expect(words).toEqual([
    ["telegram", "the bot and its", "Compare the token"],
    ["max", "the bot and its", "Compare the token"],
    ["webhook", "its server can be", "Compare the URL;"],
    ["exec", "the program can be", "Give its path,"],
  ]);
});

test("a digest makes a sound if one of its services is down", async () => {
  const [well] = WELL.notices;
  const digest = (...notices: readonly Notice[]): Message => ({
    ...FAILED,
    kind: "digest",
    notices,
  });
  const ok = { ...notice, ...well };
  await send("telegram", digest({ ...ok, subject: "a" }, notice));
  await send("telegram", digest({ ...ok, subject: "a" }, ok));
  expect(receivers.world.telegram.get(CHAT)?.map(({ isSilent }) => isSilent)).toEqual([
    false,
    true,
  ]);
});
