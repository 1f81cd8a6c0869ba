import { expect, test } from "vitest";
import { inboxKey, listInbox } from "../../src/state/inbox.ts";
import { type ObjectStore, StoreError, type StoreOperation } from "../../src/model/store.ts";
import { refresh } from "../../src/pipeline/publish/refresh.ts";
import { loadState } from "../../src/state/state-file.ts";
import { detailsIn, NOW_MS, openSetup, post, reportOf } from "../pipeline/publish-harness.ts";
import { freshStores } from "../publish/writers.ts";

/** A store whose credentials forbid one operation in the inbox. */
function refusing(store: ObjectStore, refused: StoreOperation): ObjectStore {
  const check = async (operation: StoreOperation, key: string): Promise<void> => {
    if (operation === refused && key.startsWith("inbox")) {
      throw new StoreError(operation, key, `you may not ${operation} ${key}`);
    }
  };
  return {
    ...store,
    list: async (folder) => {
      await check("list", folder);
      return store.list(folder);
    },
    read: async (key) => {
      await check("read", key);
      return store.read(key);
    },
    remove: async (key) => {
      await check("remove", key);
      await store.remove(key);
    },
  };
}

test.each(["list", "read"] as const)(
  "services are published if the inbox refuses to %s; reports count later",
  async (refused) => {
    const stores = freshStores();
    await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
    await post(stores.stateStore, "2-x", [reportOf("alpha", "b")]);
    const { setup, eventsNamed } = openSetup({
      ...stores,
      stateStore: refusing(stores.stateStore, refused),
    });
    const { published } = await refresh(setup, NOW_MS);
    expect(published.written).toBeGreaterThanOrEqual(3);
    expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 0 } });
    const key = refused === "list" ? "inbox" : inboxKey("1-x");
    expect(eventsNamed("reports-deferred")).toEqual([
      { event: "reports-deferred", message: `you may not ${refused} ${key}` },
    ]);
    await refresh(openSetup(stores).setup, NOW_MS);
    expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 2 } });
    expect(await stores.stateStore.list("inbox")).toEqual([]);
  },
);

test("an object that can be read is counted, one that cannot stays", async () => {
  const stores = freshStores();
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  await post(stores.stateStore, "2-x", [reportOf("beta", "b")]);
  const { setup } = openSetup({
    ...stores,
    stateStore: {
      ...stores.stateStore,
      read: async (key) => {
        if (key === inboxKey("2-x")) throw new StoreError("read", key, "lost");
        return stores.stateStore.read(key);
      },
    },
  });
  await refresh(setup, NOW_MS);
  const details = await detailsIn(stores.publicStore);
  expect(details).toMatchObject({ alpha: { reportsDay: 1 }, beta: { reportsDay: 0 } });
  expect(await stores.stateStore.list("inbox")).toEqual([inboxKey("2-x")]);
});

test("an object that the publisher wrote is counted without being read", async () => {
  const stores = freshStores();
  await refresh(openSetup(stores).setup, NOW_MS - 1);
  const mine = await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  await post(stores.stateStore, "2-x", [reportOf("alpha", "b")]);
  const { setup } = openSetup(stores);
  const { requests } = await refresh({ ...setup, written: new Map([["1-x", mine]]) }, NOW_MS);
  // The state, and the object of another writer.
  expect(requests.state.read).toBe(2);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 2 } });
  expect(await stores.stateStore.list("inbox")).toEqual([]);
});

test("an object of the publisher that another writer has counted is not counted again", async () => {
  const stores = freshStores();
  const mine = await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  await refresh(openSetup(stores).setup, NOW_MS);
  // A removal that came too late, or a listing that is behind.
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  const { setup } = openSetup(stores);
  const later = NOW_MS + 2 * 3_600_000;
  await refresh({ ...setup, written: new Map([["1-x", mine]]) }, later);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 1 } });
});

test("counted objects that cannot be removed are counted once, and removed later", async () => {
  const stores = freshStores();
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  const { setup, eventsNamed } = openSetup({
    ...stores,
    stateStore: refusing(stores.stateStore, "remove"),
  });
  await refresh(setup, NOW_MS);
  await refresh(setup, NOW_MS);
  expect(eventsNamed("inbox-not-cleared")).toHaveLength(2);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 1 } });
  expect(await stores.stateStore.list("inbox")).toEqual([inboxKey("1-x")]);
  await refresh(openSetup(stores).setup, NOW_MS);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 1 } });
  expect(await stores.stateStore.list("inbox")).toEqual([]);
});

test("thousands of counted objects that cannot be removed do not block a new one", async () => {
  const stores = freshStores();
  const ids = Array.from({ length: 2_001 }, (_, index) => `${NOW_MS + index}-x`);
  const lay = (id: string) => post(stores.stateStore, id, [reportOf("alpha", id)]);
  await Promise.all(ids.map(lay));
  const { setup } = openSetup({ ...stores, stateStore: refusing(stores.stateStore, "remove") });
  await refresh(setup, NOW_MS);
  await refresh(setup, NOW_MS);
  await post(stores.stateStore, `${NOW_MS + 5_000}-x`, [reportOf("beta", "b")]);
  await refresh(setup, NOW_MS);
  const details = await detailsIn(stores.publicStore);
  expect(details).toMatchObject({ alpha: { reportsDay: 2_001 }, beta: { reportsDay: 1 } });
});

test("a report-only publish throws without the inbox, and publishes nothing", async () => {
  const stores = freshStores();
  const { setup } = openSetup({ ...stores, stateStore: refusing(stores.stateStore, "list") });
  await expect(refresh({ ...setup, mustCount: true }, NOW_MS)).rejects.toThrow(StoreError);
  expect((await loadState(stores.stateStore)).etag).toBeUndefined();
});

test("the objects of the inbox are listed by id, the oldest first", async () => {
  const { stateStore } = freshStores();
  for (const id of ["2-x", "1-x", "10-x"]) await post(stateStore, id, [reportOf("alpha", "a")]);
  expect(await listInbox(stateStore)).toEqual(["1-x", "10-x", "2-x"]);
});
