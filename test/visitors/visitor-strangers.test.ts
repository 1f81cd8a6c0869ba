import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../src/model/time.ts";
import {
  MAX_IN_SHARD,
  type VisitorShard,
  visitorShardOf,
} from "../../src/model/monitor/visitor.ts";
import { applyVisitorEdit } from "../../src/visitors/apply-edit.ts";
import { T0 } from "../model/samples.ts";
import { bodyOf, createVisitorHarness, subscriptionOf, visitorsIn } from "./visitor-harness.ts";

const withEndpoint = (endpoint: string): object => ({
  ...bodyOf("a"),
  subscription: { ...subscriptionOf("a"), endpoint },
});
const keys = (changes: object): object => ({
  ...bodyOf("a"),
  subscription: {
    ...subscriptionOf("a"),
    keys: { ...(subscriptionOf("a") as { keys: object }).keys, ...changes },
  },
});
const LONG = "x".repeat(1_100);

describe("a hostile body is refused", () => {
  test.each([
    ["not JSON", "{", 400, "malformed"],
    ["a list", [], 400, "malformed"],
    ["null", "null", 400, "malformed"],
    ["nothing", "", 400, "malformed"],
    ["without services", { subscription: subscriptionOf("a") }, 422, "/services"],
    ["with no service", bodyOf("a", []), 422, "/services"],
    ["with a number for a service", { ...bodyOf("a"), services: [1] }, 422, "/services/0"],
    ["with too many services", bodyOf("a", Array(600).fill("vtb")), 422, "/services"],
    ["with another language", { ...bodyOf("a"), language: "de" }, 422, "/language"],
    ["with an unknown key", { ...bodyOf("a"), admin: true }, 422, ""],
    ["with http", withEndpoint("http://fcm.googleapis.com/x"), 422, "/subscription/endpoint"],
    ["with javascript", withEndpoint("javascript:alert(1)"), 422, "/subscription/endpoint"],
    ["with a relative URL", withEndpoint("/push"), 422, "/subscription/endpoint"],
    ["with credentials", withEndpoint("https://a:b@example.ru/"), 422, "/subscription/endpoint"],
    ["with the loopback", withEndpoint("https://127.0.0.1/"), 422, "/subscription/endpoint"],
    [
      "with the loopback in hex",
      withEndpoint("https://0x7f000001/"),
      422,
      "/subscription/endpoint",
    ],
    ["with localhost", withEndpoint("https://localhost/"), 422, "/subscription/endpoint"],
    ["with IPv6 loopback", withEndpoint("https://[::1]/"), 422, "/subscription/endpoint"],
    [
      "with cloud metadata",
      withEndpoint("https://169.254.169.254/"),
      422,
      "/subscription/endpoint",
    ],
    ["with a tab", withEndpoint("https://example.ru/a\tb"), 422, "/subscription/endpoint"],
    ["with a line end", withEndpoint("https://example.ru/\n"), 422, "/subscription/endpoint"],
    ["with a NUL", withEndpoint("https://example.ru/\0"), 422, "/subscription/endpoint"],
    ["with another port", withEndpoint("https://example.ru:22/"), 422, "/subscription/endpoint"],
    ["with a long URL", withEndpoint(`https://example.ru/${LONG}`), 422, "/subscription/endpoint"],
    ["with a short key", keys({ p256dh: "BAAA" }), 422, "/subscription/keys/p256dh"],
    ["with a short secret", keys({ auth: "AAAA" }), 422, "/subscription/keys/auth"],
    ["with one more key", keys({ other: "AAAA" }), 422, "/subscription/keys"],
  ])("%s", async (_, body, status, where) => {
    const { ask, store } = createVisitorHarness();
    const answer = await ask("POST", "/push", { body });
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    expect(status === 400 ? answer.body.code : answer.body.errors[0].pointer).toBe(where);
    expect((await visitorsIn(store)).size).toBe(0);
  });

  test.each([
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }, 415],
    ["plain text, which any page may send", { "Content-Type": "text/plain" }, 415],
    ["a compressed body", { "Content-Encoding": "gzip" }, 415],
  ])("%s", async (_, headers, status) => {
    const { ask } = createVisitorHarness();
    expect((await ask("POST", "/push", { body: bodyOf("a"), headers })).status).toBe(status);
  });

  test.each([
    ["{", 400, "malformed"],
    ['{"services":[]}', 422, "invalid"],
    ['{"services":["vtb"],"language":"en"}', 422, "invalid"],
  ])("%s as a change, and the services stay", async (body, status, code) => {
    const { ask, store } = createVisitorHarness();
    const { id, token } = (await ask("POST", "/push", { body: bodyOf("a") })).body;
    const answer = await ask("PUT", `/push/${id}`, { token, body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect((await visitorsIn(store)).get(id)?.services).toEqual(["vtb"]);
  });

  test("one that is too large", async () => {
    const { ask } = createVisitorHarness();
    const answer = await ask("POST", "/push", { body: " ".repeat(17 * 1024) });
    expect([answer.status, answer.headers.get("Connection")]).toEqual([413, "close"]);
  });
});

describe("a stranger", () => {
  test.each([
    ["without a token", undefined],
    ["with a wrong token", "A".repeat(43)],
    ["with a short token", "A"],
  ])("%s cannot change or end a subscription", async (_, token) => {
    const { ask, store } = createVisitorHarness();
    const { id } = (await ask("POST", "/push", { body: bodyOf("a") })).body;
    const body = { services: ["telegram"] };
    expect((await ask("PUT", `/push/${id}`, { token, body })).status).toBe(404);
    expect((await ask("DELETE", `/push/${id}`, { token })).status).toBe(404);
    expect((await visitorsIn(store)).get(id)?.services).toEqual(["vtb"]);
  });

  test("cannot read one: there is no such operation", async () => {
    const { ask } = createVisitorHarness();
    const { id } = (await ask("POST", "/push", { body: bodyOf("a") })).body;
    const answer = await ask("GET", `/push/${id}`);
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "PUT, DELETE, OPTIONS"]);
    expect((await ask("GET", "/push")).headers.get("Allow")).toBe("POST, OPTIONS");
  });

  test.each(["/push/short", "/push//", "/push/%41", `/push/${"a".repeat(43)}/more`, "/pusher"])(
    "%s is no path of ours",
    async (path) => {
      const { ask } = createVisitorHarness();
      expect((await ask("POST", path, { body: bodyOf("a") })).status).toBe(404);
    },
  );
});

describe("pages", () => {
  const from = (origin: string, site: string) => ({ Origin: origin, "Sec-Fetch-Site": site });
  test("of the website and of told origins may ask, others may not", async () => {
    const { ask } = createVisitorHarness();
    const asked = async (headers: Readonly<Record<string, string>>) => {
      const answer = await ask("POST", "/push", { body: bodyOf("a"), headers });
      return [answer.status, answer.headers.get("Access-Control-Allow-Origin")];
    };
    const own = "https://status.example.ru";
    const partner = "https://partner.example";
    expect(await asked(from(own, "same-origin"))).toEqual([201, own]);
    expect(await asked(from(partner, "cross-site"))).toEqual([201, partner]);
    expect(await asked(from("https://evil.example", "cross-site"))).toEqual([403, null]);
    expect(await asked(from("null", "cross-site"))).toEqual([403, null]);
  });

  test("may ask first, with the methods and headers that they need", async () => {
    const { ask } = createVisitorHarness();
    const headers = from("https://partner.example", "cross-site");
    const answer = await ask("OPTIONS", `/push/${"a".repeat(43)}`, { headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Access-Control-Allow-Methods")).toBe("PUT, DELETE, OPTIONS");
    expect(answer.headers.get("Access-Control-Allow-Headers")).toContain("Authorization");
  });
});

describe("limits", () => {
  test("a network has 300 subscriptions a day, and others go on", async () => {
    const { ask, clock } = createVisitorHarness(undefined, { requests: { burst: 10_000 } });
    const post = async (name: string, from: string) =>
      (await ask("POST", "/push", { body: bodyOf(name), from })).body.code;
    for (let at = 0; at < 300; at += 1)
      expect(await post(`a${at}`, `203.0.113.${at % 250}`)).toBeUndefined();
    expect(await post("more", "203.0.113.1")).toBe("limit-network");
    expect(await post("other", "203.0.114.1")).toBeUndefined();
    clock.nowMs += DAY_MS / 300 + 1_000;
    expect(await post("later", "203.0.113.1")).toBeUndefined();
    expect(await post("early", "203.0.113.1")).toBe("limit-network");
    clock.nowMs += DAY_MS;
    expect(await post("tomorrow", "203.0.113.1")).toBeUndefined();
  });

  test("a network asks 60 times at once", async () => {
    const { ask } = createVisitorHarness();
    const codes: number[] = [];
    for (let at = 0; at < 62; at += 1)
      codes.push((await ask("DELETE", `/push/${"a".repeat(43)}`)).status);
    expect(codes.slice(0, 60)).toEqual(Array(60).fill(404));
    expect(codes.slice(60)).toEqual([429, 429]);
  });

  const visitorOf = (id: string, endpoint: string) => ({
    id,
    endpoint,
    p256dh: "B",
    auth: "A",
    tokenHash: id,
    language: "ru" as const,
    services: ["vtb"],
    renewedAtMs: T0,
  });

  test("a shard takes 800, and one that is known can still change", () => {
    const full = new Map(
      Array.from({ length: MAX_IN_SHARD }, (_, at) => {
        const id = String(at);
        return [id, visitorOf(id, `https://fcm.googleapis.com/${id}`)] as const;
      }),
    );
    const next = visitorOf("new", "https://fcm.googleapis.com/new");
    expect(applyVisitorEdit(full, { kind: "subscribe", visitor: next }).result).toBe("limit-all");
    const again = { ...visitorOf("1", "https://fcm.googleapis.com/1"), tokenHash: "other" };
    expect(applyVisitorEdit(full, { kind: "subscribe", visitor: again }).result).toBe("kept");
  });

  test("made-up ones that fill a shard give their places to new ones, the oldest first", () => {
    const [real, newest] = [T0 - DAY_MS, T0 + 1];
    const full: VisitorShard = new Map(
      Array.from({ length: MAX_IN_SHARD }, (_, at) => {
        const id = String(at);
        const visitor = visitorOf(id, `https://fcm.googleapis.com/${id}`);
        if (at === 0) return [id, { ...visitor, renewedAtMs: real }] as const;
        return [id, { ...visitor, renewedAtMs: T0 - at, isUntried: true }] as const;
      }),
    );
    const next = { ...visitorOf("new", "https://fcm.googleapis.com/new"), renewedAtMs: newest };
    const { shard, result } = applyVisitorEdit(full, { kind: "subscribe", visitor: next });
    expect([result, shard.size, shard.has("new"), shard.has("0")]).toEqual([
      "kept",
      MAX_IN_SHARD,
      true,
      true,
    ]);
    expect([...full.keys()].filter((id) => !shard.has(id))).toEqual([String(MAX_IN_SHARD - 1)]);
  });

  test("the networks of one block have 3,000 subscriptions a day together", async () => {
    const { ask } = createVisitorHarness();
    let kept = 0;
    let code: unknown;
    for (let at = 0; at < 3_001; at += 1) {
      const from = `2001:db8:${at.toString(16)}::1`;
      const answer = await ask("POST", "/push", { body: bodyOf(`a${at}`), from });
      if (answer.status === 201) kept += 1;
      else ({ code } = answer.body);
    }
    expect([kept, code]).toEqual([3_000, "limit-network"]);
    const other = await ask("POST", "/push", { body: bodyOf("b"), from: "2001:db9::1" });
    expect(other.status).toBe(201);
  });

  test("a domain that is no maker's of browsers has two in a shard", () => {
    let shard: VisitorShard = new Map();
    const results = ["a", "b", "c"].map((id) => {
      const visitor = visitorOf(id, `https://${id}.victim.example/${id}`);
      const applied = applyVisitorEdit(shard, { kind: "subscribe", visitor });
      ({ shard } = applied);
      return applied.result;
    });
    expect(results).toEqual(["kept", "kept", "limit-host"]);
  });

  test.each([
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "db5p.notify.windows.com",
    "web.push.apple.com",
  ])("at %s, a maker's of browsers, a shard has as many as come", (host) => {
    let shard: VisitorShard = new Map();
    for (const id of ["a", "b", "c", "d"]) {
      const visitor = visitorOf(id, `https://${host}/${id}`);
      const applied = applyVisitorEdit(shard, { kind: "subscribe", visitor });
      expect(applied.result).toBe("kept");
      ({ shard } = applied);
    }
    expect(shard.size).toBe(4);
  });

  test("hashes fill the shards evenly", async () => {
    const { sha256Of } = await import("../../src/http-server/json-api.ts");
    const counts = new Map<number, number>();
    for (let at = 0; at < 100_000; at += 1) {
      const shard = visitorShardOf(sha256Of(String(at)));
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(256);
    // The mean is 391; a shard is full at 800.
    expect(Math.max(...counts.values())).toBeLessThan(480);
  });
});
