import fc from "fast-check";
import { expect, test } from "vitest";
import { commit, type Advance, type CommitDependencies } from "../../src/commit.ts";
import type { Document } from "../../src/model/snapshot.ts";
import type { State } from "../../src/model/state.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { loadState } from "../../src/state.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { expectedBadges, toyBadges } from "./toy-badges.ts";
import { createFaultyStore, FAULTS, type Fault } from "./faulty-store.ts";

/** The toy behind these tests: the state counts advances, and each document shows a part of the count. */
function documentsOf(count: number): readonly Document[] {
  // `odd` returns to bytes that it had before: the tag of a version does not tell which generation wrote it.
  const bodies = {
    odd: count % 2,
    third: Math.floor(count / 3),
    // Comes and goes, like the badge of a monitor.
    ...(count % 2 === 0 ? {} : { guest: "here" }),
    list: count,
  };
  return Object.entries(bodies).map(([key, body]) => ({
    key,
    body: Buffer.from(String(body)),
    contentType: "text/plain",
    cacheControl: "max-age=60",
  }));
}

const countOf = (state: State): number => state.history.updatedAtMs ?? 0;

function advanceTo(state: State, count: number): Advance {
  return {
    state: { ...state, history: { ...state.history, updatedAtMs: count } },
    documents: documentsOf(count),
    badges: toyBadges(count),
    settle: async () => state.monitors,
    nowMs: count,
  };
}

interface World {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
}

/** About as long as one request to a store in the same network. */
const MS_PER_STEP = 10;

let marks = 0;

/** Uneven, as chance is, but the same in every run of the tests. */
const uneven = (): number => ((marks * 7) % 10) / 10;

function writer(world: World, pause: (ms: number) => Promise<void>): Promise<unknown> {
  const deps: CommitDependencies = {
    ...world,
    emit: () => undefined,
    now: () => 0,
    pause,
    random: uneven,
    newMark: () => `mark-${(marks += 1)}`,
    maxRemovalShare: 1,
    mustLook: false,
  };
  return commit(
    deps,
    async (state) => advanceTo(state, countOf(state) + 1),
    async (state) => advanceTo(state, countOf(state)),
  );
}

async function published(store: ObjectStore): Promise<Record<string, string | undefined>> {
  const keys = ["odd", "third", "guest", "list", ...Object.keys(expectedBadges(0))];
  const entries = keys.map(async (key) => [key, (await store.read(key))?.body.toString()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

function expected(count: number): Record<string, string | undefined> {
  const documents = documentsOf(count).map(({ key, body }) => [key, body.toString()] as const);
  return { ...Object.fromEntries(documents), ...expectedBadges(count) };
}

async function newest(store: ObjectStore): Promise<State> {
  return (await loadState(store, () => undefined)).state;
}

/** Runs writers against stores that interleave and fail as drawn; the value is what is left when all of them have stopped. */
async function play(scheduler: fc.Scheduler, writers: number, faults: readonly Fault[]) {
  const lists: number[] = [];
  const below = {
    publicStore: noteLists(createMemoryStore(), lists),
    stateStore: createMemoryStore(),
  };
  const queue = [...faults];
  const nextFault = (): Fault => queue.shift() ?? "none";
  const publicStore = createFaultyStore(below.publicStore, scheduler, nextFault);
  const stateStore = createFaultyStore(below.stateStore, scheduler, nextFault);
  // Time passes with what the others do.
  const pause = async (ms: number): Promise<void> => {
    for (let left = ms; left >= 0; left -= MS_PER_STEP) {
      await scheduler.schedule(Promise.resolve(), "pause");
    }
  };
  const outcomes = Promise.allSettled(
    Array.from({ length: writers }, () => writer({ publicStore, stateStore }, pause)),
  );
  const results = await scheduler.waitFor(outcomes);
  const settled = await scheduler.waitFor(
    Promise.allSettled([...publicStore.stragglers, ...stateStore.stragglers]),
  );
  return { below, results, settled, lists };
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
      async (scheduler, writers, faults) => {
        const { below, results, lists } = await play(scheduler, writers, faults);
        for (const result of results) {
          if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreError);
        }
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
