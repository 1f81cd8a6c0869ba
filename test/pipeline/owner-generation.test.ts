import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OwnerEdit } from "../../src/model/monitor/owned-monitor.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { DAY_MS } from "../../src/model/time.ts";
import {
  advanceOwners,
  findOwned,
  newsOfOwners,
} from "../../src/pipeline/publish/owner-generation.ts";
import { shardOf } from "../../src/model/monitor/shard.ts";
import { writeEdits } from "../../src/state/inbox.ts";
import { loadState, STATE_KEY } from "../../src/state/state-file.ts";
import { createInboxSeries } from "../../src/store/inbox-id.ts";
import { atDepth, isFull } from "../depth.ts";
import { hashOf, pendingMonitor, tokenOf } from "../model/owned-samples.ts";
import { T0 } from "../model/samples.ts";
import { NO_PAUSE, publishIn, recordsIn } from "./owner-publishing.ts";
import { createFaultyStores, FAULTS, pauseIn } from "../publish/faulty-store.ts";
import { expectOnlyStoreErrors, freshStores, interrupt } from "../publish/writers.ts";

const IDS = ["a", "b", "c", "d", "e"];

function registration(id: string): OwnerEdit {
  const { monitor } = pendingMonitor(id);
  const token = tokenOf("t");
  return { kind: "register", monitor, keyHash: hashOf("k"), token, network: "n", atMs: T0 };
}

const rename = (id: string, name: string): OwnerEdit => ({
  kind: "change",
  id,
  settings: { name },
  atMs: T0,
});

test("every edit counts once, with any lost, late, repeated or refused requests", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.array(fc.constantFrom(...IDS), { maxLength: 4 }), {
        minLength: 2,
        maxLength: 5,
      }),
      fc.array(fc.constantFrom(...FAULTS), { maxLength: 25 }),
      async (scheduler, batches, faults) => {
        const below = freshStores();
        const nextId = createInboxSeries();
        await writeEdits(below.stateStore, nextId(T0), IDS.map(registration));
        const { stores, settle } = createFaultyStores(below, scheduler, faults);
        const pause = pauseIn(scheduler);
        const publishes = batches.map(async (ids, batch) => {
          const edits = ids.map((id, at) => rename(id, `${batch}.${at}`));
          await writeEdits(below.stateStore, nextId(T0 + batch), edits);
          return publishIn(stores, pause);
        });
        expectOnlyStoreErrors(await scheduler.waitFor(Promise.allSettled(publishes)));
        await settle();
        await publishIn(below);
        await publishIn(below);
        const records = await recordsIn(below.stateStore);
        const all = batches.flat();
        for (const id of IDS) {
          const edits = all.filter((other) => other === id).length;
          expect([id, records.get(id)?.revision]).toEqual([id, 1 + edits]);
        }
        expect(await below.stateStore.list("owner-edits")).toEqual([]);
      },
    ),
    { numRuns: atDepth(25, 500) },
  );
});

test("an edit whose object cannot be removed counts once, also after days", async () => {
  const stores = freshStores();
  const proof = { kind: "proof-seen", id: "a", token: tokenOf("t"), method: "dns" } as const;
  const edits = [registration("a"), { ...proof, atMs: T0 }, rename("a", "new")];
  await writeEdits(stores.stateStore, createInboxSeries()(T0), edits);
  const remove = async (key: string): Promise<never> => {
    throw new StoreError("remove", key, "access denied");
  };
  const kept = { ...stores, stateStore: { ...stores.stateStore, remove } };
  for (let day = 0; day < 5; day += 1) await publishIn(kept, NO_PAUSE, T0 + day * DAY_MS);
  expect((await recordsIn(stores.stateStore)).get("a")?.revision).toBe(3);
});

test("the monitors of owners outlive a state that was lost", async () => {
  const { stateStore, publicStore } = freshStores();
  await writeEdits(stateStore, createInboxSeries()(T0), IDS.map(registration));
  await publishIn({ stateStore, publicStore });
  await stateStore.remove(STATE_KEY);
  await publishIn({ stateStore, publicStore }, NO_PAUSE, T0 + 1);
  expect([...(await recordsIn(stateStore)).keys()].toSorted()).toEqual(IDS);
});

describe.skipIf(isFull)("a publisher that dies", () => {
  test.each(["after the generation is won", "after half of the shards are written"])(
    "%s loses no edit, and the next one doubles none",
    async (when) => {
      const stores = freshStores();
      await writeEdits(stores.stateStore, createInboxSeries()(T0), IDS.map(registration));
      let shards = 0;
      const dying: ObjectStore = {
        ...stores.stateStore,
        write: async (key, object, precondition) => {
          if (key.startsWith("owners/")) shards += 1;
          const dies = when.startsWith("after half") ? 3 : 1;
          if (shards >= dies) return new Promise(() => undefined);
          return stores.stateStore.write(key, object, precondition);
        },
      };
      // It never ends: the process is gone.
      void publishIn({ ...stores, stateStore: dying });
      await expect.poll(() => shards).toBeGreaterThan(0);
      await publishIn(stores);
      const records = await recordsIn(stores.stateStore);
      expect([...records.values()].map(({ revision }) => revision)).toEqual(IDS.map(() => 1));
      const { state } = await loadState(stores.stateStore);
      expect(state.owners.pending).toBeNull();
      expect(await stores.stateStore.list("owner-edits")).toEqual([]);
    },
  );
});

test.skipIf(isFull)(
  "a writer that applies its journal late brings back no older record",
  async () => {
    const stores = freshStores();
    const nextId = createInboxSeries();
    await writeEdits(stores.stateStore, nextId(T0), IDS.map(registration));
    await publishIn(stores);
    await writeEdits(stores.stateStore, nextId(T0), [rename("a", "older")]);
    const key = `owners/${shardOf("a").toString(16).padStart(2, "0")}.json.gz`;
    let turns = 0;
    const stateStore = interrupt(stores.stateStore, "write", key, async () => {
      turns += 1;
      await writeEdits(stores.stateStore, nextId(T0 + 1), [rename("a", "newer")]);
      await publishIn(stores);
    });
    await publishIn({ ...stores, stateStore });
    expect(turns).toBe(1);
    expect((await recordsIn(stores.stateStore)).get("a")?.monitor.name).toBe("newer");
  },
);

describe.skipIf(isFull)("what a generation tells", () => {
  test("a process that knows the one before is only what has changed", async () => {
    const { stateStore } = freshStores();
    const deps = { stateStore, pause: NO_PAUSE, memory: {} };
    const inboxOf = (...edits: readonly OwnerEdit[]) => ({
      take: async () => ({ ids: [], items: edits }),
    });
    const state = await loadState(stateStore);
    const { owners } = state.state;
    const first = await advanceOwners(deps, owners, inboxOf(...IDS.map(registration)), T0);
    expect(newsOfOwners(first, undefined)).toMatchObject({ isAll: true });
    const settled = await first.settle();
    const second = await advanceOwners(deps, settled, inboxOf(rename("b", "x")), T0 + 1);
    const news = newsOfOwners(second, settled.sequence);
    expect(news).toMatchObject({ isAll: false, records: [["b", { monitor: { name: "x" } }]] });
    expect(newsOfOwners(second, 7).records.length).toBe(IDS.length);
  });

  test("a run is the proved monitors, with the same object while nothing changes", async () => {
    const stores = freshStores();
    const edits = [
      ...IDS.map(registration),
      { kind: "proof-seen", id: "c", token: tokenOf("t"), method: "dns", atMs: T0 } as const,
    ];
    await writeEdits(stores.stateStore, createInboxSeries()(T0), edits);
    await publishIn(stores);
    const { state } = await loadState(stores.stateStore);
    const deps = { stateStore: stores.stateStore, pause: NO_PAUSE, memory: {} };
    const owned = await findOwned(deps, state, T0);
    expect(owned.checked.map(({ id }) => id)).toEqual(["c"]);
    expect([...owned.dormantIds].toSorted()).toEqual(["a", "b", "d", "e"]);
    expect(await findOwned(deps, state, T0 + 1)).toBe(owned);
    expect(await findOwned(deps, state, T0 + 61 * DAY_MS)).toBe(owned);
    expect((await findOwned(deps, state, T0 + 95 * DAY_MS)).checked).toEqual([]);
  });
});
