import fc from "fast-check";
import { expect, test } from "vitest";
import type { Registry } from "../../src/pipeline/publish/monitor-removals.ts";
import { SLOT_MS } from "../../src/model/monitor/uptime.ts";
import { loadState, STATE_KEY } from "../../src/state/state-file.ts";
import { uptimeOf } from "../../src/monitors/uptime/availability.ts";
import { shardKey } from "../../src/model/monitor/shard.ts";
import { atDepth, isFull } from "../depth.ts";
import { createFaultyStores, FAULTS, pauseIn } from "../publish/faulty-store.ts";
import {
  expectExact,
  FIRST_SLOT,
  historyIn,
  IDS,
  NO_PAUSE,
  registryOf,
  runIn,
  resultAt,
} from "./monitoring-harness.ts";
import { expectOnlyStoreErrors, freshStores, interrupt, watchWrites } from "../publish/writers.ts";

test("every check is counted once, with any lost, late, repeated or refused requests", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat(6), { minLength: 2, maxLength: 5 }),
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 25 }),
      async (scheduler, slots, faults) => {
        const below = freshStores();
        const { stores, settle } = createFaultyStores(below, scheduler, faults);
        const pause = pauseIn(scheduler);
        const registry = registryOf(IDS);
        const runs = slots.map((slot) => runIn(stores, FIRST_SLOT + slot, registry, pause));
        const results = await scheduler.waitFor(Promise.allSettled(runs));
        expectOnlyStoreErrors(results);
        await settle();
        await runIn(below, FIRST_SLOT + 7, registry, async () => undefined);
        await expectExact(below, IDS);
      },
    ),
    { numRuns: atDepth(25, 300) },
  );
});

test.skipIf(isFull)(
  "a writer that applies its journal late removes nothing from the shards",
  async () => {
    const stores = freshStores();
    const registry = registryOf(IDS);
    for (const slot of [0, 1]) await runIn(stores, FIRST_SLOT + slot, registry, NO_PAUSE);
    const { state } = await loadState(stores.stateStore);
    let turns = 0;
    // Other writers count two slots before it writes its first shard.
    const stateStore = interrupt(
      stores.stateStore,
      "write",
      shardKey(state.monitors.shards[0] ?? -1),
      async () => {
        turns += 1;
        for (const slot of [3, 4]) await runIn(stores, FIRST_SLOT + slot, registry, NO_PAUSE);
      },
    );
    await runIn({ ...stores, stateStore }, FIRST_SLOT + 2, registry, NO_PAUSE);
    expect(turns).toBe(1);
    const { clock } = await historyIn(stores);
    expect(clock.recentSlots).toEqual([0, 1, 2, 3, 4].map((slot) => FIRST_SLOT + slot));
    await expectExact(stores, IDS);
  },
);

test.skipIf(isFull)(
  "a run with the same time, or a publish without checks, counts nothing",
  async () => {
    const stores = freshStores();
    const registry = registryOf(IDS);
    for (const slot of [FIRST_SLOT, FIRST_SLOT, undefined, FIRST_SLOT + 1, FIRST_SLOT]) {
      await runIn(stores, slot, registry, NO_PAUSE);
    }
    const { state } = await loadState(stores.stateStore);
    expect(state.monitors.clock.recentSlots).toEqual([FIRST_SLOT, FIRST_SLOT + 1]);
    await expectExact(stores, IDS);
  },
);

test.skipIf(isFull)(
  "a removed monitor loses record and badge, an invalid entry keeps both",
  async () => {
    const stores = freshStores();
    await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
    const left = ["bank", "mail", "news"];
    await runIn(stores, undefined, registryOf(left, ["blog"]), NO_PAUSE);
    expect(await stores.publicStore.find("m/shop")).toBeUndefined();
    expect(await stores.publicStore.find("m/blog")).toBeDefined();
    const { ids } = await historyIn(stores);
    expect([...ids()].toSorted()).toEqual(["bank", "blog", "mail", "news"]);
  },
);

test.skipIf(isFull)("a run that checks also removes what left the registry", async () => {
  const stores = freshStores();
  await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
  const left = IDS.filter((id) => id !== "shop");
  await runIn(stores, FIRST_SLOT + 1, registryOf(left), NO_PAUSE);
  expect(await stores.publicStore.find("m/shop")).toBeUndefined();
  const { ids } = await historyIn(stores);
  expect([...ids()].toSorted()).toEqual(left.toSorted());
  await expectExact(stores, left);
});

test.skipIf(isFull)(
  "an unreadable registry removes nothing, and an unchecked monitor is not healthy",
  async () => {
    const stores = freshStores();
    await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
    const unreadable: Registry = { monitors: [], rejectedIds: [], isComplete: false };
    await runIn(stores, undefined, unreadable, NO_PAUSE);
    await expectExact(stores, IDS);
    // Also if the page of one was just switched on.
    await runIn(stores, undefined, unreadable, NO_PAUSE, { named: ["shop"] });
    await expectExact(stores, IDS);
    await runIn(stores, FIRST_SLOT + 1, registryOf(["shop"], IDS.slice(1)), NO_PAUSE);
    const { clock, recordOf } = await historyIn(stores);
    const before = ["healthy", "failing"].includes(resultAt("blog", FIRST_SLOT).kind) ? 1 : 0;
    const nowMs = (FIRST_SLOT + 1) * SLOT_MS;
    expect(uptimeOf(recordOf("blog"), clock, "24h", nowMs).decided).toBe(before);
  },
);

test.skipIf(isFull)(
  "a monitor that becomes private loses its badge; unchanged ones are not written",
  async () => {
    const stores = freshStores();
    await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
    const writes: string[] = [];
    const watched = watchWrites(stores.publicStore, (key) => writes.push(key));
    await runIn({ ...stores, publicStore: watched }, undefined, registryOf(IDS), NO_PAUSE);
    expect(writes).toEqual([]);
    const off = registryOf(IDS).monitors.map((one) => ({ ...one, isPublic: one.id !== "shop" }));
    const registry = { ...registryOf(IDS), monitors: off };
    await runIn(stores, undefined, registry, NO_PAUSE);
    expect(await stores.publicStore.find("m/shop")).toBeUndefined();
    expect(await stores.publicStore.find("m/blog")).toBeDefined();
  },
);

test.skipIf(isFull)(
  "while checks run, only named badges are drawn, and badges of private monitors go",
  async () => {
    const stores = freshStores();
    await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
    const { monitors } = registryOf([...IDS, "fresh", "asked"]);
    const switched = monitors.map((one) => ({
      ...one,
      isPublic: one.isPublic && one.id !== "shop",
    }));
    const registry = { ...registryOf([]), monitors: switched };
    await stores.publicStore.remove("m/news");
    const meanwhile = {
      nowSlot: FIRST_SLOT + 100 * 288,
      areMonitorsLater: true,
      mustVerify: true,
      named: ["asked"],
    };
    await runIn(stores, undefined, registry, NO_PAUSE, meanwhile);
    const there = async (): Promise<readonly string[]> => {
      const ids = switched.map(({ id }) => id);
      const tags = await Promise.all(ids.map((id) => stores.publicStore.find(`m/${id}`)));
      return ids.filter((_, at) => tags[at] !== undefined);
    };
    // A hundred days later the removed badge of `news` would be drawn from newer data than its signature.
    expect(await there()).toEqual(["blog", "bank", "asked"]);
    await runIn(stores, undefined, registry, NO_PAUSE, { ...meanwhile, nowSlot: FIRST_SLOT + 1 });
    expect(await there()).toEqual(["blog", "bank", "news", "asked"]);
    await runIn(stores, undefined, registry, NO_PAUSE, { mustVerify: true });
    expect(await there()).toEqual(["blog", "bank", "news", "fresh", "asked"]);
  },
);

test.skipIf(isFull)("response times are stored only for monitors with a page", async () => {
  const stores = freshStores();
  // Each is healthy in one of five slots.
  for (const slot of [0, 1, 2, 3, 4])
    await runIn(stores, FIRST_SLOT + slot, registryOf(IDS), NO_PAUSE);
  const { recordOf } = await historyIn(stores);
  const timed = IDS.filter((id) => recordOf(id)?.response !== undefined);
  expect(timed).toEqual(IDS.filter((id) => id !== "mail"));
});

test.skipIf(isFull)("a lost state starts again, and older shards do not prevent it", async () => {
  const stores = freshStores();
  for (const slot of [0, 1, 2]) await runIn(stores, FIRST_SLOT + slot, registryOf(IDS), NO_PAUSE);
  await stores.stateStore.remove(STATE_KEY);
  for (const slot of [3, 4]) await runIn(stores, FIRST_SLOT + slot, registryOf(IDS), NO_PAUSE);
  await expectExact(stores, IDS);
});

test.skipIf(isFull)("a restored copy of the state continues from its time", async () => {
  const stores = freshStores();
  await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
  const copy = stores.stateStore.objects.get(STATE_KEY);
  for (const slot of [1, 2]) await runIn(stores, FIRST_SLOT + slot, registryOf(IDS), NO_PAUSE);
  if (copy !== undefined) await stores.stateStore.write(STATE_KEY, copy);
  await runIn(stores, FIRST_SLOT + 3, registryOf(IDS), NO_PAUSE);
  const { clock, recordOf } = await historyIn(stores);
  expect(clock.recentSlots).toEqual([FIRST_SLOT, FIRST_SLOT + 3]);
  for (const id of IDS) {
    const { decided, healthy } = uptimeOf(recordOf(id), clock, "24h", clock.lastSlot * SLOT_MS);
    expect(decided).toBeLessThanOrEqual(2);
    expect(healthy).toBeLessThanOrEqual(decided);
  }
});

test.skipIf(isFull)(
  "the badge of a monitor that is no longer checked is removed after a day",
  async () => {
    const stores = freshStores();
    await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
    const kept = registryOf(["shop"], IDS.slice(1));
    const id = IDS.slice(1).find((one) => resultAt(one, FIRST_SLOT).kind === "healthy");
    if (id === undefined || id === "mail")
      throw new Error("the check results of this test have changed");
    await runIn(stores, FIRST_SLOT + 200, kept, NO_PAUSE);
    expect(await stores.publicStore.find(`m/${id}`)).toBeDefined();
    await runIn(stores, FIRST_SLOT + 289, kept, NO_PAUSE);
    expect(await stores.publicStore.find(`m/${id}`)).toBeUndefined();
  },
);

test.skipIf(isFull)(
  "changes of named monitors happen, however many others are missing or wait",
  async () => {
    const stores = freshStores();
    const many = Array.from({ length: 20 }, (_, index) => `m${index}`);
    const all = { ...registryOf(many), isComplete: true };
    await runIn(stores, FIRST_SLOT, all, NO_PAUSE, { maxRemovalShare: 0.2 });
    const few = registryOf(many.slice(0, 5));
    const m9 = { named: ["m9"], removed: ["m9"] };
    await runIn(stores, undefined, few, NO_PAUSE, { maxRemovalShare: 0.2, ...m9 });
    expect(await stores.publicStore.find("m/m9")).toBeUndefined();
    expect(await stores.publicStore.find("m/m10")).toBeDefined();
    const off = few.monitors.map((one) => ({ ...one, isPublic: false }));
    await runIn(stores, undefined, { ...few, monitors: off }, NO_PAUSE, { maxRemovalShare: 0.2 });
    // Many monitors that become private are deliberate; many missing ones are not.
    expect(await stores.publicStore.find("m/m0")).toBeUndefined();
    expect(await stores.publicStore.find("m/m10")).toBeDefined();
  },
);
