import { expect, test } from "vitest";
import { inboxKey } from "../../src/inbox.ts";
import { type ObjectStore, StoreError, type StoreOperation } from "../../src/model/store.ts";
import { refresh } from "../../src/refresh.ts";
import { loadState } from "../../src/state.ts";
import { detailsIn, NOW_MS, openRelease, post, reportOf } from "./release-lab.ts";
import { freshStores } from "./writers.ts";

/** Credentials that may not do something in the inbox, and anything anywhere else. */
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
  "where the inbox refuses to %s, the services are published, and the reports are counted by the next publish that may",
  async (refused) => {
    const stores = freshStores();
    await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
    await post(stores.stateStore, "2-x", [reportOf("alpha", "b")]);
    const { setup, told } = openRelease({
      ...stores,
      stateStore: refusing(stores.stateStore, refused),
    });
    const { published } = await refresh(setup, NOW_MS);
    expect(published.written).toBe(3);
    expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 0 } });
    const key = refused === "list" ? "inbox" : inboxKey("1-x");
    expect(told("reports-waiting")).toEqual([
      { event: "reports-waiting", message: `you may not ${refused} ${key}` },
    ]);
    await refresh(openRelease(stores).setup, NOW_MS);
    expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 2 } });
    expect(await stores.stateStore.list("inbox")).toEqual([]);
  },
);

test("an object that can be read is counted beside one that cannot", async () => {
  const stores = freshStores();
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  await post(stores.stateStore, "2-x", [reportOf("beta", "b")]);
  const { setup } = openRelease({
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

test("an object that the publisher wrote itself is counted without being read", async () => {
  const stores = freshStores();
  const mine = await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  await post(stores.stateStore, "2-x", [reportOf("alpha", "b")]);
  const { setup } = openRelease(stores);
  const { requests } = await refresh({ ...setup, written: new Map([["1-x", mine]]) }, NOW_MS);
  // The state, and the object of somebody else.
  expect(requests.state.read).toBe(2);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 2 } });
  expect(await stores.stateStore.list("inbox")).toEqual([]);
});

test("an object that the publisher wrote, and that another writer has counted, counts no more", async () => {
  const stores = freshStores();
  const mine = await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  await refresh(openRelease(stores).setup, NOW_MS);
  // A removal that came too late, or a listing that is behind.
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  const { setup } = openRelease(stores);
  const later = NOW_MS + 2 * 3_600_000;
  await refresh({ ...setup, written: new Map([["1-x", mine]]) }, later);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 1 } });
});

test("where counted objects cannot be removed, the publish is done, they are counted once, and the next one removes them", async () => {
  const stores = freshStores();
  await post(stores.stateStore, "1-x", [reportOf("alpha", "a")]);
  const { setup, told } = openRelease({
    ...stores,
    stateStore: refusing(stores.stateStore, "remove"),
  });
  await refresh(setup, NOW_MS);
  await refresh(setup, NOW_MS);
  expect(told("inbox-not-cleared")).toHaveLength(2);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 1 } });
  expect(await stores.stateStore.list("inbox")).toEqual([inboxKey("1-x")]);
  await refresh(openRelease(stores).setup, NOW_MS);
  expect(await detailsIn(stores.publicStore)).toMatchObject({ alpha: { reportsDay: 1 } });
  expect(await stores.stateStore.list("inbox")).toEqual([]);
});

test("thousands of counted objects that cannot be removed do not stand before a new one", async () => {
  const stores = freshStores();
  const ids = Array.from({ length: 2_001 }, (_, index) => `${NOW_MS + index}-x`);
  const lay = (id: string) => post(stores.stateStore, id, [reportOf("alpha", id)]);
  await Promise.all(ids.map(lay));
  const { setup } = openRelease({ ...stores, stateStore: refusing(stores.stateStore, "remove") });
  await refresh(setup, NOW_MS);
  await refresh(setup, NOW_MS);
  await post(stores.stateStore, `${NOW_MS + 5_000}-x`, [reportOf("beta", "b")]);
  await refresh(setup, NOW_MS);
  const details = await detailsIn(stores.publicStore);
  expect(details).toMatchObject({ alpha: { reportsDay: 2_001 }, beta: { reportsDay: 1 } });
});

test("who publishes for the sake of reports alone publishes nothing without the inbox", async () => {
  const stores = freshStores();
  const { setup } = openRelease({ ...stores, stateStore: refusing(stores.stateStore, "list") });
  await expect(refresh({ ...setup, mustCount: true }, NOW_MS)).rejects.toThrow(StoreError);
  expect((await loadState(stores.stateStore, () => undefined)).etag).toBeUndefined();
});
