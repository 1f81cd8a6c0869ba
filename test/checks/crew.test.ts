import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CheckTarget } from "../../src/checks/target.ts";
import { startWorldProcess, type WorldProcess } from "../world/world-process.ts";
import { countVerdicts, runCrew, runCrewHere, type CrewTrial } from "./run-crew.ts";

let world: WorldProcess;
beforeAll(async () => {
  world = await startWorldProcess({ behaviours: {} });
});
afterAll(() => world.close());

function targetsOf(hosts: readonly string[], parts: Partial<CheckTarget> = {}): CheckTarget[] {
  return hosts.map((host) => ({
    id: host,
    url: `https://${host}/`,
    lastState: "unknown",
    ...parts,
  }));
}

const HEALTHY: unknown = { kind: "healthy", totalMs: expect.any(Number) };

/** A trial in which every name leads into the world. */
function inWorld(trial: CrewTrial): CrewTrial {
  const connectTo = [`:443:127.0.0.1:${world.tlsPort}`, `:80:127.0.0.1:${world.httpPort}`];
  const { rootCaFile } = world;
  return { rootCaFile, ...trial, config: { connectTo, ...trial.config } };
}

/** In a process of its own, for what it leaves there. */
const run = (trial: CrewTrial) => runCrew(inWorld(trial));
const runHere = (trial: CrewTrial) => runCrewHere(inWorld(trial));

const names = (count: number, prefix: string): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}.test`);

test("every target gets the verdict that is its own, whichever thread checked it", async () => {
  // A second thread begins at 500. Without TLS, of which the others have enough.
  const good = names(560, "good");
  await world.set({
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
  const { requests } = await world.stats("good1.test");
  expect(requests).toHaveLength(1);
});

test("a host is asked by one lane at a time", async () => {
  await world.set({ "one.test": { kind: "page", delayMs: 20 } });
  const targets = names(20, "x").map((id) => ({
    id,
    url: `https://one.test/${id}`,
    lastState: "healthy" as const,
  }));
  expect(countVerdicts(await runHere({ targets }))).toEqual({ healthy: 20 });
  expect(await world.stats("one.test")).toMatchObject({ connections: 20, peakOpen: 1 });
});

test("many that wait for their confirmation keep nobody else waiting", async () => {
  const bad = names(150, "bad");
  await world.set(Object.fromEntries(bad.map((host) => [host, { kind: "http-close" }])));
  // Four seconds for all of them together: were it for half a dozen after the other, the deadline would come long before.
  const options = { concurrency: 8, confirmDelaysMs: [4_000], deadlineMs: 100_000 };
  const reply = await runHere({ targets: targetsOf([...bad, ...names(10, "good")]), options });
  expect(countVerdicts(reply)).toEqual({ "http-closed": 150, healthy: 10 });
});

describe("the end of the run", () => {
  const slow = [...names(30, "slow"), ...names(30, "dead")];
  beforeAll(async () => {
    await world.set(
      Object.fromEntries(
        slow.map((host) => [
          host,
          host.startsWith("slow") ? { kind: "http-silence" } : { kind: "http-close" },
        ]),
      ),
    );
  });

  const targets = targetsOf([...names(10, "good"), ...slow]);
  // A lane for each, so that chance decides nothing; and nothing is confirmed before the test is over.
  const options = { concurrency: 128, confirmDelaysMs: [3_600_000], deadlineMs: 3_600_000 };

  test("comes with a stop, and what is not done is skipped", async () => {
    const reply = await run({ targets, options, abortAfterDone: 10 });
    expect(countVerdicts(reply)).toEqual({ healthy: 10, skipped: 60 });
    expect(reply.warnings).toEqual([]);
    expect(reply.handles).toEqual([]);
  });

  test("comes with the deadline, and what is not done is skipped", async () => {
    const reply = await run({ targets, options: { ...options, deadlineMs: 2_000 } });
    const skipped = reply.verdicts.filter(([, { kind }]) => kind === "skipped");
    expect(skipped.map(([id]) => id)).toEqual(expect.arrayContaining(slow));
    expect(Object.keys(countVerdicts(reply))).toEqual(
      expect.not.arrayContaining(["http-timeout", "http-closed"]),
    );
    expect(reply.warnings).toEqual([]);
    expect(reply.handles).toEqual([]);
  });

  test("comes even when a thread hears nothing any more", async () => {
    const workerUrl = new URL("stuck-worker.mjs", import.meta.url);
    const options = { deadlineMs: 800 };
    const reply = await run({ targets: targetsOf(names(5, "good")), workerUrl, options });
    expect(countVerdicts(reply)).toEqual({ skipped: 5 });
  });

  test("comes at once when it was stopped before it began, and when there is nothing to do", async () => {
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

  test("takes what it held with it, is told of, and is replaced", async () => {
    const targets = targetsOf(names(20, "good"));
    const options = { concurrency: 4, threads: 1 };
    const reply = await run({ targets, workerUrl, options });
    // Three lanes: it is handed six targets at a time, and tells of one.
    expect(reply.warnings).toHaveLength(4);
    expect(reply.warnings[0]).toMatch(/crashed \(a defect\): 5 monitors are skipped/u);
    expect(countVerdicts(reply)).toEqual({ healthy: 4, skipped: 16 });
    expect(reply.handles).toEqual([]);
  });

  test("out of memory does not take the process with it", async () => {
    const reply = await run({ targets: targetsOf(names(3, "heap")), workerUrl });
    expect(reply.warnings).toEqual([expect.stringMatching(/out of memory/u)]);
    expect(countVerdicts(reply)).toEqual({ healthy: 1, skipped: 2 });
    expect(reply.grownMb).toBeLessThan(700);
  });

  test("at its start ends the run with everything skipped, and not in a circle", async () => {
    const workerUrl = new URL("nowhere.mjs", import.meta.url);
    const reply = await runHere({ targets: targetsOf(names(3, "good")), workerUrl });
    expect(countVerdicts(reply)).toEqual({ skipped: 3 });
    expect(reply.warnings).toEqual([expect.stringMatching(/could not start \(.+nowhere/u)]);
  });
});
