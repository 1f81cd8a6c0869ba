import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import type { ArchiveState } from "../../src/model/service/archive.ts";
import { DAY_MS, MINUTE_MS, dateOfDay } from "../../src/model/time.ts";
import { SLOT_MS } from "../../src/model/monitor/uptime.ts";
import { sha256Of } from "../../src/open-data/archive/seal.ts";
import { decodeChecks, decodeSpool, encodeSpool } from "../../src/open-data/archive/spool.ts";
import { StoreError } from "../../src/model/store.ts";
import { writeSpool } from "../../src/state/archive-store.ts";
import { loadState, saveState } from "../../src/state/state-file.ts";
import { atDepth } from "../depth.ts";
import { failed, ok } from "../model/samples.ts";
import { freshStores, type Stores } from "../publish/writers.ts";
import { createMortalStore, Killed } from "./mortal-store.ts";
import { createGate, startRun, stateIn, urlOf } from "./run-harness.ts";

const DAY = 20_780;
const MIDNIGHT_MS = DAY * DAY_MS;
const at = (day: number, minutes: number): number =>
  MIDNIGHT_MS + day * DAY_MS + minutes * MINUTE_MS;

/** A run at a time, which dies after so many requests; undefined: it lives. */
interface Step {
  readonly startMs: number;
  readonly requests: number | undefined;
  /** The next run begins at the same time as this one. */
  readonly isOverlapped: boolean;
}

/** True: the run came to its end. */
async function play(stores: Stores, { startMs, requests }: Omit<Step, "isOverlapped">) {
  const life = { left: requests ?? Number.POSITIVE_INFINITY };
  const mortal = {
    publicStore: createMortalStore(stores.publicStore, life),
    stateStore: createMortalStore(stores.stateStore, life),
  };
  try {
    const outcomeOf = (url: string) => (url === urlOf("beta") ? failed("tcp-timeout") : ok());
    await startRun(mortal, { startMs, outcomeOf }).result;
    return true;
  } catch (error) {
    // In this harness two writers never wait for a random time, so they can hinder each other for ever.
    if (!(error instanceof Killed || error instanceof StoreError)) throw error;
    return false;
  }
}

async function bodyIn(store: Stores["publicStore"], key: string): Promise<Uint8Array | undefined> {
  return (await store.read(key))?.body;
}

const slotOf = (ms: number): number => Math.floor(ms / SLOT_MS);

/** The slots of a published day, in its order. Fails if the files, the index and the state differ. */
async function slotsOf({ publicStore }: Stores, date: string): Promise<readonly number[]> {
  const ndjson = await bodyIn(publicStore, `archive/v1/${date}/checks.ndjson.gz`);
  const parquet = await bodyIn(publicStore, `archive/v1/${date}/checks.parquet`);
  const index = await bodyIn(publicStore, "archive/v1/index.json");
  if (ndjson === undefined || parquet === undefined || index === undefined) return [];
  const listed: ArchiveState & { days: { files: { path: string }[] }[] } = JSON.parse(
    new TextDecoder().decode(index),
  );
  const day = listed.days.find((one) => one.date === date);
  expect(day?.files.map(({ sha256 }) => sha256)).toEqual([sha256Of(parquet), sha256Of(ndjson)]);
  const checks = decodeChecks(ndjson) ?? [];
  const buffer = Uint8Array.from(parquet).buffer;
  const rows = await parquetReadObjects({ file: buffer });
  expect(rows).toHaveLength(checks.length);
  const times = checks.map((check) => check.at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const keys = checks.map((check) => `${check.at} ${check.endpoint}`);
  expect(new Set(keys).size).toBe(keys.length);
  return [...new Set(times)].map((seconds) => slotOf(seconds * 1_000));
}

async function spoolOf({ stateStore }: Stores): Promise<readonly string[]> {
  return stateStore.list("archive-spool");
}

describe("a day", () => {
  test("is published by the first run from 00:15 on, and then leaves the spool", async () => {
    const stores = freshStores();
    for (const minutes of [600, 605, 1_435])
      await play(stores, { startMs: at(0, minutes), requests: undefined });
    await play(stores, { startMs: at(1, 5), requests: undefined });
    expect(await slotsOf(stores, dateOfDay(DAY))).toEqual([]);
    expect(await spoolOf(stores)).toHaveLength(4);
    await play(stores, { startMs: at(1, 20), requests: undefined });
    expect(await slotsOf(stores, dateOfDay(DAY))).toEqual(
      [600, 605, 1_435].map((minutes) => slotOf(at(0, minutes))),
    );
    expect(await spoolOf(stores)).toHaveLength(2);
    expect((await stateIn(stores)).archive).toMatchObject({ sealedDay: DAY });
  });

  test("has what each probe found", async () => {
    const stores = freshStores();
    await play(stores, { startMs: at(0, 600), requests: undefined });
    await play(stores, { startMs: at(1, 20), requests: undefined });
    const key = `archive/v1/${dateOfDay(DAY)}/checks.parquet`;
    const parquet = await bodyIn(stores.publicStore, key);
    const rows = await parquetReadObjects({ file: Uint8Array.from(parquet ?? []).buffer });
    const common = { at: new Date(at(0, 600)), vantage: "moscow", network: null, ms: 90 };
    const alpha = { service: "alpha", endpoint: urlOf("alpha"), state: "ok" };
    const beta = { service: "beta", endpoint: urlOf("beta"), state: "failed" };
    expect(rows).toEqual([
      { ...common, ...alpha, ms: 200, stage: null, code: null },
      { ...common, ...beta, stage: "tcp", code: "tcp-timeout" },
    ]);
  });

  test("of a runner that was off for a week follows when it is back, three days a run", async () => {
    const stores = freshStores();
    for (const day of [0, 1, 2, 3, 4]) {
      const run = { at: at(day, 60) / 1_000, checks: [], reports: [] };
      await writeSpool(stores.stateStore, slotOf(at(day, 60)), encodeSpool(run));
    }
    const days = async () => (await stateIn(stores)).archive.days.length;
    // The first run of a state looks for nothing.
    await play(stores, { startMs: at(4, 65), requests: undefined });
    await play(stores, { startMs: at(9, 60), requests: undefined });
    const first = await days();
    await play(stores, { startMs: at(9, 65), requests: undefined });
    expect([first, await days()]).toEqual([3, 5]);
    expect(await spoolOf(stores)).toHaveLength(2);
  });

  test("is written again, byte for byte, in another public store", async () => {
    const stores = freshStores();
    await play(stores, { startMs: at(0, 600), requests: undefined });
    await play(stores, { startMs: at(1, 20), requests: undefined });
    const moved = { ...freshStores(), stateStore: stores.stateStore };
    const elsewhere = { ...moved, publicStore: { ...moved.publicStore, identity: "elsewhere" } };
    // The first publish of a place has the API alone.
    for (const minutes of [25, 30])
      await play(elsewhere, { startMs: at(1, minutes), requests: undefined });
    const date = dateOfDay(DAY);
    for (const name of ["checks.parquet", "checks.ndjson.gz"]) {
      const key = `archive/v1/${date}/${name}`;
      const [here, there] = [
        await bodyIn(stores.publicStore, key),
        await bodyIn(moved.publicStore, key),
      ];
      expect(here).toBeDefined();
      expect(there).toEqual(here);
    }
  });
});

describe("the days of a month", () => {
  const NOVEMBER = "archive/2026-11.days.json";
  /** Runs in November, December, January and February, each of which seals what was before it. */
  const DAYS_OF_RUNS = [0, 10, 45, 79];
  async function playMonths(): Promise<Stores> {
    const stores = freshStores();
    for (const day of DAYS_OF_RUNS)
      await play(stores, { startMs: at(day, 600), requests: undefined });
    return stores;
  }
  const listed = async ({ publicStore }: Stores): Promise<unknown> => {
    const body = await bodyIn(publicStore, "archive/v1/index.json");
    const { days }: { days: { date: string }[] } = JSON.parse(new TextDecoder().decode(body));
    return days.map(({ date }) => date);
  };

  test("leave the state two months later, and nothing that is published changes", async () => {
    const stores = freshStores();
    for (const day of DAYS_OF_RUNS.slice(0, -1))
      await play(stores, { startMs: at(day, 600), requests: undefined });
    const touched: string[] = [];
    const { publicStore } = stores;
    const note = <Result>(key: string, result: Result): Result => {
      touched.push(key);
      return result;
    };
    const watched: Stores = {
      ...stores,
      publicStore: {
        ...publicStore,
        read: (key, maxBytes) => note(key, publicStore.read(key, maxBytes)),
        write: (key, ...rest) => note(key, publicStore.write(key, ...rest)),
        remove: (key) => note(key, publicStore.remove(key)),
      },
    };
    expect((await stateIn(stores)).archive.days.map(({ date }) => date)).toContain("2026-11-23");
    await play(watched, { startMs: at(79, 600), requests: undefined });
    const { archive } = await stateIn(stores);
    expect(archive.days.map(({ date }) => date)).toEqual(["2026-12-03", "2027-01-07"]);
    expect(archive.months[0]).toMatchObject({ date: "2026-11", closedDays: ["23"] });
    expect(await listed(stores)).toEqual(["2027-01-07", "2026-12-03", "2026-11-23"]);
    expect(touched).toContain("archive/v1/index.json");
    expect(touched.filter((key) => key.startsWith("archive/v1/2026-11"))).toEqual([]);
    expect(await slotsOf(stores, "2026-11-23")).toEqual([slotOf(at(0, 600))]);
  });

  test("are written to another public store as they were", async () => {
    const stores = await playMonths();
    const empty = freshStores().publicStore;
    const elsewhere = { ...stores, publicStore: { ...empty, identity: "elsewhere" } };
    for (const minutes of [605, 610])
      await play(elsewhere, { startMs: at(79, minutes), requests: undefined });
    expect(await slotsOf(elsewhere, "2026-11-23")).toEqual([slotOf(at(0, 600))]);
    const key = "archive/v1/2026-11-23/checks.parquet";
    expect(await bodyIn(empty, key)).toEqual(await bodyIn(stores.publicStore, key));
    expect(await listed(elsewhere)).toEqual(await listed(stores));
  });

  test.for(["gone", "damaged"])("are described again if their object is %s", async (how) => {
    const stores = await playMonths();
    const { stateStore } = stores;
    const before = await bodyIn(stateStore, NOVEMBER);
    await stateStore.remove(NOVEMBER);
    const object = { body: new Uint8Array(3), contentType: "x", cacheControl: "no-store" };
    if (how === "damaged") await stateStore.write(NOVEMBER, object);
    await play(stores, { startMs: at(80, 600), requests: undefined });
    expect(await bodyIn(stateStore, NOVEMBER)).toEqual(before);
    expect(await listed(stores)).toEqual(["2027-02-10", "2027-01-07", "2026-12-03", "2026-11-23"]);
  });

  test("are described again by the method of their month", async () => {
    const stores = await playMonths();
    const { stateStore } = stores;
    const { state, etag } = await loadState(stateStore);
    const months = state.archive.months.map((month) => ({ ...month, method: "2026-01-01" }));
    await saveState(stateStore, { ...state, archive: { ...state.archive, months } }, etag);
    await stateStore.remove(NOVEMBER);
    await play(stores, { startMs: at(80, 600), requests: undefined });
    const days: unknown = JSON.parse(new TextDecoder().decode(await bodyIn(stateStore, NOVEMBER)));
    expect(days).toMatchObject([{ date: "2026-11-23", method: "2026-01-01" }]);
  });

  test("stay listed as they were while their object is gone", async () => {
    const stores = await playMonths();
    const before = await listed(stores);
    await stores.stateStore.remove(NOVEMBER);
    await stores.publicStore.remove("archive/v1/index.json");
    const other = { ...stores, publicStore: { ...stores.publicStore, identity: "other" } };
    for (const minutes of [605, 610])
      await play(other, { startMs: at(79, minutes), requests: undefined });
    expect(await bodyIn(stores.publicStore, "archive/v1/index.json")).toBeUndefined();
    await play(other, { startMs: at(80, 600), requests: undefined });
    await play(other, { startMs: at(80, 605), requests: undefined });
    expect(await listed(stores)).toEqual(expect.arrayContaining(before as string[]));
  });

  test("that are sealed again after the state was lost are closed as before", async () => {
    const stores = await playMonths();
    const before = await stateIn(stores);
    await stores.stateStore.remove("state.json.gz");
    for (const [day, minutes] of [
      [79, 605],
      [80, 600],
      [81, 600],
    ] as const)
      await play(stores, { startMs: at(day, minutes), requests: undefined });
    const { archive } = await stateIn(stores);
    expect(archive.months[0]?.closedDays).toEqual(before.archive.months[0]?.closedDays);
    expect(await slotsOf(stores, "2026-11-23")).toEqual([slotOf(at(0, 600))]);
  });
});

/** The endpoints in the only object of the spool of a slot. */
async function spooledIn({ stateStore }: Stores, startMs: number): Promise<readonly string[]> {
  const key = `archive-spool/${String(slotOf(startMs)).padStart(10, "0")}.ndjson.gz`;
  const body = await bodyIn(stateStore, key);
  return (body && decodeSpool(body)?.checks.map(({ endpoint }) => endpoint)) ?? [];
}

describe("a run that published its first pass", () => {
  /** Beta fails at last, and waits for its confirmation. */
  const startMs = at(0, 605);
  const dead = failed("tcp-timeout");
  async function publishedEarly(parts: Parameters<typeof startRun>[1] = {}) {
    const stores = freshStores();
    await startRun(stores, { startMs: at(0, 600) }).result;
    const gate = createGate();
    const outcomeOf = (url: string) => (url === urlOf("beta") ? dead : ok());
    const running = startRun(stores, { startMs, outcomeOf, confirmed: gate.isOpen, ...parts });
    await expect.poll(() => running.eventsNamed("published")).toHaveLength(1);
    return { stores, running, gate };
  }

  test("is archived with all its services at its end", async () => {
    const { stores, running, gate } = await publishedEarly();
    gate.open();
    await running.result;
    expect(await spooledIn(stores, startMs)).toEqual([urlOf("alpha"), urlOf("beta")]);
  });

  test("is archived with what it folded if it is stopped", async () => {
    const stopping = new AbortController();
    const { stores, running } = await publishedEarly({ stop: stopping.signal });
    stopping.abort("aborted");
    expect(await running.result).toEqual({ kind: "stopped" });
    expect(await spooledIn(stores, startMs)).toEqual([urlOf("alpha")]);
  });

  test("is archived with what it folded if the runner goes offline", async () => {
    let isOffline = false;
    const { stores, running, gate } = await publishedEarly({
      outcomeOf: (url) => (isOffline || url === urlOf("beta") ? dead : ok()),
    });
    isOffline = true;
    gate.open();
    expect(await running.result).toMatchObject({ connectivity: { state: "offline" } });
    expect(await spooledIn(stores, startMs)).toEqual([urlOf("alpha")]);
  });
});

test("a second run of a slot, and one of a sealed day, say that they are left out", async () => {
  const stores = freshStores();
  const skipped = async (startMs: number) => {
    const { result, eventsNamed } = startRun(stores, { startMs });
    await result;
    return eventsNamed("archive-skipped").map(({ reason }) => reason);
  };
  expect(await skipped(at(0, 600))).toEqual([]);
  expect(await skipped(at(0, 601))).toEqual(["slot-taken"]);
  expect(await skipped(at(1, 20))).toEqual([]);
  const { stateStore } = stores;
  const { state, etag } = await loadState(stateStore);
  await saveState(
    stateStore,
    { ...state, archive: { ...state.archive, sealedDay: DAY + 1 } },
    etag,
  );
  expect(await skipped(at(1, 25))).toEqual(["day-sealed"]);
});

test("a lost state gets its sealed days back, byte for byte", async () => {
  const stores = freshStores();
  for (const day of [0, 1, 2, 3, 4])
    await play(stores, { startMs: at(day, 600), requests: undefined });
  await play(stores, { startMs: at(5, 600), requests: undefined });
  const before = (await stateIn(stores)).archive;
  expect(before.days).toHaveLength(5);
  await stores.stateStore.remove("state.json.gz");
  await play(stores, { startMs: at(5, 605), requests: undefined });
  for (const minutes of [600, 605])
    await play(stores, { startMs: at(6, minutes), requests: undefined });
  const { days } = (await stateIn(stores)).archive;
  expect(days.slice(0, 5)).toEqual(before.days);
  expect(days).toHaveLength(6);
  expect(await slotsOf(stores, dateOfDay(DAY))).toEqual([slotOf(at(0, 600))]);
});

test("what leaves the private store may be removed by the shipped policy", async () => {
  const stores = freshStores();
  const removed = new Set<string>();
  const stateStore = {
    ...stores.stateStore,
    remove: (key: string) => {
      removed.add(key.replace(/\/.*$/u, "/*"));
      return stores.stateStore.remove(key);
    },
  };
  for (const day of [0, 1, 45])
    await startRun({ ...stores, stateStore }, { startMs: at(day, 600), keepArchiveDays: 40 })
      .result;
  expect([...removed].toSorted()).toEqual(["archive-spool/*", "archive/*"]);
  const file = new URL("../../deploy/policies/writer.json", import.meta.url);
  const { Statement: rights }: { Statement: { Action: string; Resource: string[] }[] } = JSON.parse(
    await readFile(file, "utf8"),
  );
  const allowed = rights.find(({ Action }) => Action === "s3:DeleteObject")?.Resource;
  expect(allowed).toEqual(
    expect.arrayContaining([...removed].map((keys) => `arn:aws:s3:::status-private/${keys}`)),
  );
});

const STEP: fc.Arbitrary<Step> = fc.record({
  // Around the midnights of three days, where everything happens.
  startMs: fc
    .tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: -6, max: 8 }))
    .map(
      ([day, slots]) =>
        at(day, 0) + slots * SLOT_MS + DAY_MS / 2 + (slots % 2 === 0 ? DAY_MS / 2 : 0),
    ),
  requests: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  isOverlapped: fc.boolean(),
});

test(
  "each slot is archived once, whatever dies, overlaps or is missed",
  { timeout: 600_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 30 }), async (drawn) => {
        const steps = drawn.toSorted((a, b) => a.startMs - b.startMs);
        const stores = freshStores();
        const finished = new Set<number>();
        const begun = new Set<number>();
        for (let place = 0; place < steps.length; place += 1) {
          const group = [steps[place]];
          while (steps[place]?.isOverlapped && place + 1 < steps.length)
            group.push(steps[(place += 1)]);
          const ends = await Promise.all(
            group.map(async (step) =>
              step === undefined || !(await play(stores, step)) ? undefined : step,
            ),
          );
          for (const step of group) if (step) begun.add(slotOf(step.startMs));
          for (const step of ends) if (step) finished.add(slotOf(step.startMs));
        }
        // The first run of a state looks for nothing.
        await play(stores, { startMs: at(8, 30), requests: undefined });
        begun.add(slotOf(at(8, 30)));
        const last = at(9, 30);
        for (const minutes of [0, 5, 10])
          expect(
            await play(stores, { startMs: last + minutes * MINUTE_MS, requests: undefined }),
          ).toBe(true);
        const { days } = (await stateIn(stores)).archive;
        const slots = (await Promise.all(days.map(({ date }) => slotsOf(stores, date)))).flat();
        expect(new Set(slots).size).toBe(slots.length);
        for (const slot of finished) expect(slots).toContain(slot);
        for (const slot of slots) expect(begun).toContain(slot);
        expect(await spoolOf(stores)).toHaveLength(3);
      }),
      { numRuns: atDepth(12, 150) },
    );
  },
);
