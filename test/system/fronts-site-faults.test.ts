import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import type { Document } from "../../src/model/snapshot.ts";
import { type Answered, ask } from "./ask.ts";
import { PATIENCE_MS } from "../patience.ts";
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

/** Starts fronts at once, does something with each at once, and stops them. */
async function withFronts<Name extends FrontName>(
  names: readonly Name[],
  act: (fronts: ReadonlyMap<Name, Front>) => Promise<void>,
): Promise<void> {
  const started = names.map(async (name) => [name, await lab.start(name)] as const);
  const fronts = new Map(await Promise.all(started));
  await act(fronts);
  await stopAll(fronts);
}

async function stopAll(fronts: ReadonlyMap<string, Front>): Promise<void> {
  await Promise.all([...fronts.values()].map((front) => front.stop()));
}

/** Most of the time goes by in waiting, so all fronts wait at once. */
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

// First of all: the page about missing paths is published in what follows.
test("without a page about missing paths, all say in JSON that there is nothing, while the store answers and while it does not", async () => {
  await withFronts(FRONTS, async (fronts) => {
    await forEach(fronts, async (front, name) => {
      for (const target of ["/nothing", "/status/nobody", "/m/nobody"]) {
        expectMissing(name, await ask(front.url, target), NOTHING);
      }
    });
  });
  await withFronts(["nginx", "varnish", "caddy"], async (fresh) => {
    for (const mode of MODES) {
      await lab.relay.setMode(mode);
      await forEach(fresh, async (front, name) =>
        expectMissing(name, await ask(front.url, `/nothing-${mode}`), NOTHING),
      );
    }
  });
});

describe("while the store is down, fronts that cache", () => {
  let fronts: ReadonlyMap<string, Front>;

  beforeAll(async () => {
    await lab.publish([MISSING_PAGE]);
    const started = (["nginx", "varnish"] as const).map(
      async (name) => [name, await lab.start(name, { edits: ONE_SECOND[name] })] as const,
    );
    fronts = new Map(await Promise.all(started));
  });

  afterAll(() => stopAll(fronts));

  /** Waits until every front shows a page that was published. */
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
    "(%s) still serve the pages they have, and say what is missing",
    async (mode) => {
      await lab.publish([page(`before ${mode}`)]);
      await awaitPage(`before ${mode}`);
      await forEach(fronts, async (front, name) =>
        expectMissing(name, await ask(front.url, "/nothing"), MISSING_PAGE.body),
      );
      await lab.relay.setMode(mode);
      await sleep(2_500);
      await forEach(fronts, (front, name) => expectStale(front, name, mode));
      await lab.relay.setMode("pass");
      await lab.publish([page(`after ${mode}`)]);
      await awaitPage(`after ${mode}`);
    },
  );
});

async function expectStale(front: Front, name: string, mode: string): Promise<void> {
  // Each is answered although the store is not: a client that waits in vain gives up, see `ask`.
  const [stale, nothing, never] = await Promise.all([
    ask(front.url, "/status/changing"),
    ask(front.url, `/nothing-${mode}`),
    ask(front.url, `/m/never-asked-before`),
  ]);
  expect([name, stale.status, stale.body]).toEqual([name, 200, `before ${mode}`]);
  expect(stale.header("content-security-policy"), name).toMatch(/frame-ancestors 'none'/u);
  expectMissing(name, nothing, MISSING_PAGE.body);
  // Nobody knows whether it is there.
  const unavailable = '{"error":"temporarily unavailable"}';
  expect([name, never.status, never.body]).toEqual([name, 503, unavailable]);
  expect(never.header("content-security-policy"), name).toBeUndefined();
  expect(never.header("referrer-policy"), name).toBeUndefined();
  expect(findHeaderProblems(never), name).toEqual([]);
}

test("every front shows a new page soon after its first 404", async () => {
  await lab.publish([MISSING_PAGE]);
  await withFronts(FRONTS, async (fronts) => {
    await forEach(fronts, async (front, name) => {
      const path = `/m/new-${name}`;
      expectMissing(name, await ask(front.url, path), MISSING_PAGE.body);
      await lab.publish([{ ...MISSING_PAGE, key: path.slice(1), body: Buffer.from("new") }]);
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
  "%s tells a flood of lost readers, within the limits it has, out of one page",
  async (name) => {
    await lab.publish([MISSING_PAGE]);
    const front = await lab.start(name);
    const before = lab.relay.seen.length;
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
    // Caddy keeps nothing; the caches keep one page for all paths.
    const asked = lab.relay.seen.length - before;
    if (name === "nginx" || name === "varnish") expect(asked).toBeLessThan(10);
    await front.stop();
  },
);
