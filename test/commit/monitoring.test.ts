import fc from "fast-check";
import { expect, test } from "vitest";
import type { Registry } from "../../src/departures.ts";
import { SLOT_MS } from "../../src/model/uptime.ts";
import { loadState, STATE_KEY } from "../../src/state.ts";
import { uptimeOf } from "../../src/uptime/count.ts";
import { shardKey } from "../../src/uptime/shard.ts";
import { atDepth, isFull } from "../depth.ts";
import { createFaultyStores, FAULTS, pauseIn } from "./faulty-store.ts";
import {
  expectExact,
  FIRST_SLOT,
  historyIn,
  IDS,
  NO_PAUSE,
  registryOf,
  runIn,
  verdictAt,
} from "./monitoring-lab.ts";
import { expectOnlyStoreErrors, freshStores, interrupt, watchWrites } from "./writers.ts";

test("whatever is lost, late, repeated or refused, every check that was counted is counted once, and the badges say so", async () => {
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
    { numRuns: atDepth(50, 300) },
  );
});

test.skipIf(isFull)(
  "a writer that settles its journal late, when others have settled theirs, takes nothing away from the shards",
  async () => {
    const stores = freshStores();
    const registry = registryOf(IDS);
    for (const slot of [0, 1]) await runIn(stores, FIRST_SLOT + slot, registry, NO_PAUSE);
    const { state } = await loadState(stores.stateStore, () => undefined);
    let turns = 0;
    // Others count two slots while it is about to write its first shard.
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
  "a run with the same time counts nothing, and a publish without checks neither",
  async () => {
    const stores = freshStores();
    const registry = registryOf(IDS);
    for (const slot of [FIRST_SLOT, FIRST_SLOT, undefined, FIRST_SLOT + 1, FIRST_SLOT]) {
      await runIn(stores, slot, registry, NO_PAUSE);
    }
    const { state } = await loadState(stores.stateStore, () => undefined);
    expect(state.monitors.clock.recentSlots).toEqual([FIRST_SLOT, FIRST_SLOT + 1]);
    await expectExact(stores, IDS);
  },
);

test.skipIf(isFull)(
  "whoever leaves the registry loses record and badge in the next publish, whoever is only written wrongly keeps both",
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

test.skipIf(isFull)(
  "a registry that cannot be read takes nothing away, and what was not checked is not healthy",
  async () => {
    const stores = freshStores();
    await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
    const unreadable: Registry = { monitors: [], rejectedIds: [], isComplete: false };
    await runIn(stores, undefined, unreadable, NO_PAUSE);
    await expectExact(stores, IDS);
    // Not even from one whose page somebody has just switched on.
    await runIn(stores, undefined, unreadable, NO_PAUSE, { named: ["shop"] });
    await expectExact(stores, IDS);
    await runIn(stores, FIRST_SLOT + 1, registryOf(["shop"], IDS.slice(1)), NO_PAUSE);
    const { clock, recordOf } = await historyIn(stores);
    const before = ["healthy", "failing"].includes(verdictAt("blog", FIRST_SLOT).kind) ? 1 : 0;
    const nowMs = (FIRST_SLOT + 1) * SLOT_MS;
    expect(uptimeOf(recordOf("blog"), clock, "24h", nowMs).decided).toBe(before);
  },
);

test.skipIf(isFull)(
  "a page that is switched off loses its badge in the next publish, and an unchanged badge is not written",
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
  "while the checks are under way nothing is drawn but what was named, and what was switched off goes",
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
    const meanwhile = { areMonitorsLater: true, mustLook: true, named: ["asked"] };
    await runIn(stores, undefined, registry, NO_PAUSE, meanwhile);
    const there = async (): Promise<readonly string[]> => {
      const ids = switched.map(({ id }) => id);
      const tags = await Promise.all(ids.map((id) => stores.publicStore.find(`m/${id}`)));
      return ids.filter((_, at) => tags[at] !== undefined);
    };
    // What somebody took away would be drawn from what is known now, and not from what its signature says.
    expect(await there()).toEqual(["blog", "bank", "asked"]);
    await runIn(stores, undefined, registry, NO_PAUSE, { mustLook: true });
    expect(await there()).toEqual(["blog", "bank", "news", "fresh", "asked"]);
  },
);

test.skipIf(isFull)("response times are remembered of monitors with a page alone", async () => {
  const stores = freshStores();
  // In five slots each of them is healthy once.
  for (const slot of [0, 1, 2, 3, 4])
    await runIn(stores, FIRST_SLOT + slot, registryOf(IDS), NO_PAUSE);
  const { recordOf } = await historyIn(stores);
  const timed = IDS.filter((id) => recordOf(id)?.response !== undefined);
  expect(timed).toEqual(IDS.filter((id) => id !== "mail"));
});

test.skipIf(isFull)(
  "a state that was lost begins anew, and shards that outlived it do not stand in its way",
  async () => {
    const stores = freshStores();
    for (const slot of [0, 1, 2]) await runIn(stores, FIRST_SLOT + slot, registryOf(IDS), NO_PAUSE);
    await stores.stateStore.remove(STATE_KEY);
    for (const slot of [3, 4]) await runIn(stores, FIRST_SLOT + slot, registryOf(IDS), NO_PAUSE);
    await expectExact(stores, IDS);
  },
);

test.skipIf(isFull)("a state that was restored from a copy goes on from there", async () => {
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
  "the badge of a monitor that is checked no more goes a day after its last check: no badge is better than a wrong one",
  async () => {
    const stores = freshStores();
    await runIn(stores, FIRST_SLOT, registryOf(IDS), NO_PAUSE);
    const kept = registryOf(["shop"], IDS.slice(1));
    const id = IDS.slice(1).find((one) => verdictAt(one, FIRST_SLOT).kind === "healthy");
    if (id === undefined || id === "mail")
      throw new Error("the verdicts of this test have changed");
    await runIn(stores, FIRST_SLOT + 200, kept, NO_PAUSE);
    expect(await stores.publicStore.find(`m/${id}`)).toBeDefined();
    await runIn(stores, FIRST_SLOT + 289, kept, NO_PAUSE);
    expect(await stores.publicStore.find(`m/${id}`)).toBeUndefined();
  },
);

test.skipIf(isFull)(
  "what somebody asked for by name happens, however many others are missing or wait",
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
    // Whoever switches a page off means it, even many at once; who is merely missing stays.
    expect(await stores.publicStore.find("m/m0")).toBeUndefined();
    expect(await stores.publicStore.find("m/m10")).toBeDefined();
  },
);
