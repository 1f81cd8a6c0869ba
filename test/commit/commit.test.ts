import fc from "fast-check";
import { expect, test } from "vitest";
import { commit } from "../../src/commit.ts";
import type { Advance } from "../../src/generation.ts";
import type { Document, Site } from "../../src/model/snapshot.ts";
import type { State } from "../../src/model/state.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { SUSPICION_MS } from "../../src/publish/plan.ts";
import { loadState } from "../../src/state.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { atDepth, isFull } from "../depth.ts";
import { createFaultyStores, FAULTS, type Fault, pauseIn } from "./faulty-store.ts";
import { textDocuments } from "./text-documents.ts";
import { advanceTo, countOf, expectedAt, readTexts } from "./toy.ts";
import { expectedBadges } from "./toy-badges.ts";
import {
  expectOnlyStoreErrors,
  freshStores,
  type Stores,
  watchWrites,
  writerOver,
} from "./writers.ts";

function documentsOf(count: number): readonly Document[] {
  // `odd` returns to bytes that it had before: the tag of a version does not tell which generation wrote it.
  return textDocuments({
    "api/odd": count % 2,
    "api/third": Math.floor(count / 3),
    // Goes, comes back at once, and stays a while.
    ...(count % 3 === 2 ? {} : { "api/guest": "here" }),
    "api/list": count,
  });
}

/** The website in three steps; one page comes and goes. */
function siteOf(count: number): Site {
  const page = { "page.html": Math.floor(count / 2) };
  const extra = count % 3 === 0 ? { "extra.html": "here" } : {};
  return [
    textDocuments({ "style.css": "always" }),
    textDocuments({ ...page, ...extra }),
    textDocuments({ "index.html": count }),
  ];
}

/** About as long as one request to a store in the same network. */
const MS_PER_STEP = 10;

/** What makes one writer unlike another. */
interface Temper {
  readonly isSiteLater?: boolean;
  /** How far its clock is ahead. */
  readonly aheadMs?: number;
}

function writer(
  world: Stores,
  pause: (ms: number) => Promise<void>,
  { isSiteLater = false, aheadMs = 0 }: Temper = {},
): Promise<unknown> {
  const advance = (state: State, count: number): Advance => ({
    ...advanceTo(state, count, documentsOf),
    site: isSiteLater ? "later" : siteOf(count),
    nowMs: count + aheadMs,
  });
  return commit(
    writerOver(world, pause),
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
  return (await loadState(store, () => undefined)).state;
}

/** Runs writers against stores that interleave and fail as drawn; the value is what is left when all of them have stopped. */
async function play(
  scheduler: fc.Scheduler,
  writers: number,
  faults: readonly Fault[],
  tempers: readonly Temper[],
) {
  const lists: number[] = [];
  const below = {
    publicStore: noteLists(createMemoryStore(), lists),
    stateStore: createMemoryStore(),
  };
  const { stores, settle } = createFaultyStores(below, scheduler, faults);
  const turn = pauseIn(scheduler);
  // Time passes with what the others do.
  const pause = async (ms: number): Promise<void> => {
    for (let left = ms; left >= 0; left -= MS_PER_STEP) {
      await turn();
    }
  };
  const outcomes = Promise.allSettled(
    Array.from({ length: writers }, (_, index) => writer(stores, pause, tempers[index])),
  );
  const results = await scheduler.waitFor(outcomes);
  await settle();
  return { below, results, lists };
}

/** The same store, noting what a reader of the list sees from each write on. */
function noteLists(store: ObjectStore, lists: number[]): ObjectStore {
  return watchWrites(store, (key, { body }, { kind }) => {
    if (key === "api/list" && kind === "written") lists.push(Number(Buffer.from(body).toString()));
  });
}

/** The bytes of a list never return, so its tag alone keeps every older writer out, at any time. */
function expectNeverBack(lists: readonly number[]): void {
  expect(lists).toEqual(lists.toSorted((a, b) => a - b));
}

test("writers that only race leave every document at the newest generation, each advance counted once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 2, max: 4 }),
      // No clock has to be right: what one of them takes for settled, another one may have under suspicion.
      fc.array(fc.record({ aheadMs: fc.constantFrom(0, 2 * SUSPICION_MS) }), { maxLength: 4 }),
      async (scheduler, writers, tempers) => {
        const { below, results, lists } = await play(scheduler, writers, [], tempers);
        expectNeverBack(lists);
        expect(results.map(({ status }) => status)).toEqual(results.map(() => "fulfilled"));
        const state = await newest(below.stateStore);
        expect(countOf(state)).toBe(writers);
        expect(await published(below.publicStore)).toEqual(expected(writers));
      },
    ),
    { numRuns: atDepth(50, 300) },
  );
});

test("whatever requests are lost, late, repeated or refused, one more commit leaves every document at the newest generation", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 25 }),
      fc.array(fc.record({ isSiteLater: fc.boolean() }), { maxLength: 4 }),
      async (scheduler, writers, faults, tempers) => {
        const { below, results, lists } = await play(scheduler, writers, faults, tempers);
        expectOnlyStoreErrors(results);
        await writer(below, () => Promise.resolve());
        expectNeverBack(lists);
        const count = countOf(await newest(below.stateStore));
        const successes = results.filter(({ status }) => status === "fulfilled").length;
        expect(count).toBeGreaterThanOrEqual(successes + 1);
        expect(count).toBeLessThanOrEqual(writers + 1);
        expect(await published(below.publicStore)).toEqual(expected(count));
      },
    ),
    { numRuns: atDepth(80, 500) },
  );
});

test.skipIf(isFull)(
  "in another public store nothing is taken for published, and nothing there is removed",
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
  "a website that is left for later stays as it was, and is known: the next one writes only what changed",
  async () => {
    const world = freshStores();
    const pause = () => Promise.resolve();
    for (let count = 1; count <= 4; count += 1) await writer(world, pause);
    const before = await readTexts(world.publicStore, SITE);
    await writer(world, pause, { isSiteLater: true });
    expect(await readTexts(world.publicStore, SITE)).toEqual(before);
    // The documents of the API go on: the guest goes.
    const texts = await readTexts(world.publicStore, DOCUMENTS);
    expect(texts).toMatchObject({ "api/list": "5", "api/guest": undefined });
    const written: string[] = [];
    const publicStore = watchWrites(world.publicStore, (key) => written.push(key));
    await writer({ ...world, publicStore }, pause);
    expect(await published(world.publicStore)).toEqual(expected(6));
    expect(written.filter((key) => SITE.includes(key))).toEqual([
      "page.html",
      "extra.html",
      "index.html",
    ]);
  },
);
