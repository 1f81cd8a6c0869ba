import { describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { failed, ok } from "../model/samples.ts";
import { ANCHOR_URLS, createGate, listIn, NOON_MS, startRun, stateIn, urlOf } from "./run-lab.ts";
import { freshStores, type Stores } from "./writers.ts";

const NEXT_MS = NOON_MS + 300_000;
const dead = failed("tcp-timeout");
const isBetaDead = (url: string): Outcome => (url === urlOf("beta") ? dead : ok());

/** Stores after a run in which everything was well. */
async function wellStores(): Promise<Stores> {
  const stores = freshStores();
  await startRun(stores).result;
  return stores;
}

/** A run of which beta waits for its confirmation, once what is settled has been published. */
async function untilSettled(stores: Stores, parts: Parameters<typeof startRun>[1] = {}) {
  const gate = createGate();
  const running = startRun(stores, {
    startMs: NEXT_MS,
    outcomeOf: isBetaDead,
    confirmed: gate.isOpen,
    ...parts,
  });
  await expect.poll(() => running.told("published")).toHaveLength(1);
  return { ...running, gate };
}

describe("services with nothing to confirm", () => {
  test("are published as of the run while others are confirmed, which follow in the same run", async () => {
    const stores = await wellStores();
    const { result, told, gate } = await untilSettled(stores);
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
    expect(told("anchors-probed").map(({ phase }) => phase)).toEqual(["start", "middle", "end"]);
    expect(told("published")).toHaveLength(2);
  });

  test("are all of them in a quiet run, which publishes once and tries the anchors twice", async () => {
    const stores = await wellStores();
    const { result, told } = startRun(stores, { startMs: NEXT_MS });
    await result;
    expect(told("published")).toHaveLength(1);
    expect(told("anchors-probed").map(({ phase }) => phase)).toEqual(["start", "end"]);
  });

  test("are none where every service is confirmed: then one publish has all", async () => {
    const stores = await wellStores();
    const parts = { startMs: NEXT_MS, only: ["beta"], outcomeOf: isBetaDead };
    const { result, told } = startRun(stores, parts);
    expect(await result).toMatchObject({ kind: "valid" });
    expect(told("published")).toHaveLength(1);
    expect((await listIn(stores)).codes).toEqual({ alpha: "ok", beta: "fail" });
  });
});

describe("what was published early stands, and the rest is not counted", () => {
  const expectEarlyAlone = async (stores: Stores): Promise<void> => {
    expect(await listIn(stores)).toEqual({ updated: NEXT_MS, codes: { alpha: "ok", beta: "ok" } });
    const { history } = await stateIn(stores);
    expect(history.services.get("beta")?.checkedAtMs).toBe(NOON_MS);
  };

  test("when the runner is offline by the end", async () => {
    const stores = await wellStores();
    let isOffline = false;
    const { result, told, gate } = await untilSettled(stores, {
      outcomeOf: (url) => (isOffline ? dead : isBetaDead(url)),
    });
    isOffline = true;
    gate.open();
    expect(await result).toMatchObject({ kind: "valid", connectivity: { state: "offline" } });
    expect(told("run-offline")).toEqual([{ event: "run-offline", unreachable: ANCHOR_URLS }]);
    await expectEarlyAlone(stores);
  });

  test("when somebody stops the run", async () => {
    const stores = await wellStores();
    const stopping = new AbortController();
    const { result, told } = await untilSettled(stores, { stop: stopping.signal });
    stopping.abort("aborted");
    expect(await result).toEqual({ kind: "stopped" });
    expect(told("run-stopped")).toHaveLength(1);
    await expectEarlyAlone(stores);
  });
});

test("when another run was folded meanwhile, the rest follows it as a run of its own", async () => {
  const stores = await wellStores();
  const { result, gate, told } = await untilSettled(stores);
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
  expect(told("clock-behind")).toEqual([]);
});

test("when the early publish fails, the run fails at once and looks no further", async () => {
  const stores = await wellStores();
  const publicStore: ObjectStore = {
    ...stores.publicStore,
    write: async (key) => {
      throw new StoreError("write", key, "no answer came");
    },
  };
  const { result, told } = startRun(
    { ...stores, publicStore },
    { startMs: NEXT_MS, outcomeOf: isBetaDead, confirmed: createGate().isOpen },
  );
  await expect(result).rejects.toThrow("no answer came");
  expect(told("endpoint-measured").map(({ url }) => url)).toContain(urlOf("beta"));
});

describe("the runner offline", () => {
  test("at the start: nothing is probed or folded", async () => {
    const stores = await wellStores();
    const { result, told } = startRun(stores, { startMs: NEXT_MS, outcomeOf: () => dead });
    expect(await result).toMatchObject({ kind: "offline", connectivity: { state: "offline" } });
    expect(told("endpoint-measured")).toEqual([]);
    const { history, lastRun } = await stateIn(stores);
    expect(history.runs).toHaveLength(1);
    expect(lastRun).toMatchObject({ validity: "offline", startedAtMs: NEXT_MS });
  });

  test("in the middle: the confirmations are not waited for, and nothing is folded", async () => {
    const stores = await wellStores();
    let tries = 0;
    const isAnchor = (url: string): boolean => ANCHOR_URLS.includes(url);
    const outcomeOf = (url: string): Outcome => {
      if (!isAnchor(url)) return isBetaDead(url);
      tries += 1;
      return tries > 2 * ANCHOR_URLS.length ? dead : ok();
    };
    const confirmed = createGate().isOpen;
    const { result, told } = startRun(stores, { startMs: NEXT_MS, outcomeOf, confirmed });
    expect(await result).toMatchObject({ kind: "offline" });
    expect(told("anchors-probed").map(({ phase }) => phase)).toEqual(["start", "middle"]);
    expect(told("deadline-reached")).toEqual([]);
    const { history } = await stateIn(stores);
    expect(history.runs).toHaveLength(1);
    expect((await listIn(stores)).updated).toBe(NOON_MS);
  });
});
