import { describe, expect, onTestFinished, test } from "vitest";
import { connectEngine } from "../../src/engine/connection.ts";
import { checkThroughEngine } from "../../src/engine/dispatch.ts";
import { serveBatches, type BatchEnd } from "../../src/engine/serve-batches.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import type { EngineCounts } from "../../src/model/run-event.ts";
import type { CheckTarget } from "../../src/monitors/checks/check-target.ts";
import { startFakeNats } from "./fake-nats.ts";
import { startSmallNats } from "./small-nats.ts";

const target = (id: string): CheckTarget => ({
  id,
  url: `https://${id}.example/`,
  lastState: "healthy",
});

const TARGETS = ["a", "b", "c"].map(target);
const OK: CheckResult = { kind: "healthy", totalMs: 5 };

type Check = (
  targets: readonly CheckTarget[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, CheckResult>>;

const healthy: Check = async (targets) => new Map(targets.map(({ id }) => [id, OK]));

/** A worker that is there before the publisher, as in operation. */
async function startWorker(url: string, vantage: string, check: Check, online = [true]) {
  const stop = new AbortController();
  const connection = await connectEngine({ url }, { vantage }, true);
  const ends: BatchEnd["kind"][] = [];
  const isOnline = async (): Promise<boolean> =>
    (online.length > 1 ? online.shift() : online[0]) === true;
  const served = serveBatches({
    connection,
    vantage,
    crew: { check, isHungry: () => true, close: async () => undefined },
    online: { recent: isOnline, fresh: isOnline },
    sleep: () => new Promise((resolve) => void setTimeout(resolve, 5)),
    onEnd: ({ kind }) => void ends.push(kind),
    onWarning: () => undefined,
    signal: stop.signal,
  });
  onTestFinished(async () => {
    stop.abort();
    await served;
    await connection.close();
  });
  return ends;
}

/** A run of cell 0-1 in slot 7, with batches of two targets. */
function run(
  url: string,
  { vantages = ["main"], deadlineMs = 60_000, stop = new AbortController() } = {},
) {
  const progress: number[] = [];
  const warnings: string[] = [];
  const counts: EngineCounts[] = [];
  const settings = {
    address: { url },
    cell: "0-1",
    vantages,
    slotNow: () => 7,
    deadlineMs,
    batchTargets: 2,
  };
  const results = checkThroughEngine(TARGETS, settings, stop.signal, {
    onProgress: (done) => void progress.push(done),
    onWarning: (message) => void warnings.push(message),
    onDone: (one) => void counts.push(one),
  });
  return { results, progress, warnings, counts, stop };
}

const SKIPPED = { kind: "skipped" };
const ALL_SKIPPED = new Map(TARGETS.map(({ id }) => [id, SKIPPED]));

describe("a run", () => {
  test("has the answers of the workers of each place, and ends its slot", async () => {
    const nats = await startSmallNats();
    const failing: Check = async (targets) =>
      new Map(targets.map(({ id }) => [id, { kind: "failing", code: "tcp-timeout" }]));
    await startWorker(nats.url, "main", failing);
    await startWorker(nats.url, "spb", healthy);
    const { results, progress, warnings, counts } = run(nats.url, { vantages: ["main", "spb"] });
    expect(await results).toEqual(new Map(TARGETS.map(({ id }) => [id, OK])));
    expect([progress.at(-1), warnings]).toEqual([3, []]);
    expect(counts).toEqual([
      {
        batches: 4,
        answered: 4,
        redelivered: 0,
        returned: 0,
        dropped: 0,
        lagMs: expect.any(Number),
        durationMs: expect.any(Number),
      },
    ]);
    const work = nats.said.filter(({ subject }) => subject.startsWith("work."));
    const names = ["main.0-1.7.0", "main.0-1.7.1", "spb.0-1.7.0", "spb.0-1.7.1"];
    const wanted = names.map((id) => ({ subject: `work.${id}`, id, ttl: "300s" }));
    expect(work.map(({ subject, id, ttl }) => ({ subject, id, ttl }))).toEqual(wanted);
    const answers = nats.said.filter(({ subject }) => subject.startsWith("results."));
    expect(answers.map(({ subject, id }) => [subject, id]).toSorted()).toEqual(
      names.map((id) => [`results.${id}`, id]),
    );
    const subjects = nats.said.map(({ subject }) => subject);
    expect(subjects).toContain("slot-end.0-1.7");
    expect(subjects.filter((one) => one.includes("PURGE"))).toEqual([]);
    expect(nats.kept("work")).toEqual([]);
  });

  test("that is stopped takes back the work that no worker has begun", async () => {
    const nats = await startSmallNats();
    const { results, counts, stop, warnings } = run(nats.url);
    await expect.poll(() => nats.kept("work")).toHaveLength(2);
    nats.put("work.main.0-1.8.0", Buffer.from("of the next slot"));
    stop.abort();
    expect(await results).toEqual(ALL_SKIPPED);
    expect(nats.kept("work")).toEqual(["work.main.0-1.8.0"]);
    expect(counts).toMatchObject([{ batches: 2, answered: 0 }]);
    expect(warnings).toEqual([]);
    const last = nats.said.map(({ subject }) => subject);
    expect(last.lastIndexOf("slot-end.0-1.7")).toBeLessThan(
      last.findIndex((one) => one.includes("PURGE")),
    );
  });

  test("that is stopped before it begins sends no work", async () => {
    const nats = await startSmallNats();
    const stop = new AbortController();
    stop.abort();
    const { results, counts } = run(nats.url, { stop });
    expect(await results).toEqual(ALL_SKIPPED);
    expect(nats.said.filter(({ subject }) => subject.startsWith("work."))).toEqual([]);
    expect(counts).toMatchObject([{ batches: 0 }]);
  });

  test("asks workers before its deadline for what they have", async () => {
    const nats = await startSmallNats();
    await startWorker(nats.url, "main", async ([first], signal) => {
      await new Promise((resolve) => void signal.addEventListener("abort", resolve));
      return new Map(first === undefined ? [] : [[first.id, OK]]);
    });
    const { results, counts } = run(nats.url, { deadlineMs: 400 });
    const found = [...(await results).values()].map(({ kind }) => kind);
    expect(found.toSorted()).toEqual(["healthy", "healthy", "skipped"]);
    expect(counts).toMatchObject([{ answered: 2 }]);
  });

  test("counts what workers give back, and nothing that only looks like it", async () => {
    const nats = await startSmallNats();
    const given = "$JS.EVENT.ADVISORY.CONSUMER.MSG_NAKED.status-snapshot-work.worker-main";
    const check: Check = async (targets, signal) => {
      nats.route(given, "no JSON");
      nats.route(given, '{"stream_seq":"1"}');
      nats.route(given, '{"stream_seq":99}');
      return healthy(targets, signal);
    };
    const ends = await startWorker(nats.url, "main", check, [false, true]);
    const { results, counts } = run(nats.url);
    await results;
    expect(ends.toSorted()).toEqual(["answered", "answered", "returned"]);
    expect(counts).toMatchObject([{ returned: 1, redelivered: 1, answered: 2, dropped: 0 }]);
  });
});

describe("without an engine", () => {
  test("each target is skipped, and that is said with the address", async () => {
    const { results, warnings, counts } = run("nats://127.0.0.1:1");
    expect(await results).toEqual(ALL_SKIPPED);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^engine nats:\/\/127\.0\.0\.1:1: (?!engine).*\. What no worker has answered is skipped in this run\.$/u,
      ),
    ]);
    expect(counts).toMatchObject([{ batches: 0, answered: 0 }]);
  });

  test("that has streams, each target is skipped too", async () => {
    const { url } = await startFakeNats();
    const { results, warnings } = run(url);
    expect(await results).toEqual(ALL_SKIPPED);
    expect(warnings).toEqual([
      `engine ${url}: no streams here. What no worker has answered is skipped in this run.`,
    ]);
  });
});
