import { describe, expect, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { SUSPICION_MS } from "../../src/publish/plan.ts";
import { loadState } from "../../src/state.ts";
import { say, SAYING_KEYS } from "./sayings.ts";
import { readTexts } from "./toy.ts";
import { freshStores, interrupt, watchWrites } from "./writers.ts";

/* Races that chance seldom plays, step by step: what one writer does at one moment of another one's publish. */

const ALL_OLD = Object.fromEntries(SAYING_KEYS.map((key) => [key, "old"]));

/** Notes what is written under a key. */
function noteTexts(store: ObjectStore, noted: string) {
  const texts: string[] = [];
  const watched = watchWrites(store, (key, { body }, { kind }) => {
    if (key === noted && kind === "written") texts.push(Buffer.from(body).toString());
  });
  return { watched, texts };
}

describe("who comes late", () => {
  test.each([
    ["write", "page"],
    ["write", "index.html"],
    ["write", "m/badge.svg"],
    ["remove", "guest"],
    ["remove", "m/guest.svg"],
  ] as const)(
    "with the %s of %s, where a newer generation has brought the old bytes back, makes it good, though by its clock nothing is suspect",
    async (request, key) => {
      const stores = freshStores();
      await say("old", stores);
      let turns = 0;
      const publicStore = interrupt(stores.publicStore, request, key, async () => {
        turns += 1;
        await say("old", stores);
      });
      // What the other one suspects for a while has been settled for long by this clock.
      const aheadMs = 2 * SUSPICION_MS;
      const result = await say("new", { ...stores, publicStore }, { nowMs: 1 + aheadMs });
      expect(turns).toBe(1);
      expect(result.isOvertaken).toBe(false);
      expect(await readTexts(stores.publicStore, SAYING_KEYS)).toEqual(ALL_OLD);
    },
  );

  test("with removals removes nothing that a newer generation may want again", async () => {
    const stores = freshStores();
    await say("old", stores);
    const removed: string[] = [];
    const publicStore: ObjectStore = {
      // The last write before the removals.
      ...watchWrites(stores.publicStore, async (key) => {
        if (key === "index.html") await say("old", stores);
      }),
      remove: async (key) => {
        removed.push(key);
        await stores.publicStore.remove(key);
      },
    };
    await say("new", { ...stores, publicStore });
    expect(removed).toEqual([]);
    expect(await readTexts(stores.publicStore, SAYING_KEYS)).toEqual(ALL_OLD);
  });

  test("after an answer was lost writes over nothing newer: the state is asked after the look", async () => {
    const stores = freshStores();
    const { watched, texts } = noteTexts(stores.publicStore, "list");
    await say("old", { ...stores, publicStore: watched });
    const losing = interrupt(watched, "write", "list", async () => {
      throw new StoreError("write", "list", "lost", { isUnknown: true });
    });
    const publicStore = interrupt(losing, "find", "list", () =>
      say("newer", { ...stores, publicStore: watched }),
    );
    await say("new", { ...stores, publicStore });
    expect(texts.map(Number)).toEqual([1, 3, 4]);
  });

  test("in an audit takes nothing newer for what somebody has tampered with", async () => {
    const stores = freshStores();
    const { watched, texts } = noteTexts(stores.publicStore, "page");
    await say("old", { ...stores, publicStore: watched });
    const publicStore = interrupt(watched, "find", "page", () =>
      say("newer", { ...stores, publicStore: watched }),
    );
    await say("old", { ...stores, publicStore }, { mustLook: true });
    expect(texts).toEqual(["old", "newer"]);
  });
});

describe("a request that lingers", () => {
  test.each(["guest", "m/guest.svg"])(
    "and takes away %s, which came back after it was removed, is made good by the next generation",
    async (key) => {
      const stores = freshStores();
      for (const text of ["old", "new", "old"]) await say(text, stores);
      await stores.publicStore.remove(key);
      await say("old", stores);
      expect(await readTexts(stores.publicStore, SAYING_KEYS)).toEqual(ALL_OLD);
    },
  );

  test.each(["guest", "m/guest.svg"])(
    "and brings back %s, which was removed, is made good by the next generation",
    async (key) => {
      const stores = freshStores();
      for (const text of ["old", "new"]) await say(text, stores);
      await stores.publicStore.write(key, {
        body: Buffer.from("x"),
        contentType: "",
        cacheControl: "",
      });
      await say("new", stores);
      expect(await stores.publicStore.find(key)).toBeUndefined();
    },
  );
});

test("a state whose writes are carried out but never answered is advanced once for each commit", async () => {
  const stores = freshStores();
  let writes = 0;
  const stateStore = watchWrites(stores.stateStore, (key) => {
    writes += 1;
    throw new StoreError("write", key, "the answer was lost", { isUnknown: true });
  });
  for (const text of ["old", "new"]) await say(text, { ...stores, stateStore });
  const { state } = await loadState(stores.stateStore, () => undefined);
  const { generation, objects } = state.publication;
  expect(generation).toBe(2);
  expect([...objects.values()].every(({ isPublished }) => isPublished)).toBe(true);
  // Each was won by one write and confirmed by another: whoever hears nothing looks before it writes again.
  expect(writes).toBe(4);
});
