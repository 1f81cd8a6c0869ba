import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { failed, ok } from "../model/samples.ts";
import {
  ANCHOR_URLS,
  createGate,
  listIn,
  NOON_MS,
  startRun,
  stateIn,
  urlOf,
} from "./run-harness.ts";
import { freshStores, type Stores } from "../publish/writers.ts";

const NEXT_MS = NOON_MS + 300_000;
const dead = failed("tcp-timeout");
const isBetaDead = (url: string): Outcome => (url === urlOf("beta") ? dead : ok());

/** Stores after a healthy run. */
async function healthyStores(): Promise<Stores> {
  const stores = freshStores();
  await startRun(stores).result;
  return stores;
}

/** A run that has published its first pass, while beta waits for its confirmation. */
async function untilPublishedEarly(stores: Stores, parts: Parameters<typeof startRun>[1] = {}) {
  const gate = createGate();
  const running = startRun(stores, {
    startMs: NEXT_MS,
    outcomeOf: isBetaDead,
    confirmed: gate.isOpen,
    ...parts,
  });
  await expect.poll(() => running.eventsNamed("published")).toHaveLength(1);
  return { ...running, gate };
}

describe("services without a confirmation", () => {
  test("are published as of the run, before the confirmed ones of the same run", async () => {
    const stores = await healthyStores();
    const { result, eventsNamed, gate } = await untilPublishedEarly(stores);
    expect(await listIn(stores)).toEqual({
      updated: NEXT_MS,
      codes: { alpha: "ok", beta: "ok" },
    });
    const early = await stateIn(stores);
    expect(early.history.services.get("alpha")?.checkedAtMs).toBe(NEXT_MS);
    expect(early.history.services.get("beta")?.checkedAtMs).toBe(NOON_MS);
    gate.open();
    expect(await result).toMatchObject({ kind: "valid", connectivity: { state: "fine" } });
    expect(await listIn(stores)).toEqual({
      updated: NEXT_MS,
      codes: { alpha: "ok", beta: "fail" },
    });
    const { history, lastRun } = await stateIn(stores);
    expect(history.runs.map(({ atMs }) => atMs)).toEqual([NOON_MS, NEXT_MS]);
    expect(history.services.get("alpha")?.strip).toHaveLength(2);
    expect(lastRun?.anchors[0]?.rounds.map(({ phase }) => phase)).toEqual([
      "start",
      "middle",
      "end",
    ]);
    expect(eventsNamed("anchors-probed").map(({ phase }) => phase)).toEqual([
      "start",
      "middle",
      "end",
    ]);
    expect(eventsNamed("published")).toHaveLength(2);
  });

  test("are all services of a healthy run, which publishes once", async () => {
    const stores = await healthyStores();
    const { result, eventsNamed } = startRun(stores, { startMs: NEXT_MS });
    await result;
    expect(eventsNamed("published")).toHaveLength(1);
    expect(eventsNamed("anchors-probed").map(({ phase }) => phase)).toEqual(["start", "end"]);
  });

  test("are not published early if every service needs a confirmation", async () => {
    const stores = await healthyStores();
    const parts = { startMs: NEXT_MS, only: ["beta"], outcomeOf: isBetaDead };
    const { result, eventsNamed } = startRun(stores, parts);
    expect(await result).toMatchObject({ kind: "valid" });
    expect(eventsNamed("published")).toHaveLength(1);
    expect((await listIn(stores)).codes).toEqual({ alpha: "ok", beta: "fail" });
  });
});

describe("an early publish stays, and the remaining services are not folded", () => {
  const expectEarlyAlone = async (stores: Stores): Promise<void> => {
    expect(await listIn(stores)).toEqual({ updated: NEXT_MS, codes: { alpha: "ok", beta: "ok" } });
    const { history } = await stateIn(stores);
    expect(history.services.get("beta")?.checkedAtMs).toBe(NOON_MS);
  };

  test("if the runner is offline at the end", async () => {
    const stores = await healthyStores();
    let isOffline = false;
    const { result, eventsNamed, gate } = await untilPublishedEarly(stores, {
      outcomeOf: (url) => (isOffline ? dead : isBetaDead(url)),
    });
    isOffline = true;
    gate.open();
    expect(await result).toMatchObject({ kind: "valid", connectivity: { state: "offline" } });
    expect(eventsNamed("run-offline")).toEqual([
      { event: "run-offline", unreachable: ANCHOR_URLS },
    ]);
    await expectEarlyAlone(stores);
  });

  test("if the run is stopped", async () => {
    const stores = await healthyStores();
    const stopping = new AbortController();
    const { result, eventsNamed } = await untilPublishedEarly(stores, { stop: stopping.signal });
    stopping.abort("aborted");
    expect(await result).toEqual({ kind: "stopped" });
    expect(eventsNamed("run-stopped")).toHaveLength(1);
    await expectEarlyAlone(stores);
  });
});

test("after another run was folded, the remaining services become a run of their own", async () => {
  const stores = await healthyStores();
  const { result, gate, eventsNamed } = await untilPublishedEarly(stores);
  await startRun(stores, { startMs: NEXT_MS + 60_000 }).result;
  gate.open();
  expect(await result).toMatchObject({ kind: "valid" });
  const { history } = await stateIn(stores);
  const lastMs = NEXT_MS + 61_000;
  expect(history.runs.map(({ atMs }) => atMs)).toEqual([
    NOON_MS,
    NEXT_MS,
    NEXT_MS + 60_000,
    lastMs,
  ]);
  expect(history.services.get("beta")?.checkedAtMs).toBe(lastMs);
  expect(history.services.get("alpha")?.checkedAtMs).toBe(NEXT_MS + 60_000);
  expect(eventsNamed("clock-behind")).toEqual([]);
});

test("if the early publish fails, the run fails at once and stops probing", async () => {
  const stores = await healthyStores();
  const publicStore: ObjectStore = {
    ...stores.publicStore,
    write: async (key) => {
      throw new StoreError("write", key, "no answer came");
    },
  };
  const { result, eventsNamed } = startRun(
    { ...stores, publicStore },
    { startMs: NEXT_MS, outcomeOf: isBetaDead, confirmed: createGate().isOpen },
  );
  await expect(result).rejects.toThrow("no answer came");
  expect(eventsNamed("endpoint-measured").map(({ url }) => url)).toContain(urlOf("beta"));
});

describe("the runner offline", () => {
  test("at the start: nothing is probed or folded", async () => {
    const stores = await healthyStores();
    const { result, eventsNamed } = startRun(stores, { startMs: NEXT_MS, outcomeOf: () => dead });
    expect(await result).toMatchObject({ kind: "offline", connectivity: { state: "offline" } });
    expect(eventsNamed("endpoint-measured")).toEqual([]);
    const { history, lastRun } = await stateIn(stores);
    expect(history.runs).toHaveLength(1);
    expect(lastRun).toMatchObject({ validity: "offline", startedAtMs: NEXT_MS });
  });

  test("in the middle: the run does not wait for confirmations and folds nothing", async () => {
    const stores = await healthyStores();
    let tries = 0;
    const isAnchor = (url: string): boolean => ANCHOR_URLS.includes(url);
    const outcomeOf = (url: string): Outcome => {
      if (!isAnchor(url)) return isBetaDead(url);
      tries += 1;
      return tries > 2 * ANCHOR_URLS.length ? dead : ok();
    };
    const confirmed = createGate().isOpen;
    const { result, eventsNamed } = startRun(stores, { startMs: NEXT_MS, outcomeOf, confirmed });
    expect(await result).toMatchObject({ kind: "offline" });
    expect(eventsNamed("anchors-probed").map(({ phase }) => phase)).toEqual(["start", "middle"]);
    expect(eventsNamed("deadline-reached")).toEqual([]);
    const { history } = await stateIn(stores);
    expect(history.runs).toHaveLength(1);
    expect((await listIn(stores)).updated).toBe(NOON_MS);
  });
});

test("a service that is being confirmed keeps its verdict over a gap of up to an hour", async () => {
  const codeAfter = async (gapMs: number): Promise<string | undefined> => {
    const stores = await healthyStores();
    const { result, gate } = await untilPublishedEarly(stores, { startMs: NOON_MS + gapMs });
    const early = (await listIn(stores)).codes["beta"];
    gate.open();
    await result;
    expect((await listIn(stores)).codes["beta"]).toBe("fail");
    return early;
  };
  expect(await codeAfter(40 * 60_000)).toBe("ok");
  expect(await codeAfter(61 * 60_000)).toBe("none");
});
