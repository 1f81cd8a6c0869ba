import fc from "fast-check";
import { expect, test } from "vitest";
import { commit } from "../../src/publish/commit.ts";
import type { Advance } from "../../src/publish/generation.ts";
import type { Document, Site } from "../../src/model/service/snapshot.ts";
import type { State } from "../../src/model/state.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { SUSPICION_MS } from "../../src/publish/plan-objects.ts";
import { loadState } from "../../src/state/state-file.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { atDepth, isFull } from "../depth.ts";
import { createFaultyStores, FAULTS, type Fault, pauseIn } from "./faulty-store.ts";
import { textDocuments } from "./text-documents.ts";
import { advanceTo, countOf, expectedAt, readTexts } from "./counter-program.ts";
import { expectedBadges } from "../pipeline/sample-badges.ts";
import {
  expectOnlyStoreErrors,
  freshStores,
  type Stores,
  watchWrites,
  writerOver,
} from "./writers.ts";

function documentsOf(count: number): readonly Document[] {
  // `odd` returns to earlier bytes, so its tag does not show which generation wrote it.
  return textDocuments({
    "api/odd": count % 2,
    "api/third": Math.floor(count / 3),
    // Removed in every third generation, and then written again.
    ...(count % 3 === 2 ? {} : { "api/guest": "here" }),
    "api/list": count,
  });
}

/** The website in three steps; one page exists in every third generation. */
function siteOf(count: number): Site {
  const page = { "page.html": Math.floor(count / 2) };
  const extra = count % 3 === 0 ? { "extra.html": "here" } : {};
  return [
    textDocuments({ "style.css": "always" }),
    textDocuments({ ...page, ...extra }),
    textDocuments({ "index.html": count }),
  ];
}

/** Roughly the time of one request to a store in the same network. */
const MS_PER_STEP = 10;

interface WriterSettings {
  readonly isSiteLater?: boolean;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
}

function writer(
  stores: Stores,
  pause: (ms: number) => Promise<void>,
  { isSiteLater = false, aheadMs = 0 }: WriterSettings = {},
): Promise<unknown> {
  const advance = (state: State, count: number): Advance => ({
    ...advanceTo(state, count, documentsOf),
    site: isSiteLater ? "later" : siteOf(count),
    nowMs: count + aheadMs,
  });
  return commit(
    writerOver(stores, pause),
    async (state) => advance(state, countOf(state) + 1),
    async (state) => advance(state, countOf(state)),
  );
}

const DOCUMENTS = ["api/odd", "api/third", "api/guest", "api/list"];
const SITE = ["style.css", "page.html", "extra.html", "index.html"];

const published = (store: ObjectStore): Promise<Readonly<Record<string, string | undefined>>> =>
  readTexts(store, [...DOCUMENTS, ...SITE, ...Object.keys(expectedBadges(0))]);

const expected = (count: number): Readonly<Record<string, string | undefined>> =>
  expectedAt(count, (at) => [...documentsOf(at), ...siteOf(at).flat()]);

async function newest(store: ObjectStore): Promise<State> {
  return (await loadState(store)).state;
}

/** Runs writers against stores that interleave and fail as drawn, until all of them have ended. */
async function play(
  scheduler: fc.Scheduler,
  writers: number,
  faults: readonly Fault[],
  settings: readonly WriterSettings[],
) {
  const lists: number[] = [];
  const below = {
    publicStore: noteLists(createMemoryStore(), lists),
    stateStore: createMemoryStore(),
  };
  const { stores, settle } = createFaultyStores(below, scheduler, faults);
  const turn = pauseIn(scheduler);
  // Time passes with the requests of other writers.
  const pause = async (ms: number): Promise<void> => {
    for (let left = ms; left >= 0; left -= MS_PER_STEP) {
      await turn();
    }
  };
  const outcomes = Promise.allSettled(
    Array.from({ length: writers }, (_, index) => writer(stores, pause, settings[index])),
  );
  const results = await scheduler.waitFor(outcomes);
  await settle();
  return { below, results, lists };
}

/** Records the list after each write, as a reader sees it. */
function noteLists(store: ObjectStore, lists: number[]): ObjectStore {
  return watchWrites(store, (key, { body }, { kind }) => {
    if (key === "api/list" && kind === "written") lists.push(Number(Buffer.from(body).toString()));
  });
}

/** The list never returns to earlier bytes, so its tag alone keeps every older writer out. */
function expectNoOlderList(lists: readonly number[]): void {
  expect(lists).toEqual(lists.toSorted((a, b) => a - b));
}

test("racing writers leave the newest documents, and count each advance once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 2, max: 4 }),
      // Clocks may differ: an object may be suspect for one writer and not for another.
      fc.array(fc.record({ aheadMs: fc.constantFrom(0, 2 * SUSPICION_MS) }), { maxLength: 4 }),
      async (scheduler, writers, settings) => {
        const { below, results, lists } = await play(scheduler, writers, [], settings);
        expectNoOlderList(lists);
        expect(results.map(({ status }) => status)).toEqual(results.map(() => "fulfilled"));
        const state = await newest(below.stateStore);
        expect(countOf(state)).toBe(writers);
        expect(await published(below.publicStore)).toEqual(expected(writers));
      },
    ),
    { numRuns: atDepth(30, 300) },
  );
});

test("one commit repairs every document after lost, late and repeated requests", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 25 }),
      fc.array(fc.record({ isSiteLater: fc.boolean() }), { maxLength: 4 }),
      async (scheduler, writers, faults, settings) => {
        const { below, results, lists } = await play(scheduler, writers, faults, settings);
        expectOnlyStoreErrors(results);
        await writer(below, () => Promise.resolve());
        expectNoOlderList(lists);
        const count = countOf(await newest(below.stateStore));
        const successes = results.filter(({ status }) => status === "fulfilled").length;
        expect(count).toBeGreaterThanOrEqual(successes + 1);
        expect(count).toBeLessThanOrEqual(writers + 1);
        expect(await published(below.publicStore)).toEqual(expected(count));
      },
    ),
    { numRuns: atDepth(40, 500) },
  );
});

test.skipIf(isFull)(
  "in another public store nothing counts as published, and nothing is removed",
  async () => {
    const stateStore = createMemoryStore();
    const pause = () => Promise.resolve();
    await writer({ publicStore: { ...createMemoryStore(), identity: "first" }, stateStore }, pause);
    const second = createMemoryStore();
    await second.write("api/third", {
      body: Buffer.from("not ours"),
      contentType: "",
      cacheControl: "",
    });
    await second.write("foreign", { body: Buffer.from("x"), contentType: "", cacheControl: "" });
    await writer({ publicStore: { ...second, identity: "second" }, stateStore }, pause);
    expect(await published(second)).toEqual(expected(2));
    expect((await second.read("foreign"))?.body.toString()).toBe("x");
  },
);

test.skipIf(isFull)(
  "a website left for later stays, and the next commit writes only what changed",
  async () => {
    const stores = freshStores();
    const pause = () => Promise.resolve();
    for (let count = 1; count <= 4; count += 1) await writer(stores, pause);
    const before = await readTexts(stores.publicStore, SITE);
    await writer(stores, pause, { isSiteLater: true });
    expect(await readTexts(stores.publicStore, SITE)).toEqual(before);
    // The documents of the API advance: the guest is removed.
    const texts = await readTexts(stores.publicStore, DOCUMENTS);
    expect(texts).toMatchObject({ "api/list": "5", "api/guest": undefined });
    const written: string[] = [];
    const publicStore = watchWrites(stores.publicStore, (key) => written.push(key));
    await writer({ ...stores, publicStore }, pause);
    expect(await published(stores.publicStore)).toEqual(expected(6));
    expect(written.filter((key) => SITE.includes(key))).toEqual([
      "page.html",
      "extra.html",
      "index.html",
    ]);
  },
);
