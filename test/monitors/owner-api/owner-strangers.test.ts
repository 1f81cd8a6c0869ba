import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../src/model/time.ts";
import { OWNER_LIMITS } from "../../../src/monitors/owner-api/owner-index.ts";
import type { Answer } from "../../http-server/behind-proxy.ts";
import { createOwnerHarness, NOTHING, type OwnerHarness } from "./owner-harness.ts";

describe("a key", () => {
  test.each([
    ["none", undefined],
    ["of another monitor", "other"],
    ["with one letter changed", "changed"],
    ["in capitals", "CAPITALS"],
    ["too short", "short"],
  ])("%s is the same 404 as an unknown id", async (_, which) => {
    const { ask, prove, register } = createOwnerHarness();
    const { id, token } = await prove();
    const other = await register();
    const keys: Readonly<Record<string, string>> = {
      other: other.token,
      changed: (token.startsWith("A") ? "B" : "A") + token.slice(1),
      CAPITALS: token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase(),
      short: token.slice(1),
    };
    const key = which === undefined ? undefined : keys[which];
    const unknown = await ask("GET", "/monitors/unknown", { key });
    for (const [method, path, body] of [
      ["GET", "", undefined],
      ["PATCH", "", { name: "x" }],
      ["DELETE", "", undefined],
      ["POST", "/verify", undefined],
      ["POST", "/restore", undefined],
    ] as const) {
      const answer = await ask(method, `/monitors/${id}${path}`, { key, body });
      expect([method, path, answer.status, answer.text]).toEqual([method, path, 404, unknown.text]);
    }
  });

  test("is stored as a hash alone", async () => {
    const { prove, edits } = createOwnerHarness();
    const { token } = await prove();
    expect(JSON.stringify(edits)).not.toContain(token);
  });

  test("that was asked for opens nothing but its own request before it is proved", async () => {
    const { ask, prove, putFile } = createOwnerHarness();
    const { id, token: old } = await prove();
    const { body: asked } = await ask("POST", `/monitors/${id}/token`);
    const key: string = asked.token;
    const seen = await ask("GET", `/monitors/${id}`, { key });
    expect(Object.keys(seen.body).toSorted()).toEqual(["challenges", "id", "lastLook", "status"]);
    for (const [method, path, body] of [
      ["PATCH", "", { name: "x" }],
      ["DELETE", "", undefined],
      ["POST", "/restore", undefined],
    ] as const)
      expect((await ask(method, `/monitors/${id}${path}`, { key, body })).body.code).toBe(
        "not-proved",
      );
    const owner = await ask("GET", `/monitors/${id}`, { key: old });
    expect(owner.text).not.toContain(asked.challenge.token);
    putFile(asked.challenge);
    const verified = await ask("POST", `/monitors/${id}/verify`, { key });
    expect(verified.body.status).toBe("proved");
    expect((await ask("GET", `/monitors/${id}`, { key: old })).status).toBe(404);
    expect((await ask("GET", `/monitors/${id}`, { key })).body.status).toBe("proved");
  });

  test.each([
    ["a private monitor does not", {}, false],
    ["a public monitor does", { public: true }, true],
  ])("that a stranger asks for of %s tell the site", async (_, more, isTold) => {
    const { ask, prove } = createOwnerHarness();
    const { id } = await prove("https://shop.example.ru/secret-path", more);
    const asked = await ask("POST", `/monitors/${id}/token`);
    const key: string = asked.body.token;
    const verified = await ask("POST", `/monitors/${id}/verify`, { key });
    const seen = await ask("GET", `/monitors/${id}`, { key });
    for (const { text } of [asked, verified, seen])
      expect([text.includes("shop.example.ru"), text.includes("secret")]).toEqual([isTold, isTold]);
    if (!isTold)
      expect(asked.body.challenge).toMatchObject({
        file: { url: `/.well-known/status-snapshot/${id}.txt` },
        dns: { name: "_status-snapshot-challenge" },
      });
  });

  test("that a stranger asks for does not take the owner's away", async () => {
    const { ask, prove } = createOwnerHarness();
    const { id, token: key } = await prove();
    for (let times = 0; times < 40; times += 1) {
      const from = `203.${times}.100.1`;
      expect((await ask("POST", `/monitors/${id}/token`, { from })).status).toBe(201);
    }
    expect((await ask("POST", `/monitors/${id}/verify`, { key })).body.status).toBe("proved");
    expect((await ask("GET", `/monitors/${id}`, { key })).status).toBe(200);
  });
});

describe("the limit", () => {
  const add = ({ ask }: OwnerHarness, url: string, from: string) =>
    ask("POST", "/monitors", { body: { url }, from });

  test("of a network is ten open challenges, until they are over", async () => {
    const harness = createOwnerHarness();
    for (let at = 0; at < 10; at += 1)
      expect((await add(harness, `https://a${at}.ru/`, "198.51.100.9")).status).toBe(201);
    const late = await add(harness, "https://b.ru/", "198.51.100.200");
    expect([late.status, late.body.code]).toEqual([429, "limit-network"]);
    expect((await add(harness, "https://b.ru/", "198.51.101.9")).status).toBe(201);
    harness.clock.nowMs += DAY_MS;
    harness.intake.tick();
    expect((await add(harness, "https://c.ru/", "198.51.100.9")).status).toBe(201);
  });

  const isThere = async ({ ask }: OwnerHarness, { id, token }: Answer["body"]): Promise<boolean> =>
    (await ask("GET", `/monitors/${id}`, { key: token })).status === 200;

  test("of a host counts what is proved; of what waits, a new one displaces another", async () => {
    const harness = createOwnerHarness();
    // Before its owner, who comes last, strangers of four networks take every place.
    const strangers: Answer["body"][] = [];
    for (let at = 0; at < 12; at += 1)
      strangers.push((await add(harness, `https://shop.ru/${at}`, `198.${at % 4}.1.1`)).body);
    const owner = await add(harness, "https://shop.ru/", "203.0.113.1");
    expect(owner.status).toBe(201);
    expect(await isThere(harness, owner.body)).toBe(true);
    const left = await Promise.all(strangers.map((one) => isThere(harness, one)));
    expect(left.filter(Boolean)).toHaveLength(9);
    for (let at = 0; at < 10; at += 1) await harness.prove(`https://full.ru/${at}`);
    const late = await add(harness, "https://full.ru/", "203.0.113.2");
    expect([late.status, late.body.code]).toEqual([409, "limit-host"]);
  });

  test("of a domain counts what is proved on all its hosts", async () => {
    const harness = createOwnerHarness({ limits: { ...OWNER_LIMITS, perDomain: 2 } });
    for (const name of ["a", "b"]) await harness.prove(`https://${name}.shop.ru/`);
    const late = await add(harness, "https://c.shop.ru/", "203.0.113.2");
    expect([late.status, late.body.code]).toEqual([409, "limit-domain"]);
    expect((await add(harness, "https://c.blog.ru/", "203.0.113.2")).status).toBe(201);
  });

  test("of one network at a host makes it displace its own oldest", async () => {
    const harness = createOwnerHarness();
    const other = await add(harness, "https://shop.ru/", "203.0.113.1");
    const mine: Answer["body"][] = [];
    for (let at = 0; at < 4; at += 1) {
      harness.clock.nowMs += 1;
      mine.push((await add(harness, `https://shop.ru/${at}`, "198.51.100.9")).body);
    }
    const left = await Promise.all(mine.map((one) => isThere(harness, one)));
    expect(left).toEqual([false, true, true, true]);
    expect(await isThere(harness, other.body)).toBe(true);
  });

  test("of a domain too, for each public suffix apart", async () => {
    const harness = createOwnerHarness();
    const first = await add(harness, "https://first.example.co.uk/", "203.0.113.1");
    // Four /48 of one /32, six each: they displace one another.
    for (let at = 0; at < 24; at += 1) {
      const url = `https://h${at}.example.co.uk/`;
      expect((await add(harness, url, `2a01:db8:${at % 4}::1`)).status).toBe(201);
    }
    expect(await isThere(harness, first.body)).toBe(true);
    const more = await add(harness, "https://new.example.co.uk/", "203.0.113.2");
    expect(more.status).toBe(201);
    expect(await isThere(harness, more.body)).toBe(true);
    expect((await add(harness, "https://other.co.uk/", "203.0.113.2")).status).toBe(201);
  });

  test("of all that wait displaces those of the block that has most", async () => {
    const limits = { ...OWNER_LIMITS, pendingInAll: 50 };
    const harness = createOwnerHarness({ limits });
    const honest: Answer["body"][] = [];
    for (let at = 0; at < 5; at += 1)
      honest.push((await add(harness, `https://honest${at}.ru/`, `203.${at}.113.1`)).body);
    for (let at = 0; at < 300; at += 1) {
      const url = `https://stranger${at}.ru/`;
      expect((await add(harness, url, `2a01:db8:${at.toString(16)}::1`)).status).toBe(201);
    }
    honest.push((await add(harness, "https://late.ru/", "203.99.113.1")).body);
    expect(await Promise.all(honest.map((one) => isThere(harness, one)))).toEqual(
      honest.map(() => true),
    );
    const { published } = harness;
    for (const { challenge } of honest) published.set(challenge.file.url, challenge.file.content);
    for (const { id, token: key } of honest)
      expect((await harness.ask("POST", `/monitors/${id}/verify`, { key })).body.status).toBe(
        "proved",
      );
  });

  test("a refused write displaces nothing", async () => {
    const harness = createOwnerHarness({ limits: { ...OWNER_LIMITS, perHost: 1 } });
    const first = await add(harness, "https://shop.ru/", "203.0.113.1");
    harness.store.isDown = true;
    expect((await add(harness, "https://shop.ru/", "203.1.113.1")).status).toBe(503);
    harness.store.isDown = false;
    expect(await isThere(harness, first.body)).toBe(true);
  });

  test("of a host counts moves where they lead", async () => {
    const harness = createOwnerHarness();
    const answers: number[] = [];
    for (let at = 0; at < 11; at += 1) {
      const { id, token: key } = await harness.prove(`https://mine${at}.ru/`);
      const body = { url: `https://target.ru/${at}` };
      const from = `198.51.${at}.1`;
      answers.push((await harness.ask("PATCH", `/monitors/${id}`, { key, body, from })).status);
    }
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 200), 409]);
    expect((await add(harness, "https://target.ru/", "203.0.113.9")).status).toBe(201);
  });

  test("counts what is being written, so that a race does not pass it", async () => {
    const harness = createOwnerHarness({ limits: { ...OWNER_LIMITS, perHost: 1 } });
    const both = await Promise.all(
      [1, 2, 3].map((at) => add(harness, "https://shop.ru/", `203.0.${at}.1`)),
    );
    const left = await Promise.all(both.map(({ body }) => isThere(harness, body)));
    expect(left).toEqual([false, false, true]);
  });
});

describe("a request", () => {
  const BODY = { url: "https://shop.example.ru/" };

  test.each([
    ["a page of ours", { Origin: "https://status.example.ru" }, 201],
    ["an allowed page", { Origin: "https://partner.example" }, 201],
    ["a page of another site", { Origin: "https://evil.example" }, 403],
    ["a sandboxed frame", { Origin: "null", "Sec-Fetch-Site": "cross-site" }, 403],
    ["no page", {}, 201],
  ])("from %s", async (_, headers, status) => {
    const { ask } = createOwnerHarness();
    const answer = await ask("POST", "/monitors", { body: BODY, headers });
    expect(answer.status).toBe(status);
    const allowed = "Origin" in headers && status === 201 ? headers.Origin : null;
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(allowed);
  });

  test.each<readonly [string, string | undefined, string | undefined, number, string]>([
    [
      "a form",
      "application/x-www-form-urlencoded",
      "url=https%3A%2F%2Fa.ru",
      415,
      "unknown-media-type",
    ],
    ["no type", "", "{}", 415, "unknown-media-type"],
    ["no JSON", undefined, "{", 400, "malformed"],
    ["a list", undefined, "[]", 400, "malformed"],
    ["two objects", undefined, "{}{}", 400, "malformed"],
    ["deep nesting", undefined, `{"expect":${"[".repeat(50)}`, 400, "malformed"],
    ["a duplicate key", undefined, '{"url":"https://a.ru","url":"https://b.ru"}', 422, "invalid"],
    ["a prototype", undefined, '{"url":"https://a.ru","__proto__":{}}', 422, "invalid"],
    ["an id", undefined, '{"url":"https://a.ru","id":"mine"}', 422, "invalid"],
    ["no URL", undefined, "{}", 422, "invalid"],
    ["17 KiB", undefined, `{"name":"${"x".repeat(17_000)}"}`, 413, "too-large"],
  ])("with %s is refused", async (_, type, body, status, code) => {
    const { ask, edits } = createOwnerHarness();
    const headers = type === undefined ? {} : { "Content-Type": type };
    const answer = await ask("POST", "/monitors", { body, headers });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    expect(edits).toEqual([]);
  });

  test.each([
    ["GET", "/monitors", 405],
    ["PUT", "/monitors/a", 405],
    ["POST", "/monitors/a", 405],
    ["GET", "/monitors/a/verify", 405],
    ["GET", "/monitors/", 404],
    ["GET", "/monitors/a/", 404],
    ["POST", "/monitors/a/b/verify", 404],
    ["GET", "/monitors/%61", 404],
    ["GET", `/monitors/${"a".repeat(65)}`, 404],
    ["POST", "/monitors/a/VERIFY", 404],
    ["OPTIONS", "/monitors/a", 204],
  ])("%s %s is %i", async (method, path, status) => {
    const { ask } = createOwnerHarness();
    const answer = await ask(method, path);
    expect(answer.status).toBe(status);
    if (status === 405) expect(answer.headers.get("Allow")).toContain("OPTIONS");
  });

  test("of a blocked host is refused", async () => {
    const { ask, intake } = createOwnerHarness();
    intake.update({ ...NOTHING, blockedHosts: ["shop.example.ru"] }, true);
    expect((await ask("POST", "/monitors", { body: BODY })).body.code).toBe("blocked-host");
  });

  test("where owners cannot add monitors is 404", async () => {
    const { ask, intake } = createOwnerHarness();
    intake.update(NOTHING, false);
    expect((await ask("POST", "/monitors", { body: BODY })).body.code).toBe("off");
  });

  test("in a flood of one network is 429, whatever it asks", async () => {
    const { ask } = createOwnerHarness({ requests: { burst: 2, perSecond: 1 } });
    const codes = [1, 2, 3].map(() => ask("GET", "/monitors/a"));
    expect((await Promise.all(codes)).map(({ status }) => status)).toEqual([404, 404, 429]);
  });
});

test("the metrics count edits and refusals, and name no monitor", async () => {
  const { ask, prove, intake } = createOwnerHarness();
  const { id } = await prove();
  await ask("GET", "/monitors/x");
  const text = await intake.metrics();
  expect(text).toContain('status_snapshot_owner_edits_total{kind="proof-seen"} 1');
  expect(text).toContain('status_snapshot_owner_requests_refused_total{problem="unknown"} 1');
  expect(text).toContain("status_snapshot_owner_monitors 1\n");
  expect(text).toContain("status_snapshot_owner_monitors_pending 0\n");
  expect(text).not.toContain(id);
});

test("the limits are those that owners read of", () => {
  const guide = readFileSync(new URL("../../../docs/monitors/owners.md", import.meta.url), "utf8");
  const numbersOf = (what: string): readonly number[] => {
    const [, row = ""] = guide.split(`\n| ${what} `);
    const [line = ""] = row.split("\n");
    return [...line.replaceAll(",", "").matchAll(/ (\d+) (?!in)/gu)].map(([, digits]) =>
      Number(digits),
    );
  };
  const { perNetwork, perHost, perDomain, pendingInAll, ...limits } = OWNER_LIMITS;
  expect({
    network: numbersOf("a network").slice(0, 1),
    host: numbersOf("a host"),
    domain: numbersOf("a registrable domain"),
    all: numbersOf("all"),
  }).toEqual({
    network: [perNetwork],
    host: [perHost, perHost, limits.perNetworkAndHost],
    domain: [perDomain, perDomain, limits.perNetworkAndDomain],
    all: [pendingInAll],
  });
});
