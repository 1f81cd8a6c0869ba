import { describe, expect, onTestFinished, test } from "vitest";
import { packWork, unpackResults } from "../../src/engine/batches.ts";
import { connectEngine } from "../../src/engine/connection.ts";
import { type BatchEnd, serveBatches } from "../../src/engine/serve-batches.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import type { CheckTarget } from "../../src/monitors/checks/check-target.ts";
import { type Fault, startSmallNats } from "./small-nats.ts";

const target = (id: string, lastState: CheckTarget["lastState"] = "healthy"): CheckTarget => ({
  id,
  url: `https://${id}.example/`,
  lastState,
});

const OK: CheckResult = { kind: "healthy", totalMs: 5 };
const BAD: CheckResult = { kind: "failing", code: "tcp-timeout" };
const TEN_SECONDS_NS = 10_000_000_000;

type Check = (
  targets: readonly CheckTarget[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, CheckResult>>;

const always =
  (result: CheckResult): Check =>
  async (targets) =>
    new Map(targets.map(({ id }) => [id, result]));

/** Ends when it is told to, without a result. */
const untilAborted: Check = (_, signal) =>
  new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(new Map()));
  });

interface World {
  readonly check?: Check;
  readonly recent?: () => Promise<boolean>;
  readonly fresh?: () => Promise<boolean>;
  readonly fault?: Fault;
  readonly isHungry?: () => boolean;
}

const yes = async (): Promise<boolean> => true;

/** A worker of the place `main` at a server with its streams. */
async function open({
  check = always(OK),
  recent = yes,
  fresh = yes,
  fault = {},
  isHungry = () => true,
}: World = {}) {
  const nats = await startSmallNats(fault);
  const connection = await connectEngine({ url: nats.url }, { vantage: "main" }, true);
  const ask = (subject: string, content: object) =>
    connection.request(`$JS.API.${subject}`, JSON.stringify(content));
  await ask("STREAM.CREATE.status-snapshot-work", {});
  await ask("STREAM.CREATE.status-snapshot-results", {});
  const config = { durable_name: "worker-main", filter_subject: "work.>", ack_policy: "explicit" };
  await ask("CONSUMER.CREATE.status-snapshot-work.worker-main", {
    stream_name: "status-snapshot-work",
    config,
  });
  const stop = new AbortController();
  const ends: BatchEnd[] = [];
  const names: (string | undefined)[] = [];
  const repeated: boolean[] = [];
  const warnings: string[] = [];
  const slept: number[] = [];
  const served = serveBatches({
    connection,
    vantage: "main",
    crew: { check, isHungry, close: async () => undefined },
    online: { recent, fresh },
    sleep: (ms) => {
      slept.push(ms);
      return new Promise((resolve) => void setTimeout(resolve, 5));
    },
    onEnd: (end, name, isRedelivered) => {
      ends.push(end);
      names.push(name && `${name.vantage} ${name.cell} ${name.slot} ${name.number}`);
      repeated.push(isRedelivered);
    },
    onWarning: (message) => void warnings.push(message),
    signal: stop.signal,
  });
  const close = async (): Promise<void> => {
    stop.abort();
    await served;
  };
  onTestFinished(async () => {
    await close();
    await connection.close();
  });
  const put = (targets: readonly CheckTarget[], subject = "work.main.0-1.7.0"): void =>
    nats.put(subject, Buffer.from(packWork(targets).bytes));
  /** What was said of leases, by its first word, with what follows. */
  const leases = (): readonly string[] =>
    nats.said.filter((one) => one.subject.startsWith("$JS.ACK.")).map(({ text }) => text);
  return { nats, put, stop, ends, names, repeated, warnings, slept, leases, close, served };
}

describe("a batch", () => {
  test("that was checked is answered under its name, and done", async () => {
    const check: Check = async () =>
      new Map<string, CheckResult>([
        ["a", OK],
        ["b", BAD],
      ]);
    const { nats, put, ends, names, repeated, leases } = await open({ check });
    const targets = [target("a"), target("b", "failing"), target("c")];
    put(targets);
    await expect.poll(() => ends).toEqual([{ kind: "answered", targets: 3, failing: 1 }]);
    expect([names, repeated]).toEqual([["main 0-1 7 0"], [false]]);
    expect(nats.said.filter(({ subject }) => subject.startsWith("results."))).toMatchObject([
      { subject: "results.main.0-1.7.0", id: "main.0-1.7.0" },
    ]);
    await expect.poll(leases).toEqual(["+ACK"]);
    expect(nats.kept("work")).toEqual([]);
    const [{ data } = { data: Buffer.alloc(0) }] = nats.stored("results");
    const read = unpackResults(data, ["a", "b", "c"], packWork(targets).digest);
    expect(read).toEqual({
      results: [
        ["a", OK],
        ["b", BAD],
        ["c", { kind: "skipped" }],
      ],
      delivery: 1,
      checkMs: expect.any(Number),
    });
    expect(read?.checkMs).toBeLessThan(60_000);
  });

  test.each([
    [
      "of another place",
      "work.spb.0-1.7.0",
      Buffer.from(packWork([target("a")]).bytes),
      "spb 0-1 7 0",
    ],
    ["that is broken", "work.main.0-1.7.0", Buffer.from("broken"), "main 0-1 7 0"],
    ["without a name", "work.main", Buffer.from(packWork([target("a")]).bytes), undefined],
  ])("%s is refused for good", async (_, subject, data, name) => {
    const { nats, ends, names, leases } = await open();
    nats.put(subject, data);
    await expect.poll(() => ends).toEqual([{ kind: "refused" }]);
    expect(names).toEqual([name]);
    await expect.poll(leases).toEqual(["+TERM not a batch of this vantage"]);
    expect([nats.kept("work"), nats.kept("results")]).toEqual([[], []]);
  });

  test("goes back while this machine is offline, and is checked when it comes again", async () => {
    let isOnline = false;
    const recent = async (): Promise<boolean> => {
      const before = isOnline;
      isOnline = true;
      return before;
    };
    const { put, ends, repeated, leases } = await open({ recent });
    put([target("a")]);
    await expect
      .poll(() => ends)
      .toEqual([
        { kind: "returned", reason: "offline" },
        { kind: "answered", targets: 1, failing: 0 },
      ]);
    expect(repeated).toEqual([false, true]);
    await expect
      .poll(leases)
      .toEqual([`-NAK ${JSON.stringify({ delay: TEN_SECONDS_NS })}`, "+ACK"]);
  });

  test.each([
    ["a new failure", BAD, "healthy", 1],
    ["a failure of one that was never checked", BAD, "unknown", 1],
    ["a failure that is known", BAD, "failing", 0],
    ["a site that works", OK, "healthy", 0],
  ] as const)(
    "with %s asks the anchors as often as it must",
    async (_, result, lastState, times) => {
      let asked = 0;
      const fresh = async (): Promise<boolean> => {
        asked += 1;
        return asked > 1;
      };
      const { put, ends } = await open({ check: always(result), fresh });
      put([target("a", lastState)]);
      await expect.poll(() => ends.at(-1)?.kind).toBe("answered");
      expect(ends.map(({ kind }) => kind)).toEqual(
        times === 0 ? ["answered"] : ["returned", "answered"],
      );
      expect(asked).toBe(2 * times);
    },
  );

  test("whose slot has ended is answered with what there is, and the next slot goes on", async () => {
    let asked = 0;
    const fresh = async (): Promise<boolean> => {
      asked += 1;
      return false;
    };
    const signals: AbortSignal[] = [];
    const check: Check = async (targets, signal) => {
      signals.push(signal);
      await untilAborted(targets, signal);
      return new Map([["a", BAD]]);
    };
    const { nats, put, ends, names, stop } = await open({ check, fresh });
    put([target("a")]);
    put([target("a")], "work.main.0-1.7.1");
    put([target("a")], "work.main.0-1.8.0");
    await expect.poll(() => signals.length).toBe(3);
    nats.route("slot-end.0-1.7", "");
    await expect.poll(() => ends).toHaveLength(2);
    expect(names.toSorted()).toEqual(["main 0-1 7 0", "main 0-1 7 1"]);
    expect(ends).toEqual(ends.map(() => ({ kind: "answered", targets: 1, failing: 1 })));
    expect([asked, signals.filter(({ aborted }) => aborted).length]).toEqual([0, 2]);
    stop.abort();
    await expect.poll(() => ends.at(-1)).toEqual({ kind: "returned", reason: "stopped" });
  });

  test("of a slot whose end was told before is checked nevertheless", async () => {
    const { nats, put, ends } = await open();
    put([target("a")]);
    await expect.poll(() => ends).toHaveLength(1);
    nats.route("slot-end.0-1.7", "");
    put([target("b")], "work.main.0-1.7.1");
    await expect.poll(() => ends.map(({ kind }) => kind)).toEqual(["answered", "answered"]);
  });

  test("goes back when its worker stops, or cannot check it", async () => {
    const stopped = await open({ check: untilAborted });
    stopped.put([target("a")]);
    await expect.poll(() => stopped.nats.isOut("work")).toEqual([true]);
    stopped.stop.abort();
    await stopped.served;
    expect(stopped.ends).toEqual([{ kind: "returned", reason: "stopped" }]);
    expect(stopped.nats.kept("work")).toHaveLength(1);
    let times = 0;
    const broken = await open({
      check: async (...asked) => {
        times += 1;
        if (times === 1) throw new Error("the thread died");
        return always(OK)(...asked);
      },
    });
    broken.put([target("a")]);
    await expect
      .poll(() => broken.ends)
      .toEqual([
        { kind: "returned", reason: "the thread died" },
        { kind: "answered", targets: 1, failing: 0 },
      ]);
  });
});

describe("a worker", () => {
  test("whose crew is busy takes nothing, and looks again in a tenth of a second", async () => {
    let isHungry = false;
    const { nats, put, slept, ends } = await open({ isHungry: () => isHungry });
    put([target("a")]);
    await expect.poll(() => slept.length).toBeGreaterThan(2);
    expect(new Set(slept)).toEqual(new Set([100]));
    expect(nats.said.filter(({ subject }) => subject.includes("MSG.NEXT"))).toEqual([]);
    isHungry = true;
    await expect.poll(() => ends).toHaveLength(1);
  });

  test("without its consumer says so once, and looks again after two seconds", async () => {
    const fault = { missingConsumers: 3 };
    const { put, ends, slept, warnings } = await open({ fault });
    put([target("a")]);
    await expect.poll(() => ends).toHaveLength(1);
    expect(warnings).toEqual(["The engine gives no work: consumer not found."]);
    expect(slept).toEqual([2_000, 2_000, 2_000]);
  });
});
