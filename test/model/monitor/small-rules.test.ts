import { describe, expect, test } from "vitest";
import * as z from "zod";
import { byWindow, countRefusal } from "../../../src/model/monitor/monitor.ts";
import { OWNER_CHANGES, OWNER_CHANNEL } from "../../../src/model/monitor/owner-channel.ts";
import {
  OWNED_MONITOR,
  OWNER_EDIT,
  OWNERS_STATE,
} from "../../../src/model/monitor/owned-monitor.ts";
import { toFault } from "../../../src/model/monitor/problems.ts";
import { SUBSCRIPTION_KEYS } from "../../../src/model/monitor/push-subscription.ts";
import { changesByShard, shardAmong } from "../../../src/model/monitor/shard.ts";
import { visitorEndMs, visitorShardOf, VISITOR } from "../../../src/model/monitor/visitor.ts";
import { hashOf, OWNERS, tokenOf } from "../owned-samples.ts";
import { T0 } from "../samples.ts";

test("a refusal counts as a failure once the monitor was healthy", () => {
  const refused = { kind: "refused", code: "dns-special-address" } as const;
  expect(countRefusal(refused, true)).toEqual({ kind: "failing", code: "dns-special-address" });
  expect(countRefusal(refused, false)).toBe(refused);
  const skipped = { kind: "skipped" } as const;
  expect(countRefusal(skipped, true)).toBe(skipped);
});

test("each window has its value, the shortest first", () => {
  expect(Object.entries(byWindow((window) => `of ${window}`))).toEqual([
    ["24h", "of 24h"],
    ["7d", "of 7d"],
    ["30d", "of 30d"],
    ["90d", "of 90d"],
  ]);
});

describe("a key of a subscription", () => {
  const point = `B${"a".repeat(86)}`;

  test("is kept without the padding that some browsers write", () => {
    const { p256dh, auth } = SUBSCRIPTION_KEYS;
    expect([point, `${point}=`, `${point}==`].map((one) => p256dh.parse(one))).toEqual([
      point,
      point,
      point,
    ]);
    expect(auth.parse(`${"_-".repeat(11)}==`)).toBe("_-".repeat(11));
  });

  test.each([
    ["p256dh", `A${"a".repeat(86)}`],
    ["p256dh", `${point}a`],
    ["p256dh", point.slice(1)],
    ["p256dh", `=${point}`],
    ["auth", "a".repeat(21)],
    ["auth", "a".repeat(23)],
    ["auth", `${"a".repeat(21)}+`],
  ] as const)("is refused as %s if it is %s", (name, text) => {
    const { error } = SUBSCRIPTION_KEYS[name].safeParse(text);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      "not a key of a push subscription.",
    ]);
  });
});

test("a JSON Pointer escapes tildes before slashes", () => {
  expect(toFault([], "bad")).toEqual({ pointer: "", message: "bad" });
  expect(toFault(["services", 0, "a/b~1"], "bad").pointer).toBe("/services/0/a~1b~01");
});

test("the changes of a journal are divided by shard once", () => {
  const changes = new Map([
    ["my-shop", 1],
    ["My-Shop", 2],
    ["a", 3],
    ["wWx", 4],
  ]);
  const shards = changesByShard(changes);
  const ids = [...shards].map(([shard, own]) => [shard, [...own.keys()]]);
  expect(ids.slice(0, 3)).toEqual([
    [21, ["my-shop"]],
    [46, ["My-Shop"]],
    [32, ["a"]],
  ]);
  expect([...shards.values()].flatMap((own) => [...own.values()])).toEqual([1, 2, 3, 4]);
  expect(changesByShard(changes)).toBe(shards);
  expect(changesByShard(new Map(changes))).not.toBe(shards);
});

test("the place of an id depends on all of its hash, and never changes", () => {
  // FNV-1a of "a" is e40c292c, of "foobar" bf9cf968.
  expect([shardAmong(256, "a"), shardAmong(256, "foobar")]).toEqual([0x2c ^ 0x0c, 0x68 ^ 0x9c]);
  expect([visitorShardOf("a"), visitorShardOf("foobar")]).toEqual([0x20, 0xf4]);
  expect(shardAmong(1, "a")).toBe(0);
});

test("a visitor is kept for a year after the last renewal", () => {
  const visitor = VISITOR.parse({
    id: hashOf("i"),
    endpoint: "https://push.example.com/send/1",
    p256dh: `B${"a".repeat(86)}`,
    auth: "C".repeat(22),
    tokenHash: hashOf("t"),
    language: "en",
    services: ["vtb"],
    renewedAtMs: T0,
  });
  expect(visitorEndMs(visitor)).toBe(T0 + 31_536_000_000);
});

test("owners, with their monitors, channels and changes, survive JSON unchanged", () => {
  const stored = z.encode(OWNERS_STATE, OWNERS);
  expect(z.decode(OWNERS_STATE, JSON.parse(JSON.stringify(stored)))).toEqual(OWNERS);
});

describe("what an owner is told", () => {
  const { recent } = OWNERS.changes;

  test.each([
    ["in order, up to the next number", 4, recent, true],
    ["nothing, before any number", 9, [], true],
    ["with a gap before the next number", 5, recent, false],
    ["backwards", 4, recent.toReversed(), false],
    ["with a number below one", 0, [], false],
  ])("is numbered %s: %i", (_what, next, changes, isGood) => {
    const { success, error } = OWNER_CHANGES.safeParse({ next, recent: changes });
    expect(success).toBe(isGood);
    if (next === 5)
      expect(error?.issues[0]?.message).toBe("the changes are not numbered without gaps");
  });
});

test("an owner has five channels at most, whose secrets say what they are", () => {
  const { monitor, ...rest } = {
    monitor: { id: "a", url: "https://a.ru/", name: "a", isPublic: true },
    revision: 1,
    keyHash: hashOf("k"),
    createdAtMs: T0,
    challenges: [],
  };
  const channel = {
    kind: "webhook",
    id: tokenOf("c"),
    addedAtMs: T0,
    url: "https://hooks.example.ru/",
    secret: "whsec_x",
  };
  const isGood = (channels: readonly object[]): boolean =>
    OWNED_MONITOR.safeParse({ monitor, ...rest, channels }).success;
  expect([5, 6].map((count) => isGood(Array.from({ length: count }, () => channel)))).toEqual([
    true,
    false,
  ]);
  for (const wrong of [{ secret: "x" }, { url: "ftp://a.ru/" }, { id: "c" }, { more: 1 }])
    expect(OWNER_CHANNEL.safeParse({ ...channel, ...wrong }).success).toBe(false);
});

test("the first proof is asked for by a registration, and never by a challenge", () => {
  const edit = { atMs: T0, kind: "challenge", id: "a", token: tokenOf("t"), network: "n" };
  const isGood = (goal: object): boolean => OWNER_EDIT.safeParse({ ...edit, goal }).success;
  expect(isGood({ kind: "url", url: "https://a.ru/" })).toBe(true);
  expect(isGood({ kind: "key", keyHash: hashOf("k") })).toBe(true);
  expect(isGood({ kind: "first" })).toBe(false);
});
