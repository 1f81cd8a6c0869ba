import { expect, test } from "vitest";
import type { Endpoint, Service } from "../../src/model/service/catalogue.ts";
import type { RunEvent } from "../../src/model/run-event.ts";
import type { FailedOutcome, Outcome } from "../../src/model/probe-outcome.ts";
import type { Baseline } from "../../src/probe/confirm-change.ts";
import { createPool } from "../../src/probe/pool.ts";
import { probeServices, type SurveyDependencies } from "../../src/probe/probe-services.ts";
import { NEVER, wordFor } from "./harness.ts";

const counts = { redirects: 0, bodyBytes: 0, rawBytes: 0 };
const trace = { url: "https://a.test/", ...counts, tlsVerified: true, timings: { totalMs: 1 } };
const ok: Outcome = { kind: "ok", trace };
const dead: FailedOutcome = { kind: "failed", stage: "tcp", code: "tcp-timeout", trace };

function service(slug: string, urls: readonly string[]): Service {
  const endpoints = urls.map((url) => {
    return { url, what: "page", isCritical: true, trust: "public" } as const;
  });
  return {
    slug,
    name: slug,
    category: "banks",
    endpoints,
    annotations: [],
    aliases: [],
    isAbroad: false,
  };
}

interface Workspace {
  readonly deps: SurveyDependencies;
  readonly events: RunEvent[];
  /** URLs in the order in which they were probed. */
  readonly probed: string[];
}

function setUp(
  outcomeOf: (url: string) => Outcome,
  lastStates: Readonly<Record<string, Baseline["lastState"]>> = {},
  parts: Partial<SurveyDependencies> = {},
): Workspace {
  const events: RunEvent[] = [];
  const probed: string[] = [];
  const deps: SurveyDependencies = {
    probe: async ({ url }, _attempt, signal) => {
      if (signal.aborted) return { kind: "skipped", reason: "deadline" };
      probed.push(url);
      return outcomeOf(url);
    },
    pool: createPool({ concurrency: 2, perHost: 1 }),
    neighbours: [],
    networkOf: (address) => address,
    backgroundOf: ({ url }) => ({ lastState: lastStates[url] ?? "healthy", slowMs: 2_000 }),
    confirmDelaysMs: [10, 20],
    signal: NEVER,
    sleep: async () => {},
    now: () => 0,
    emit: (event) => void events.push(event),
    ...parts,
  };
  return { deps, events, probed };
}

const URLS = ["https://a.test/1", "https://a.test/2", "https://b.test/", "https://c.test/"];
const SERVICES = [service("one", URLS.slice(0, 3)), service("two", URLS.slice(3))];

test("every endpoint is measured and its progress reported", async () => {
  const stage = setUp(() => ok);
  const results = await probeServices(SERVICES, stage.deps);
  expect([...results.keys()].toSorted()).toEqual(URLS);
  const measured = stage.events.filter((event) => event.event === "endpoint-measured");
  expect(measured.map(({ done, total }) => [done, total])).toEqual([
    [1, 4],
    [2, 4],
    [3, 4],
    [4, 4],
  ]);
  expect(measured.find(({ url }) => url === URLS[3])).toEqual({
    event: "endpoint-measured",
    slug: "two",
    url: URLS[3],
    result: { outcome: ok, isFlaky: false, attempts: [ok] },
    wasHealthy: true,
    done: expect.any(Number),
    total: 4,
  });
});

test("an endpoint that was not healthy before is reported as such", async () => {
  const stage = setUp(() => ok, { "https://a.test/1": "suspect", "https://a.test/2": "unknown" });
  await probeServices(SERVICES, stage.deps);
  const measured = stage.events.filter((event) => event.event === "endpoint-measured");
  const wasHealthy = new Map(measured.map((event) => [event.url, event.wasHealthy]));
  expect(URLS.map((url) => wasHealthy.get(url))).toEqual([false, false, true, true]);
});

test("what a browser gets belongs to the result, and its waits are reported", async () => {
  const url = "https://a.test/";
  const all = [service("one", [url, "https://b.test/"])];
  const slept: unknown[] = [];
  const stage = setUp(
    () => ok,
    {},
    {
      askBrowser: async (asked, endpoint, result, wait) => {
        if (endpoint.url !== url) return undefined;
        expect([asked, result]).toEqual([all[0], { outcome: ok, isFlaky: false, attempts: [ok] }]);
        await wait(7_000);
        return { isOpen: true, atMs: 5 };
      },
      sleep: async (...given) => void slept.push(given),
    },
  );
  const results = await probeServices(all, stage.deps);
  const plain = { outcome: ok, isFlaky: false, attempts: [ok] };
  expect(Object.fromEntries(results)).toEqual({
    "https://b.test/": plain,
    [url]: { ...plain, browser: { isOpen: true, atMs: 5 } },
  });
  expect(slept).toEqual([[7_000, NEVER]]);
  expect(stage.events.filter(({ event }) => event === "confirming")).toEqual([
    { event: "confirming", slug: "one", url, attempt: 1, waitMs: 7_000 },
  ]);
});

test("the head start of an experiment ends with the experiment, or with the run", async () => {
  const url = "https://a.test/";
  const failure: FailedOutcome = { ...dead, stage: "tls", code: "tls-reset" };
  const ends: { readonly ms: number; readonly signal: AbortSignal }[] = [];
  const stop = new AbortController();
  const stage = setUp(
    () => ok,
    {},
    {
      backgroundOf: () => ({ lastState: "failing", slowMs: 2_000, failure }),
      experiment: async () => [],
      signal: stop.signal,
      sleep: async (ms, signal) => void ends.push({ ms, signal }),
      confirmDelaysMs: [],
    },
  );
  await probeServices([service("one", [url])], stage.deps);
  expect(ends.map(({ ms, signal }) => [ms, signal.aborted])).toEqual([[3_000, true]]);
  const unfinished = setUp(
    () => ok,
    {},
    {
      ...stage.deps,
      experiment: () => new Promise(() => {}),
      sleep: async (_, signal) => {
        stop.abort("deadline");
        expect(signal.aborted).toBe(true);
      },
    },
  );
  await probeServices([service("one", [url])], unfinished.deps);
  expect.assertions(2);
});

test("failing endpoints are probed first", async () => {
  const stage = setUp((url) => (url === URLS[3] ? dead : ok), { "https://c.test/": "failing" });
  await probeServices(SERVICES, stage.deps);
  expect(stage.probed[0]).toBe(URLS[3]);
  expect(stage.probed).toHaveLength(4);
});

test("a failure is confirmed, and each wait is reported", async () => {
  const stage = setUp((url) => (url === URLS[2] ? dead : ok));
  const results = await probeServices(SERVICES, stage.deps);
  expect(results.get("https://b.test/")?.attempts.map(wordFor)).toEqual(
    Array(3).fill("tcp-timeout"),
  );
  const waits = stage.events.filter((event) => event.event === "confirming");
  expect(waits).toEqual([
    { event: "confirming", slug: "one", url: URLS[2], attempt: 1, waitMs: 10 },
    { event: "confirming", slug: "one", url: URLS[2], attempt: 2, waitMs: 20 },
  ]);
});

test("an endpoint not probed before the deadline is skipped", async () => {
  const deadline = new AbortController();
  const stage = setUp(
    () => {
      deadline.abort("deadline");
      return ok;
    },
    {},
    { signal: deadline.signal, pool: createPool({ concurrency: 1, perHost: 1 }) },
  );
  const results = await probeServices(SERVICES, stage.deps);
  const words = URLS.map((url) => results.get(url)).map((one) => one && wordFor(one.outcome));
  expect(words.filter((word) => word === "ok")).toHaveLength(1);
  expect(words.filter((word) => word === "deadline")).toHaveLength(3);
  expect(stage.probed).toHaveLength(1);
});

test("a failure not confirmed before the deadline is skipped", async () => {
  const deadline = new AbortController();
  const stage = setUp(
    () => dead,
    {},
    {
      signal: deadline.signal,
      sleep: async () => deadline.abort("deadline"),
    },
  );
  const results = await probeServices([service("one", ["https://a.test/"])], stage.deps);
  expect(results.get("https://a.test/")).toMatchObject({
    outcome: { kind: "skipped", reason: "unconfirmed" },
  });
});

test("a failure gets one more attempt if nothing else of its service fails", async () => {
  const main = "https://main.test/";
  const side = "https://side.test/";
  const plain = serviceWithCritical(main, [side]);
  const triesAtMain = async (failing: readonly string[], all: Service): Promise<number> => {
    const closed: Outcome = { ...dead, code: "tcp-refused" };
    const stage = setUp((url) => (failing.includes(url) ? closed : ok), {}, { doubtDelayMs: 30 });
    const results = await probeServices([all], stage.deps);
    return results.get(main)?.attempts.length ?? 0;
  };
  expect(await triesAtMain([main], plain)).toBe(4);
  // The side endpoint supports the failure.
  expect(await triesAtMain([main, side], plain)).toBe(3);
  // Whether it is critical does not matter: each lone failure may be a glitch of one machine.
  const both = { ...plain, endpoints: plain.endpoints.map(critical) };
  expect(await triesAtMain([main], both)).toBe(4);
  const unmarked = { ...plain, endpoints: plain.endpoints.map(notCritical) };
  expect(await triesAtMain([main], unmarked)).toBe(4);
});

test("an endpoint that has answered since supports no failure of its service", async () => {
  const [main, side] = ["https://main.test/", "https://side.test/"] as const;
  const closed: Outcome = { ...dead, code: "tcp-refused" };
  let sideProbes = 0;
  const outcomeOf = (url: string): Outcome => {
    if (url === main) return closed;
    sideProbes += 1;
    return sideProbes === 1 ? closed : ok;
  };
  const stage = setUp(outcomeOf, {}, { doubtDelayMs: 30 });
  const results = await probeServices([service("one", [main, side])], stage.deps);
  expect(results.get(side)?.attempts).toHaveLength(2);
  expect(results.get(main)?.attempts).toHaveLength(4);
});

const critical = (endpoint: Endpoint): Endpoint => ({ ...endpoint, isCritical: true });
const notCritical = (endpoint: Endpoint): Endpoint => ({ ...endpoint, isCritical: false });

function serviceWithCritical(main: string, others: readonly string[]): Service {
  const all = service("one", [main, ...others]);
  const endpoints = all.endpoints.map((one) => (one.url === main ? one : notCritical(one)));
  return { ...all, endpoints };
}

test("an experiment gets the failure, the neighbours and the signal, within the pool", async () => {
  const url = "https://a.test/";
  const failed: Outcome = {
    kind: "failed",
    stage: "tls",
    code: "tls-reset",
    trace: {
      url,
      redirects: 0,
      bodyBytes: 0,
      rawBytes: 0,
      tlsVerified: null,
      timings: { totalMs: 1 },
    },
  };
  const target = { url: "https://b.test/", trust: "public" } as const;
  const neighbours = [{ address: "192.0.2.1", target, isLarge: false }];
  const asked: unknown[] = [];
  const hosts: string[] = [];
  const { deps } = setUp(
    () => failed,
    {},
    {
      neighbours,
      seenAddressOf: (one) => (one === url ? "192.0.2.9" : undefined),
      experiment: async (...given) => {
        asked.push(given);
        return [];
      },
      pool: (host, work) => {
        hosts.push(host);
        return work();
      },
    },
  );
  const results = await probeServices([service("a", [url])], deps);
  expect(asked).toEqual([
    [failed, { neighbours, networkOf: deps.networkOf, seen: "192.0.2.9" }, NEVER],
  ]);
  expect(hosts).toEqual(["a.test", "a.test", "experiment a.test", "a.test"]);
  expect(results.get(url)?.experiment).toEqual([]);
});
