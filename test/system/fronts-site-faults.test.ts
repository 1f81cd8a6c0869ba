import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { Document } from "../../src/model/snapshot.ts";
import { type Answered, ask } from "./ask.ts";
import { findHeaderProblems, type FrontLab, openFrontLab } from "./front-lab.ts";
import type { Edit, Front, FrontName } from "./fronts.ts";
import { MISSING_PAGE, SITE } from "../serve/site-objects.ts";

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];
const MODES = ["refuse", "break", "hang"] as const;

/** A cache of 30 s would make the tests wait for it. */
const ONE_SECOND: Readonly<Record<"nginx" | "varnish", readonly Edit[]>> = {
  nginx: [
    ["proxy_cache_valid 200 30s", "proxy_cache_valid 200 1s"],
    ["proxy_cache_valid 403 404 10s", "proxy_cache_valid 403 404 1s"],
  ],
  varnish: [
    ["beresp.ttl = 30s", "beresp.ttl = 1s"],
    ["beresp.ttl = 10s", "beresp.ttl = 1s"],
  ],
};

let lab: FrontLab;

beforeAll(async () => {
  lab = await openFrontLab(inject("ceph"));
  await lab.publish(SITE);
});

afterEach(() => lab.relay.setMode("pass"));

afterAll(() => lab.close());

function page(text: string): Document {
  return { ...MISSING_PAGE, key: "status/changing", body: Buffer.from(text) };
}

function expectMissing(answer: Answered, body: Uint8Array | string): void {
  expect([answer.status, answer.body]).toEqual([404, Buffer.from(body).toString()]);
  expect(answer.header("content-type")).toBe(
    typeof body === "string" ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
  );
  expect(answer.header("content-security-policy") !== undefined).toBe(typeof body !== "string");
  expect(answer.header("referrer-policy") !== undefined).toBe(typeof body !== "string");
  expect(answer.header("cache-control")).toBe("max-age=60");
  expect(answer.header("retry-after")).toBeUndefined();
  expect(findHeaderProblems(answer)).toEqual([]);
}

// First of all: the page about missing paths is published in what follows.
describe.each(FRONTS)("%s without a page about missing paths", (name) => {
  test("says in JSON that there is nothing, while the store answers and while it does not", async () => {
    const front = await lab.start(name);
    for (const target of ["/nothing", "/status/nobody", "/m/nobody"]) {
      expectMissing(await ask(front.url, target), '{"error":"not found"}');
    }
    await front.stop();
    if (name === "nginx-directory") return;
    const fresh = await lab.start(name);
    for (const mode of MODES) {
      await lab.relay.setMode(mode);
      expectMissing(await ask(fresh.url, `/nothing-${mode}`), '{"error":"not found"}');
    }
    await fresh.stop();
  });
});

describe.each(["nginx", "varnish"] as const)("%s, while the store is down", (name) => {
  let front: Front;

  beforeAll(async () => {
    await lab.publish([MISSING_PAGE]);
    front = await lab.start(name, { edits: ONE_SECOND[name] });
  });

  afterAll(() => front.stop());

  test.each(MODES)("(%s) still serves the pages it has, and says what is missing", async (mode) => {
    await lab.publish([page(`before ${mode}`)]);
    await vi.waitFor(
      async () => expect((await ask(front.url, "/status/changing")).body).toBe(`before ${mode}`),
      { timeout: 20_000, interval: 250 },
    );
    expectMissing(await ask(front.url, "/nothing"), MISSING_PAGE.body);
    await lab.relay.setMode(mode);
    await sleep(2_500);
    const startedMs = performance.now();
    const [stale, nothing, never] = await Promise.all([
      ask(front.url, "/status/changing"),
      ask(front.url, `/nothing-${mode}`),
      ask(front.url, `/m/never-asked-before`),
    ]);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
    expect([stale.status, stale.body]).toEqual([200, `before ${mode}`]);
    expect(stale.header("content-security-policy")).toMatch(/frame-ancestors 'none'/u);
    expectMissing(nothing, MISSING_PAGE.body);
    // Nobody knows whether it is there.
    expect([never.status, never.body]).toEqual([503, '{"error":"temporarily unavailable"}']);
    expect(never.header("content-security-policy")).toBeUndefined();
    expect(never.header("referrer-policy")).toBeUndefined();
    expect(findHeaderProblems(never)).toEqual([]);
    await lab.relay.setMode("pass");
    await lab.publish([page(`after ${mode}`)]);
    await vi.waitFor(
      async () => expect((await ask(front.url, "/status/changing")).body).toBe(`after ${mode}`),
      { timeout: 20_000, interval: 250 },
    );
  });
});

describe.each(FRONTS)("%s", (name) => {
  test("shows a new page within ten seconds of its first 404", async () => {
    await lab.publish([MISSING_PAGE]);
    const front = await lab.start(name);
    const path = `/m/new-${name}`;
    expectMissing(await ask(front.url, path), MISSING_PAGE.body);
    await lab.publish([{ ...MISSING_PAGE, key: path.slice(1), body: Buffer.from("new") }]);
    await vi.waitFor(
      async () => {
        const { status, body } = await ask(front.url, path);
        expect([status, body]).toEqual([200, "new"]);
      },
      { timeout: 12_000, interval: 500 },
    );
    await front.stop();
  });

  test("tells a flood of lost readers, within the limits it has, out of one page", async () => {
    await lab.publish([MISSING_PAGE]);
    const front = await lab.start(name);
    const before = lab.relay.seen.length;
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, at) => ask(front.url, `/lost/${at}`, { from: "127.0.9.3" })),
    );
    const told = answers.filter(({ status }) => status === 404);
    for (const answer of told) expectMissing(answer, MISSING_PAGE.body);
    const refused = answers.filter(({ status }) => status === 429);
    expect(told.length + refused.length).toBe(400);
    for (const answer of refused) {
      expect(answer.body).toBe('{"error":"too many requests"}');
      expect(answer.header("cache-control")).toBe("no-store");
      expect(answer.header("retry-after")).toBe("1");
      expect(answer.header("referrer-policy")).toBeUndefined();
      expect(findHeaderProblems(answer)).toEqual([]);
    }
    const isLimited = name.startsWith("nginx");
    expect(refused.length > 0).toBe(isLimited);
    expect(told.length).toBeGreaterThanOrEqual(isLimited ? 200 : 400);
    // Caddy keeps nothing; the caches keep one page for all paths.
    const asked = lab.relay.seen.length - before;
    if (name === "nginx" || name === "varnish") expect(asked).toBeLessThan(10);
    await front.stop();
  });
});
