import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { Document } from "../../src/model/service/snapshot.ts";
import { type Answered, ask } from "./ask.ts";
import { PATIENCE_MS } from "../patience.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Edit, Front, FrontName } from "./fronts.ts";
import { MISSING_PAGE, SITE } from "../preview/site-objects.ts";

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];
const MODES = ["refuse", "break", "hang"] as const;

/** The tests would have to wait for the shipped cache times. */
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

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
  await harness.publish(SITE);
});

afterEach(() => harness.relay.setMode("pass"));

afterAll(() => harness.close());

function page(text: string): Document {
  return { ...MISSING_PAGE, key: "status/changing", body: Buffer.from(text) };
}

/** Starts fronts concurrently, runs `act`, and stops them. */
async function withFronts<Name extends FrontName>(
  names: readonly Name[],
  act: (fronts: ReadonlyMap<Name, Front>) => Promise<void>,
): Promise<void> {
  const started = names.map(async (name) => [name, await harness.start(name)] as const);
  const fronts = new Map(await Promise.all(started));
  await act(fronts);
  await stopAll(fronts);
}

async function stopAll(fronts: ReadonlyMap<string, Front>): Promise<void> {
  await Promise.all([...fronts.values()].map((front) => front.stop()));
}

/** The tests mostly wait, so all fronts are tested concurrently. */
async function forEach<Name>(
  fronts: ReadonlyMap<Name, Front>,
  act: (front: Front, name: Name) => Promise<void>,
): Promise<void> {
  await Promise.all([...fronts].map(([name, front]) => act(front, name)));
}

function expectMissing(name: string, answer: Answered, body: Uint8Array | string): void {
  expect([name, answer.status, answer.body]).toEqual([name, 404, Buffer.from(body).toString()]);
  expect(answer.header("content-type"), name).toBe(
    typeof body === "string" ? "application/json; charset=utf-8" : "text/html; charset=utf-8",
  );
  const isPage = typeof body !== "string";
  expect(answer.header("content-security-policy") !== undefined, name).toBe(isPage);
  expect(answer.header("referrer-policy") !== undefined, name).toBe(isPage);
  expect(answer.header("cache-control"), name).toBe("max-age=60");
  expect(answer.header("retry-after"), name).toBeUndefined();
  expect(findHeaderProblems(answer), name).toEqual([]);
}

const NOTHING = '{"error":"not found"}';

// The first test, because later ones publish the page about missing paths.
test("without a page about missing paths, missing paths are 404 in JSON", async () => {
  await withFronts(FRONTS, async (fronts) => {
    await forEach(fronts, async (front, name) => {
      for (const target of ["/nothing", "/status/nobody", "/m/nobody"]) {
        expectMissing(name, await ask(front.url, target), NOTHING);
      }
    });
  });
  await withFronts(["nginx", "varnish", "caddy"], async (fresh) => {
    for (const mode of MODES) {
      await harness.relay.setMode(mode);
      await forEach(fresh, async (front, name) =>
        expectMissing(name, await ask(front.url, `/nothing-${mode}`), NOTHING),
      );
    }
  });
});

describe("while the store is down, fronts that cache", () => {
  let fronts: ReadonlyMap<string, Front>;

  beforeAll(async () => {
    await harness.publish([MISSING_PAGE]);
    const started = (["nginx", "varnish"] as const).map(
      async (name) => [name, await harness.start(name, { edits: ONE_SECOND[name] })] as const,
    );
    fronts = new Map(await Promise.all(started));
  });

  afterAll(() => stopAll(fronts));

  /** Waits until every front serves the published page. */
  const awaitPage = (text: string): Promise<void> =>
    forEach(fronts, async (front, name) => {
      await vi.waitFor(
        async () => {
          const { body } = await ask(front.url, "/status/changing");
          expect([name, body]).toEqual([name, text]);
        },
        { timeout: PATIENCE_MS, interval: 250 },
      );
    });

  test.each(MODES)(
    "(%s) still serve the pages they have, and the page about missing paths",
    async (mode) => {
      await harness.publish([page(`before ${mode}`)]);
      await awaitPage(`before ${mode}`);
      await forEach(fronts, async (front, name) =>
        expectMissing(name, await ask(front.url, "/nothing"), MISSING_PAGE.body),
      );
      await harness.relay.setMode(mode);
      await sleep(2_500);
      await forEach(fronts, (front, name) => expectStale(front, name, mode));
      await harness.relay.setMode("pass");
      await harness.publish([page(`after ${mode}`)]);
      await awaitPage(`after ${mode}`);
    },
  );
});

async function expectStale(front: Front, name: string, mode: string): Promise<void> {
  // Each is answered although the store is not: a client without an answer times out, see `ask`.
  const [stale, nothing, never] = await Promise.all([
    ask(front.url, "/status/changing"),
    ask(front.url, `/nothing-${mode}`),
    ask(front.url, `/m/never-asked-before`),
  ]);
  expect([name, stale.status, stale.body]).toEqual([name, 200, `before ${mode}`]);
  expect(stale.header("content-security-policy"), name).toMatch(/frame-ancestors 'none'/u);
  expectMissing(name, nothing, MISSING_PAGE.body);
  // The front cannot know whether it exists.
  const unavailable = '{"error":"temporarily unavailable"}';
  expect([name, never.status, never.body]).toEqual([name, 503, unavailable]);
  expect(never.header("content-security-policy"), name).toBeUndefined();
  expect(never.header("referrer-policy"), name).toBeUndefined();
  expect(findHeaderProblems(never), name).toEqual([]);
}

test("every front shows a new page soon after its first 404", async () => {
  await harness.publish([MISSING_PAGE]);
  await withFronts(FRONTS, async (fronts) => {
    await forEach(fronts, async (front, name) => {
      const path = `/m/new-${name}`;
      expectMissing(name, await ask(front.url, path), MISSING_PAGE.body);
      await harness.publish([{ ...MISSING_PAGE, key: path.slice(1), body: Buffer.from("new") }]);
      await vi.waitFor(
        async () => {
          const { status, body } = await ask(front.url, path);
          expect([name, status, body]).toEqual([name, 200, "new"]);
        },
        { timeout: PATIENCE_MS, interval: 500 },
      );
    });
  });
});

test.each(FRONTS)(
  "%s answers a flood of missing paths with one page, within its limits",
  async (name) => {
    await harness.publish([MISSING_PAGE]);
    const front = await harness.start(name);
    const before = harness.relay.seen.length;
    const answers = await Promise.all(
      Array.from({ length: 400 }, (_, at) => ask(front.url, `/lost/${at}`, { from: "127.0.9.3" })),
    );
    const told = answers.filter(({ status }) => status === 404);
    for (const answer of told) expectMissing(name, answer, MISSING_PAGE.body);
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
    // Caddy has no cache; the caches keep one page for all paths.
    const asked = harness.relay.seen.length - before;
    if (name === "nginx" || name === "varnish") expect(asked).toBeLessThan(10);
    await front.stop();
  },
);
