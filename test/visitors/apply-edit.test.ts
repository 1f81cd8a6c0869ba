import { describe, expect, test } from "vitest";
import { type Visitor, VISITOR_KEPT_MS } from "../../src/model/monitor/visitor.ts";
import {
  applyTrials,
  applyVisitorEdit,
  type VisitorEdit,
  withoutExpired,
} from "../../src/visitors/apply-edit.ts";
import { T0 } from "../model/samples.ts";

const visitor = (id: string, more: Partial<Visitor> = {}): Visitor => ({
  id,
  endpoint: `https://fcm.googleapis.com/${id}`,
  p256dh: "B",
  auth: "A",
  tokenHash: `hash of ${id}`,
  language: "ru",
  services: ["vtb"],
  renewedAtMs: T0,
  ...more,
});
const shardOf = (...visitors: readonly Visitor[]) =>
  new Map(visitors.map((one) => [one.id, one] as const));
const untried = (id: string): Visitor => visitor(id, { isUntried: true });

describe("an edit", () => {
  const before = shardOf(visitor("a"), visitor("b"));
  const changes = { kind: "services", services: ["vk"], atMs: T0 + 9 } as const;
  const known = { id: "a", tokenHash: "hash of a" };

  test.each<[string, VisitorEdit]>([
    ["another token", { ...changes, id: "a", tokenHash: "hash of b" }],
    ["another browser", { ...changes, id: "c", tokenHash: "hash of a" }],
    ["an end with another token", { kind: "unsubscribe", id: "a", tokenHash: "hash of b" }],
  ])("of %s is unknown, and changes nothing", (_, edit) => {
    const { shard, result } = applyVisitorEdit(before, edit);
    expect([shard === before, result]).toEqual([true, "unknown"]);
  });

  test("changes the services and the time of its browser alone", () => {
    const { shard, result } = applyVisitorEdit(before, { ...changes, ...known });
    const changed = visitor("a", { services: ["vk"], renewedAtMs: T0 + 9 });
    expect([result, shard]).toEqual(["kept", shardOf(changed, visitor("b"))]);
    // Tried again, as after an answer of the store that was lost.
    expect(applyVisitorEdit(shard, { ...changes, ...known })).toEqual({ shard, result: "kept" });
    expect(applyVisitorEdit(shard, { ...changes, ...known }).shard).toBe(shard);
    expect(before).toEqual(shardOf(visitor("a"), visitor("b")));
  });

  test("that ends a subscription erases it alone", () => {
    const { shard, result } = applyVisitorEdit(before, { kind: "unsubscribe", ...known });
    expect([result, shard]).toEqual(["kept", shardOf(visitor("b"))]);
    expect(before.size).toBe(2);
  });
});

describe("a subscription", () => {
  const subscribe = (shard: ReadonlyMap<string, Visitor>, one: Visitor) =>
    applyVisitorEdit(shard, { kind: "subscribe", visitor: one });

  test("is to be tried if it is new, or was not tried before", () => {
    expect(subscribe(new Map(), visitor("a")).shard).toEqual(shardOf(untried("a")));
    const later = visitor("a", { renewedAtMs: T0 + 1 });
    const again = { ...later, isUntried: true };
    expect(subscribe(shardOf(untried("a")), later).shard).toEqual(shardOf(again as Visitor));
    expect(subscribe(shardOf(visitor("a")), later).shard).toEqual(shardOf(later));
  });

  test("that is there already changes nothing, tried or not", () => {
    for (const shard of [shardOf(untried("a")), shardOf(visitor("a"))]) {
      const applied = subscribe(shard, visitor("a"));
      expect([applied.shard === shard, applied.result]).toEqual([true, "kept"]);
    }
  });

  test("at a domain that is no maker's has two places, its own included", () => {
    const at = (id: string, host: string) => visitor(id, { endpoint: `https://${host}/${id}` });
    const shard = shardOf(at("a", "a.victim.example"), at("b", "victim.example"));
    expect(subscribe(shard, at("c", "c.victim.example"))).toEqual({ shard, result: "limit-host" });
    expect(subscribe(shard, at("c", "other.example")).result).toBe("kept");
    const renewed = { ...at("a", "a.victim.example"), renewedAtMs: T0 + 1 };
    expect(subscribe(shard, renewed).result).toBe("kept");
    const makers = ["push.apple.com", "web.push.apple.com"].map((host, place) =>
      at(`m${place}`, host),
    );
    const full = shardOf(...makers, at("m2", "x.push.apple.com"));
    expect(subscribe(full, at("d", "web.push.apple.com")).result).toBe("kept");
    // The name of a maker as the end of another one.
    const fake = shardOf(at("e", "a.notpush.apple.com"), at("f", "b.notpush.apple.com"));
    expect(subscribe(fake, at("g", "c.notpush.apple.com")).result).toBe("limit-host");
  });
});

describe("trials", () => {
  const none: ReadonlySet<string> = new Set();

  test("keep what is taken as tried, erase what is gone, and leave the others", () => {
    const shard = shardOf(untried("taken"), untried("gone"), untried("late"), visitor("old"));
    const results = { taken: new Set(["taken"]), gone: new Set(["gone", "old"]) };
    expect(applyTrials(shard, results)).toEqual(
      shardOf(visitor("taken"), untried("late"), visitor("old")),
    );
    expect(shard.size).toBe(4);
  });

  test("that concern no browser of a shard give the same shard", () => {
    const shard = shardOf(untried("a"), visitor("b"));
    const of = (taken: ReadonlySet<string>, gone: ReadonlySet<string>) =>
      applyTrials(shard, { taken, gone });
    expect(of(none, none)).toBe(shard);
    expect(of(new Set(["b"]), new Set(["b", "c"]))).toBe(shard);
    expect(of(new Set(["a"]), none)).toEqual(shardOf(visitor("a"), visitor("b")));
    expect(of(none, new Set(["a"]))).toEqual(shardOf(visitor("b")));
  });
});

test("a browser that was not heard of for a year is left out, to the millisecond", () => {
  const shard = shardOf(visitor("a"), visitor("b", { renewedAtMs: T0 + 1 }));
  const endMs = T0 + VISITOR_KEPT_MS;
  expect(withoutExpired(shard, endMs - 1)).toBe(shard);
  expect(withoutExpired(shard, endMs)).toEqual(shardOf(visitor("b", { renewedAtMs: T0 + 1 })));
  expect(withoutExpired(shard, endMs + 1).size).toBe(0);
});
