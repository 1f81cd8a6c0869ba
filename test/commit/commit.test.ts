import fc from "fast-check";
import { expect, test } from "vitest";
import { commit } from "../../src/commit.ts";
import type { Advance } from "../../src/generation.ts";
import type { Document, Site } from "../../src/model/snapshot.ts";
import type { State } from "../../src/model/state.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { loadState } from "../../src/state.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createFaultyStores, FAULTS, type Fault, pauseIn } from "./faulty-store.ts";
import { textDocuments } from "./text-documents.ts";
import { advanceTo, countOf, expectedAt, readTexts } from "./toy.ts";
import { expectedBadges } from "./toy-badges.ts";
import { expectOnlyStoreErrors, freshStores, type Stores, writerOver } from "./writers.ts";

function documentsOf(count: number): readonly Document[] {
  // `odd` returns to bytes that it had before: the tag of a version does not tell which generation wrote it.
  return textDocuments({
    odd: count % 2,
    third: Math.floor(count / 3),
    // Comes and goes, like the badge of a monitor.
    ...(count % 2 === 0 ? {} : { guest: "here" }),
    list: count,
  });
}

/** The website in two steps; one page comes and goes. */
function siteOf(count: number): Site {
  const page = { "page.html": Math.floor(count / 2) };
  const extra = count % 3 === 0 ? { "extra.html": "here" } : {};
  return [textDocuments({ ...page, ...extra }), textDocuments({ "index.html": count })];
}

/** About as long as one request to a store in the same network. */
const MS_PER_STEP = 10;

function writer(
  world: Stores,
  pause: (ms: number) => Promise<void>,
  isSiteLater = false,
): Promise<unknown> {
  const advance = (state: State, count: number): Advance => ({
    ...advanceTo(state, count, documentsOf),
    site: isSiteLater ? "later" : siteOf(count),
  });
  return commit(
    writerOver(world, pause),
    async (state) => advance(state, countOf(state) + 1),
    async (state) => advance(state, countOf(state)),
  );
}

const DOCUMENTS = ["odd", "third", "guest", "list"];
const SITE = ["page.html", "extra.html", "index.html"];

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
  areSitesLater: readonly boolean[] = [],
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
    Array.from({ length: writers }, (_, index) => writer(stores, pause, areSitesLater[index])),
  );
  const results = await scheduler.waitFor(outcomes);
  await settle();
  return { below, results, lists };
}

/** The same store, noting what a reader of the list sees from each write on. */
function noteLists(store: ObjectStore, lists: number[]): ObjectStore {
  return {
    ...store,
    async write(key, object, precondition) {
      const result = await store.write(key, object, precondition);
      if (key === "list" && result.kind === "written")
        lists.push(Number(Buffer.from(object.body).toString()));
      return result;
    },
  };
}

/** The bytes of a list never return, so its tag alone keeps every older writer out, at any time. */
function expectNeverBack(lists: readonly number[]): void {
  expect(lists).toEqual(lists.toSorted((a, b) => a - b));
}

test("writers that only race leave every document at the newest generation, each advance counted once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 4 }), async (scheduler, writers) => {
      const { below, results, lists } = await play(scheduler, writers, []);
      expectNeverBack(lists);
      expect(results.map(({ status }) => status)).toEqual(results.map(() => "fulfilled"));
      const state = await newest(below.stateStore);
      expect(countOf(state)).toBe(writers);
      expect(await published(below.publicStore)).toEqual(expected(writers));
    }),
    { numRuns: 300 },
  );
}, 120_000);

test("whatever requests are lost, late, repeated or refused, one more commit leaves every document at the newest generation", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 25 }),
      fc.array(fc.boolean(), { maxLength: 4 }),
      async (scheduler, writers, faults, areSitesLater) => {
        const { below, results, lists } = await play(scheduler, writers, faults, areSitesLater);
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
    { numRuns: 500 },
  );
}, 120_000);

test("in another public store nothing is taken for published, and nothing there is removed", async () => {
  const stateStore = createMemoryStore();
  const pause = () => Promise.resolve();
  await writer({ publicStore: { ...createMemoryStore(), identity: "first" }, stateStore }, pause);
  const second = createMemoryStore();
  await second.write("third", { body: Buffer.from("not ours"), contentType: "", cacheControl: "" });
  await second.write("foreign", { body: Buffer.from("x"), contentType: "", cacheControl: "" });
  await writer({ publicStore: { ...second, identity: "second" }, stateStore }, pause);
  expect(await published(second)).toEqual(expected(2));
  expect((await second.read("foreign"))?.body.toString()).toBe("x");
});

test("a website that is left for later stays as it was, and is known: the next one writes only what changed", async () => {
  const world = freshStores();
  const pause = () => Promise.resolve();
  for (let count = 1; count <= 3; count += 1) await writer(world, pause);
  const before = await readTexts(world.publicStore, SITE);
  await writer(world, pause, true);
  expect(await readTexts(world.publicStore, SITE)).toEqual(before);
  expect(await readTexts(world.publicStore, ["list"])).toEqual({ list: "4" });
  const written: string[] = [];
  const publicStore: ObjectStore = {
    ...world.publicStore,
    write: (key, object, precondition) => {
      written.push(key);
      return world.publicStore.write(key, object, precondition);
    },
  };
  await writer({ ...world, publicStore }, pause);
  expect(await published(world.publicStore)).toEqual(expected(5));
  // `extra.html` went, `page.html` is that of the fourth.
  expect(written.filter((key) => SITE.includes(key))).toEqual(["page.html", "index.html"]);
});
