import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  HostQueues,
  type HostQueuesDependencies,
} from "../../../src/monitors/checks/host-queues.ts";
import type { HostGroup, CheckTarget } from "../../../src/monitors/checks/check-target.ts";
import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import type { Probe } from "../../../src/probe/probe.ts";
import { failed, traceOf } from "../../model/samples.ts";

const OK: Outcome = { kind: "ok", trace: traceOf(7) };

interface Opened {
  readonly lanes: HostQueues;
  readonly verdicts: ReadonlyMap<string, CheckResult>;
  /** `url attempt`, in the order in which the probes began. */
  readonly began: readonly string[];
  readonly stop: AbortController;
  /** The backlog at each call for more. */
  readonly lows: readonly number[];
}

function open(
  probe: Probe,
  pace: Partial<HostQueuesDependencies["pace"]> = {},
  more: Partial<HostQueuesDependencies> = {},
): Opened {
  const lows: number[] = [];
  const verdicts = new Map<string, CheckResult>();
  const began: string[] = [];
  const stop = new AbortController();
  const lanes = new HostQueues({
    probe: (target, attempt, signal) => {
      began.push(`${new URL(target.url).pathname} ${attempt}`);
      return probe(target, attempt, signal);
    },
    pace: { lanes: 2, confirmations: 1, confirmDelaysMs: [], ...pace },
    signal: stop.signal,
    sleep: (ms) => delay(ms),
    now: () => Date.now(),
    report: (id, verdict) => void verdicts.set(id, verdict),
    onLow: () => void lows.push(lanes.backlog),
    ...more,
  });
  return { lanes, verdicts, began, stop, lows };
}

const groupOf = (host: string, ...ids: string[]): HostGroup =>
  ids.map((id) => ({ id, url: `https://${host}/${id}`, lastState: "healthy" }));

test("a host never has two concurrent first checks, and all lanes are used", async () => {
  const openNow = new Map<string, number>();
  let peakHosts = 0;
  let peakPerHost = 0;
  const opened = open(
    async ({ url }) => {
      const { host } = new URL(url);
      openNow.set(host, (openNow.get(host) ?? 0) + 1);
      peakPerHost = Math.max(peakPerHost, openNow.get(host) ?? 0);
      peakHosts = Math.max(peakHosts, [...openNow.values()].filter((count) => count > 0).length);
      await delay(3);
      openNow.set(host, (openNow.get(host) ?? 0) - 1);
      return OK;
    },
    { lanes: 3 },
  );
  const groups = Array.from({ length: 8 }, (_, host) =>
    groupOf(`h${host}.test`, ...Array.from({ length: 4 }, (_, index) => `${host}-${index}`)),
  );
  opened.lanes.add(groups.slice(0, 5));
  opened.lanes.add(groups.slice(5));
  await expect.poll(() => opened.verdicts.size).toBe(32);
  expect([peakHosts, peakPerHost]).toEqual([3, 1]);
  expect([opened.lanes.busy, opened.lanes.backlog]).toEqual([0, 0]);
});

test("a lane continues while a monitor waits for its confirmation", async () => {
  const opened = open(
    async ({ url }, attempt) =>
      url.endsWith("/bad") || (url.endsWith("/flaky") && attempt === 0)
        ? failed("http-timeout")
        : OK,
    { lanes: 1, confirmDelaysMs: [40, 80] },
  );
  opened.lanes.add([groupOf("a.test", "bad", "flaky", "good"), groupOf("b.test", "other")]);
  await expect.poll(() => opened.verdicts.size).toBe(4);
  expect(opened.began.slice(0, 4)).toEqual(["/bad 0", "/flaky 0", "/good 0", "/other 0"]);
  expect(opened.began.slice(4).toSorted()).toEqual(["/bad 1", "/bad 2", "/flaky 1"]);
  expect(opened.verdicts.get("bad")).toEqual({ kind: "failing", code: "http-timeout" });
  for (const id of ["flaky", "good", "other"])
    expect(opened.verdicts.get(id)).toEqual({ kind: "healthy", totalMs: 7 });
});

test("a failing monitor needs a second check only if it answers", async () => {
  const states = (id: string): CheckTarget => ({
    id,
    url: `https://${id}.test/${id}`,
    lastState: "failing",
  });
  const opened = open(async ({ url }) => (url.endsWith("/dead") ? failed("tcp-refused") : OK), {
    confirmDelaysMs: [10, 20],
  });
  opened.lanes.add([[states("dead")], [states("back")]]);
  await expect.poll(() => opened.verdicts.size).toBe(2);
  expect(opened.began.toSorted()).toEqual(["/back 0", "/back 1", "/dead 0"]);
  expect(opened.verdicts.get("back")).toEqual({ kind: "healthy", totalMs: 7 });
});

test("a refusal is confirmed and fails only if the monitor was healthy", async () => {
  const opened = open(
    async ({ url }, attempt) =>
      url.endsWith("/glitch") && attempt > 0 ? OK : failed("dns-special-address"),
    { lanes: 1, confirmDelaysMs: [10, 20] },
  );
  const known = { lastState: "healthy", wasHealthy: true } as const;
  opened.lanes.add([
    [{ id: "led-away", url: "https://a.test/led-away", ...known }],
    [{ id: "glitch", url: "https://b.test/glitch", ...known }],
    [{ id: "still", url: "https://c.test/still", lastState: "failing", wasHealthy: true }],
    [{ id: "new", url: "https://d.test/new", lastState: "unknown", wasHealthy: false }],
  ]);
  await expect.poll(() => opened.verdicts.size).toBe(4);
  const code = "dns-special-address";
  expect(Object.fromEntries(opened.verdicts)).toEqual({
    "led-away": { kind: "failing", code },
    glitch: { kind: "healthy", totalMs: 7 },
    still: { kind: "failing", code },
    new: { kind: "refused", code },
  });
  expect(opened.began.slice(0, 4)).toEqual(["/led-away 0", "/glitch 0", "/still 0", "/new 0"]);
  expect(opened.began.slice(4).toSorted()).toEqual(["/glitch 1", "/led-away 1", "/led-away 2"]);
});

test("after a stop no check begins", async () => {
  const opened = open(
    (_, __, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => resolve({ kind: "skipped", reason: "aborted" }));
      }),
  );
  opened.lanes.add([groupOf("a.test", "1", "2"), groupOf("b.test", "3"), groupOf("c.test", "4")]);
  opened.stop.abort("aborted");
  await expect.poll(() => opened.lanes.busy).toBe(0);
  expect(opened.began).toEqual(["/1 0", "/3 0"]);
  expect(opened.verdicts).toEqual(
    new Map([
      ["1", { kind: "skipped" }],
      ["3", { kind: "skipped" }],
    ]),
  );
});

test("an invalid URL is refused without a probe", async () => {
  const opened = open(async () => OK);
  opened.lanes.add([[{ id: "x", url: "https://", lastState: "unknown" }]]);
  await expect.poll(() => opened.verdicts.get("x")).toMatchObject({ kind: "refused" });
  expect(opened.began).toEqual([]);
});

test("more is asked for with each target from when fewer than lanes remain", async () => {
  const opened = open(async () => OK, { lanes: 3 });
  opened.lanes.add([groupOf("a.test", "1", "2", "3", "4", "5")]);
  expect([opened.lanes.busy, opened.lanes.backlog]).toEqual([1, 4]);
  await expect.poll(() => opened.verdicts.size).toBe(5);
  expect(opened.lows).toEqual([2, 1, 0]);
});

test("20,000 monitors wait for their confirmation, and the next one for a place", async () => {
  const releases: (() => void)[] = [];
  const sleep = () => new Promise<void>((resolve) => void releases.push(resolve));
  const opened = open(
    async () => failed("tcp-refused"),
    { lanes: 1, confirmDelaysMs: [10] },
    { sleep },
  );
  opened.lanes.add([groupOf("a.test", ...Array.from({ length: 20_002 }, (_, at) => `${at}`))]);
  await expect.poll(() => releases.length).toBe(20_000);
  await delay(0);
  expect([opened.began.length, opened.lanes.backlog]).toEqual([20_000, 1]);
  releases[0]?.();
  await expect.poll(() => releases.length).toBe(20_001);
  // The confirmation, and the first check of the next.
  expect([opened.began.length, opened.verdicts.size]).toEqual([20_002, 1]);
});
