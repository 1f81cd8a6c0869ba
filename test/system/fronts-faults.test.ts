import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { toFileSegments } from "../../src/store/key.ts";
import { type Answered, ask } from "./ask.ts";
import { PATIENCE_MS } from "../patience.ts";
import { findHeaderProblems, type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { Edit, Front, FrontName } from "./fronts.ts";
import { badge, BADGE_ID, detail, putDocuments } from "./public-bucket.ts";
import { SITE } from "../preview/site-objects.ts";

const LIST = "/api/v1/status";
const BADGE = `/api/m/${BADGE_ID}/badge.svg`;
const CACHES = ["nginx", "varnish"] as const;

/** The tests would have to wait for the shipped cache time of 30 s. */
const ONE_SECOND: Readonly<Record<(typeof CACHES)[number], readonly Edit[]>> = {
  nginx: [["proxy_cache_valid 200 30s", "proxy_cache_valid 200 1s"]],
  varnish: [["beresp.ttl = 30s", "beresp.ttl = 1s"]],
};

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
});

afterEach(() => harness.relay.setMode("pass"));

afterAll(() => harness.close());

function expectUnavailable(answer: Answered): void {
  expect([answer.status, answer.body]).toEqual([503, '{"error":"temporarily unavailable"}']);
  expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
  expect(answer.header("cache-control")).toBe("no-store");
  expect(answer.header("content-security-policy")).toBeUndefined();
  expect(answer.header("retry-after")).toBe("10");
  expect(findHeaderProblems(answer)).toEqual([]);
}

// The tests mostly wait, so both fronts are tested concurrently, each with its own store.
describe.concurrent.each(CACHES)("%s, while the store is down", (name) => {
  let harness: FrontHarness;
  let front: Front;

  beforeAll(async () => {
    harness = await openFrontHarness(inject("ceph"));
    front = await harness.start(name, { edits: ONE_SECOND[name] });
  });

  afterEach(() => harness.relay.setMode("pass"));

  afterAll(() => harness.close());

  test.sequential.each(["refuse", "break", "hang"] as const)(
    "(%s) it serves what it has, answers anything else with 503, and recovers",
    async (mode) => {
      await harness.publish([badge(`before ${mode}`)]);
      await vi.waitFor(
        async () => expect((await ask(front.url, BADGE)).body).toContain(`before ${mode}`),
        { timeout: PATIENCE_MS, interval: 250 },
      );
      expect((await ask(front.url, LIST)).status).toBe(200);
      await harness.relay.setMode(mode);
      await sleep(2_500);
      // Each is answered although the store is not: a client without an answer times out, see `ask`.
      const [list, stale, missing] = await Promise.all([
        ask(front.url, LIST),
        ask(front.url, BADGE, { headers: { Origin: "https://site.example" } }),
        ask(front.url, "/api/m/other/badge.svg"),
      ]);
      expect([list.status, JSON.parse(list.body).services.length]).toEqual([200, 85]);
      expect([stale.status, stale.body]).toEqual([200, expect.stringContaining(`before ${mode}`)]);
      expect(findHeaderProblems(list)).toEqual([]);
      expect(findHeaderProblems(stale)).toEqual([]);
      expect(stale.header("content-security-policy")).toMatch(/sandbox/u);
      expectUnavailable(missing);

      await putDocuments(harness.s3, harness.place, [badge(`after ${mode}`)]);
      await harness.relay.setMode("pass");
      await vi.waitFor(
        async () => expect((await ask(front.url, BADGE)).body).toContain(`after ${mode}`),
        { timeout: PATIENCE_MS, interval: 250 },
      );
    },
  );

  test.sequential("an expired object is not served while the store answers", async () => {
    await harness.publish([badge("old")]);
    await vi.waitFor(async () => expect((await ask(front.url, BADGE)).body).toContain("old"), {
      timeout: PATIENCE_MS,
      interval: 250,
    });
    await harness.publish([badge("new")]);
    // Nginx counts in whole seconds.
    await sleep(2_500);
    // Concurrent, so that one finds the request of another to the store in progress.
    const answers = await Promise.all([1, 2, 3].map(() => ask(front.url, BADGE)));
    for (const { body } of answers) expect(body).toContain("new");
  });
});

describe("caddy, which has no cache", () => {
  test.each(["refuse", "break", "hang"] as const)(
    "is 503 while the store is down (%s), and recovers at once",
    async (mode) => {
      const front = await harness.start("caddy");
      expect((await ask(front.url, LIST)).status).toBe(200);
      await harness.relay.setMode(mode);
      expectUnavailable(await ask(front.url, LIST));
      expectUnavailable(await ask(front.url, BADGE));
      await harness.relay.setMode("pass");
      expect((await ask(front.url, LIST)).status).toBe(200);
      await front.stop();
    },
  );
});

describe.concurrent.each<FrontName>(["nginx", "varnish", "caddy", "nginx-directory"])(
  "%s",
  (name) => {
    test("a new service appears soon after its first 404", async () => {
      const front = await harness.start(name);
      const slug = `new-${name}`;
      expect((await ask(front.url, `${LIST}/${slug}`)).status).toBe(404);
      await harness.publish([detail(slug)]);
      const next = await ask(front.url, `${LIST}/${slug}`);
      // Only a cache remembers the 404.
      expect(next.status).toBe(name === "nginx" || name === "varnish" ? 404 : 200);
      await vi.waitFor(
        async () => expect((await ask(front.url, `${LIST}/${slug}`)).status).toBe(200),
        { timeout: PATIENCE_MS, interval: 500 },
      );
      await front.stop();
    });
  },
);

describe.each(["nginx", "nginx-directory"] as const)("%s with too many requests", (name) => {
  test("answers one address with 429 and Retry-After, others with 200", async () => {
    const front = await harness.start(name);
    const burst = await Promise.all(
      Array.from({ length: 300 }, () => ask(front.url, LIST, { from: "127.0.9.1" })),
    );
    const refused = burst.filter(({ status }) => status === 429);
    const served = burst.filter(({ status }) => status === 200);
    expect(refused.length + served.length).toBe(300);
    // A burst of 200, the one in progress, and 10 a second meanwhile.
    expect(served.length).toBeGreaterThanOrEqual(200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) {
      expect(answer.header("retry-after")).toBe("1");
      expect(answer.header("cache-control")).toBe("no-store");
      expect(answer.header("content-type")).toBe("application/json; charset=utf-8");
      expect(answer.body).toBe('{"error":"too many requests"}');
      expect(findHeaderProblems(answer)).toEqual([]);
    }
    expect((await ask(front.url, LIST, { from: "127.0.9.2" })).status).toBe(200);
    await sleep(1_100);
    expect((await ask(front.url, LIST, { from: "127.0.9.1" })).status).toBe(200);
    await front.stop();
  });
});

/** The edits that switch each file to a store with suffixed keys. */
const SUFFIXED: Readonly<Record<"nginx" | "varnish" | "caddy", readonly Edit[]>> = {
  nginx: [
    ["$status_document;\n    #", "$status_unused;\n    #"],
    ['"~^/(?<status_document>', '"~^/(?<status_unused>none'],
    ['# "~^/(?<status_unused>none', '"~^/(?<status_document>'],
    ["$status_page;\n    #", "$status_idle;\n    #"],
    ['"~^/(?<status_page>', '"~^/(?<status_idle>none'],
    ['# "~^/(?<status_idle>none', '"~^/(?<status_page>'],
  ],
  varnish: [
    ['# if (bereq.url ~ "^/api/v1/")', 'if (bereq.url ~ "^/api/v1/")'],
    ['# if (bereq.url ~ "^/(en/)?(status', 'if (bereq.url ~ "^/(en/)?(status'],
    ['/api/v1/status";\n        .interval', '/api/v1/status.json";\n        .interval'],
  ],
  caddy: [
    ['@document {\n\t\timport status_store ""', "@document {\n\t\timport status_store .json"],
    [
      '@page {\n\t\timport status_page\n\t\timport status_store ""',
      "@page {\n\t\timport status_page\n\t\timport status_store .html",
    ],
  ],
};

describe.each(["nginx", "varnish", "caddy"] as const)("%s", (name) => {
  test("can be switched to suffixed keys", async () => {
    const suffixed = [
      ...harness.documents.filter(({ key }) => key.startsWith("api/v1/")).slice(-2),
      ...SITE,
    ];
    // As the store does it.
    const toName = (key: string): string => toFileSegments(key).join("/");
    await putDocuments(harness.s3, harness.place, suffixed, toName);
    const before = harness.relay.seen.length;
    const front = await harness.start(name, { edits: SUFFIXED[name] });
    for (const { key, body } of suffixed) {
      const path = key.replace(/(?:^|(?<=\/))index\.html$/u, "");
      const answer = await ask(front.url, `/${path}`);
      expect([path, answer.status, answer.body]).toEqual([path, 200, Buffer.from(body).toString()]);
      const isPage = key.endsWith("index.html") || toName(key).endsWith(".html");
      expect([path, answer.header("referrer-policy") !== undefined]).toEqual([path, isPage]);
    }
    const asked = harness.relay.seen.slice(before).map(({ target }) => target);
    // The metrics have no extension in any style.
    expect(asked.filter((target) => !/\.[a-z]+$|\/metrics$/u.test(target))).toEqual([]);
    expect((await ask(front.url, BADGE)).status).toBe(200);
    expect((await ask(front.url, `${LIST}.json`)).status).toBe(404);
    await front.stop();
  });
});
