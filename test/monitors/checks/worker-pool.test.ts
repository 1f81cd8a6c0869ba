import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckTarget } from "../../../src/monitors/checks/check-target.ts";
import {
  startInternetProcess,
  type InternetProcess,
} from "../../simulated-internet/internet-process.ts";
import { countVerdicts, runPool, runPoolHere, type PoolTrial } from "./run-pool.ts";

let internet: InternetProcess;
beforeAll(async () => {
  internet = await startInternetProcess({ behaviours: {} });
});
afterAll(() => internet.close());

function targetsOf(hosts: readonly string[], parts: Partial<CheckTarget> = {}): CheckTarget[] {
  return hosts.map((host) => ({
    id: host,
    url: `https://${host}/`,
    lastState: "unknown",
    ...parts,
  }));
}

const HEALTHY: unknown = { kind: "healthy", totalMs: expect.any(Number) };

/** An order in which every name resolves to the simulated internet. */
function inInternet(trial: PoolTrial): PoolTrial {
  const connectTo = [`:443:127.0.0.1:${internet.tlsPort}`, `:80:127.0.0.1:${internet.httpPort}`];
  const { rootCaFile } = internet;
  return { rootCaFile, ...trial, config: { connectTo, ...trial.config } };
}

/** In a process of its own, to see what it leaves behind. */
const run = (trial: PoolTrial) => runPool(inInternet(trial));
const runHere = (trial: PoolTrial) => runPoolHere(inInternet(trial));

const names = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}.test`);

test("every target gets its own result, whichever thread checked it", async () => {
  // A second thread begins at 500. Without TLS, which the other tests cover.
  const good = names(560, "good");
  await internet.set({
    "gone.test": { kind: "page", status: 404 },
    "moved.test": { kind: "redirect", to: "https://good0.test/" },
    "down.test": { kind: "page", status: 503 },
    "old.test": { kind: "page", certificate: "expired" },
    "flaky.test": { kind: "sequence", steps: [{ kind: "http-close" }, { kind: "page" }] },
    "words.test": { kind: "page", body: "товар в наличии" },
  });
  const reply = await run({
    targets: [
      ...good.map((id) => ({ id, url: `http://${id}/`, lastState: "unknown" as const })),
      ...targetsOf(["gone.test", "moved.test", "down.test", "old.test", "flaky.test"]),
      { id: "404", url: "https://gone.test/", expect: [404], lastState: "unknown" },
      { id: "3xx", url: "https://moved.test/", expect: [302], lastState: "unknown" },
      { id: "words", url: "https://words.test/", body: "в наличии", lastState: "unknown" },
      { id: "no-words", url: "https://words.test/x", body: "нет", lastState: "unknown" },
      { id: "port", url: "https://good1.test:8443/", lastState: "unknown" },
      { id: "host", url: "https://localhost/", lastState: "unknown" },
      { id: "literal", url: "https://[::1]/", lastState: "unknown" },
    ],
    options: { confirmDelaysMs: [100, 200] },
  });
  const verdicts = new Map(reply.verdicts);
  const timesMs = reply.verdicts.flatMap(([, verdict]) =>
    verdict.kind === "healthy" ? [verdict.totalMs ?? Number.NaN] : [],
  );
  for (const ms of timesMs) {
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(ms).toBeLessThanOrEqual(reply.tookMs);
  }
  for (const id of [...good, "moved.test", "flaky.test", "404", "3xx", "words"])
    expect([id, verdicts.get(id)]).toEqual([id, HEALTHY]);
  const failing = (code: string): unknown => ({ kind: "failing", code });
  expect(verdicts.get("gone.test")).toEqual(failing("http-unexpected-status"));
  expect(verdicts.get("down.test")).toEqual(failing("http-server-error"));
  expect(verdicts.get("old.test")).toEqual(failing("cert-expired"));
  expect(verdicts.get("no-words")).toEqual(failing("body-unexpected"));
  for (const id of ["port", "host", "literal"])
    expect(verdicts.get(id)).toEqual({ kind: "refused", code: "url-refused" });
  expect(reply.warnings).toEqual([]);
  expect(reply.handles).toEqual([]);
  expect(reply.progress.at(-1)).toBe(572);
  expect(reply.progress).toEqual(reply.progress.toSorted((a, b) => a - b));
  const { requests } = await internet.stats("good1.test");
  expect(requests).toHaveLength(1);
});

test("a host is checked by one lane at a time", async () => {
  await internet.set({ "one.test": { kind: "page", delayMs: 20 } });
  const targets = names(20, "x").map((id) => ({
    id,
    url: `https://one.test/${id}`,
    lastState: "healthy" as const,
  }));
  expect(countVerdicts(await runHere({ targets }))).toEqual({ healthy: 20 });
  expect(await internet.stats("one.test")).toMatchObject({ connections: 20, peakOpen: 1 });
});

test("monitors that wait for their confirmation do not delay others", async () => {
  const bad = names(150, "bad");
  await internet.set(Object.fromEntries(bad.map((host) => [host, { kind: "http-close" }])));
  // Four seconds for all of them together: one after the other they would miss the deadline by far.
  const options = { concurrency: 8, confirmDelaysMs: [4_000], deadlineMs: 100_000 };
  const reply = await runHere({ targets: targetsOf([...bad, ...names(10, "good")]), options });
  expect(countVerdicts(reply)).toEqual({ "http-closed": 150, healthy: 10 });
});

describe("the end of the run", () => {
  const slow = [...names(30, "slow"), ...names(30, "dead")];
  beforeAll(async () => {
    await internet.set(
      Object.fromEntries(
        slow.map((host) => [
          host,
          host.startsWith("slow") ? { kind: "http-silence" } : { kind: "http-close" },
        ]),
      ),
    );
  });

  const targets = targetsOf([...names(10, "good"), ...slow]);
  // A lane for each, so that the order is fixed; no confirmation is due before the test is over.
  const options = { concurrency: 128, confirmDelaysMs: [3_600_000], deadlineMs: 3_600_000 };

  test("comes with a stop, and the rest is skipped", async () => {
    const reply = await run({ targets, options, abortAfterDone: 10 });
    expect(countVerdicts(reply)).toEqual({ healthy: 10, skipped: 60 });
    expect(reply.warnings).toEqual([]);
    expect(reply.handles).toEqual([]);
  });

  test("comes with the deadline, and the rest is skipped", async () => {
    const reply = await run({ targets, options: { ...options, deadlineMs: 2_000 } });
    const skipped = reply.verdicts.filter(([, { kind }]) => kind === "skipped");
    expect(skipped.map(([id]) => id)).toEqual(expect.arrayContaining(slow));
    expect(Object.keys(countVerdicts(reply))).toEqual(
      expect.not.arrayContaining(["http-timeout", "http-closed"]),
    );
    expect(reply.warnings).toEqual([]);
    expect(reply.handles).toEqual([]);
  });

  test("comes even if a thread is stuck", async () => {
    const workerUrl = new URL("stuck-worker.mjs", import.meta.url);
    const options = { deadlineMs: 800 };
    const reply = await run({ targets: targetsOf(names(5, "good")), workerUrl, options });
    expect(countVerdicts(reply)).toEqual({ skipped: 5 });
  });

  test("comes at once if stopped before the start, and without targets", async () => {
    const stopped = await runHere({
      targets: targetsOf(names(5, "good")),
      options: { deadlineMs: 0 },
    });
    expect(countVerdicts(stopped)).toEqual({ skipped: 5 });
    expect(await runHere({ targets: [] })).toMatchObject({ verdicts: [], warnings: [] });
  });
});

describe("a thread that crashes", () => {
  const workerUrl = new URL("crashing-worker.mjs", import.meta.url);

  test("loses its targets, is reported, and is replaced", async () => {
    const targets = targetsOf(names(20, "good"));
    const options = { concurrency: 4, threads: 1 };
    const reply = await run({ targets, workerUrl, options });
    // Three lanes: it gets six targets at a time, and returns one result.
    expect(reply.warnings).toHaveLength(4);
    expect(reply.warnings[0]).toBe(
      "A thread that checks monitors has crashed (a defect): 5 monitors are skipped in this run.",
    );
    expect(countVerdicts(reply)).toEqual({ healthy: 4, skipped: 16 });
    expect(reply.handles).toEqual([]);
  });

  test("nine times is replaced no more, and the rest is skipped", async () => {
    const options = { concurrency: 4, threads: 1 };
    const reply = await runHere({ targets: targetsOf(names(60, "good")), workerUrl, options });
    expect(reply.warnings).toHaveLength(9);
    expect(countVerdicts(reply)).toEqual({ healthy: 9, skipped: 51 });
  });

  test("out of memory does not end the process", async () => {
    const reply = await run({ targets: targetsOf(names(3, "heap")), workerUrl });
    expect(reply.warnings).toEqual([expect.stringMatching(/out of memory/u)]);
    expect(countVerdicts(reply)).toEqual({ healthy: 1, skipped: 2 });
    expect(reply.grownMb).toBeLessThan(700);
  });

  test("and only ends says with which code", async () => {
    const workerUrl = new URL("data:text/javascript,process.exit(7)");
    const reply = await runPoolHere({ targets: targetsOf(["good.test"]), workerUrl });
    expect(reply.warnings).toEqual([
      "A thread that checks monitors could not start (it ended by itself with code 7): monitors that no other thread checks are skipped in this run.",
    ]);
  });

  test("at its start ends the run with everything skipped", async () => {
    const workerUrl = new URL("nowhere.mjs", import.meta.url);
    const reply = await runHere({ targets: targetsOf(names(3, "good")), workerUrl });
    expect(countVerdicts(reply)).toEqual({ skipped: 3 });
    expect(reply.warnings).toEqual([
      expect.stringMatching(
        /^A thread that checks monitors could not start \(.+nowhere.+\): monitors that no other thread checks are skipped in this run\.$/su,
      ),
    ]);
  });
});
