import { describe, expect, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { SUSPICION_MS } from "../../src/publish/plan-objects.ts";
import { loadState } from "../../src/state/state-file.ts";
import { publishText, TEXT_KEYS } from "./text-program.ts";
import { readTexts } from "./counter-program.ts";
import { freshStores, interrupt, watchWrites } from "./writers.ts";

/* Rare races step by step: one writer acts at a given moment of the publish of another. */

const ALL_OLD = Object.fromEntries(TEXT_KEYS.map((key) => [key, "old"]));

/** Records what is written under a key. */
function noteTexts(store: ObjectStore, noted: string) {
  const texts: string[] = [];
  const watched = watchWrites(store, (key, { body }, { kind }) => {
    if (key === noted && kind === "written") texts.push(Buffer.from(body).toString());
  });
  return { watched, texts };
}

describe("a late writer", () => {
  test.each([
    ["write", "page"],
    ["write", "index.html"],
    ["write", "m/badge.svg"],
    ["remove", "guest"],
    ["remove", "m/guest.svg"],
  ] as const)(
    "repairs its %s of %s after a newer generation restored the old bytes",
    async (request, key) => {
      const stores = freshStores();
      await publishText("old", stores);
      let turns = 0;
      const publicStore = interrupt(stores.publicStore, request, key, async () => {
        turns += 1;
        await publishText("old", stores);
      });
      // By this clock nothing is suspect any more that is suspect for the other writer.
      const aheadMs = 2 * SUSPICION_MS;
      const result = await publishText("new", { ...stores, publicStore }, { nowMs: 1 + aheadMs });
      expect(turns).toBe(1);
      expect(result.isOvertaken).toBe(false);
      expect(await readTexts(stores.publicStore, TEXT_KEYS)).toEqual(ALL_OLD);
    },
  );

  test("removes nothing that a newer generation may have written again", async () => {
    const stores = freshStores();
    await publishText("old", stores);
    const removed: string[] = [];
    const publicStore: ObjectStore = {
      // The last write before the removals.
      ...watchWrites(stores.publicStore, async (key) => {
        if (key === "index.html") await publishText("old", stores);
      }),
      remove: async (key) => {
        removed.push(key);
        await stores.publicStore.remove(key);
      },
    };
    await publishText("new", { ...stores, publicStore });
    expect(removed).toEqual([]);
    expect(await readTexts(stores.publicStore, TEXT_KEYS)).toEqual(ALL_OLD);
  });

  test("overwrites nothing newer after a lost response", async () => {
    const stores = freshStores();
    const { watched, texts } = noteTexts(stores.publicStore, "list");
    await publishText("old", { ...stores, publicStore: watched });
    const losing = interrupt(watched, "write", "list", async () => {
      throw new StoreError("write", "list", "lost", { isUnknown: true });
    });
    const publicStore = interrupt(losing, "find", "list", () =>
      publishText("newer", { ...stores, publicStore: watched }),
    );
    await publishText("new", { ...stores, publicStore });
    expect(texts.map(Number)).toEqual([1, 3, 4]);
  });

  test("does not mistake newer bytes for tampering in an audit", async () => {
    const stores = freshStores();
    const { watched, texts } = noteTexts(stores.publicStore, "page");
    await publishText("old", { ...stores, publicStore: watched });
    const publicStore = interrupt(watched, "find", "page", () =>
      publishText("newer", { ...stores, publicStore: watched }),
    );
    await publishText("old", { ...stores, publicStore }, { mustVerify: true });
    expect(texts).toEqual(["old", "newer"]);
  });
});

describe("a delayed request", () => {
  test.each(["guest", "m/guest.svg"])(
    "that removes %s after it was written again is repaired by the next generation",
    async (key) => {
      const stores = freshStores();
      for (const text of ["old", "new", "old"]) await publishText(text, stores);
      await stores.publicStore.remove(key);
      await publishText("old", stores);
      expect(await readTexts(stores.publicStore, TEXT_KEYS)).toEqual(ALL_OLD);
    },
  );

  test.each(["guest", "m/guest.svg"])(
    "that writes %s after it was removed is repaired by the next generation",
    async (key) => {
      const stores = freshStores();
      for (const text of ["old", "new"]) await publishText(text, stores);
      await stores.publicStore.write(key, {
        body: Buffer.from("x"),
        contentType: "",
        cacheControl: "",
      });
      await publishText("new", stores);
      expect(await stores.publicStore.find(key)).toBeUndefined();
    },
  );
});

test("a state whose write responses are all lost is advanced once for each commit", async () => {
  const stores = freshStores();
  let writes = 0;
  const stateStore = watchWrites(stores.stateStore, (key) => {
    writes += 1;
    throw new StoreError("write", key, "the answer was lost", { isUnknown: true });
  });
  for (const text of ["old", "new"]) await publishText(text, { ...stores, stateStore });
  const { state } = await loadState(stores.stateStore);
  const { generation, objects } = state.publication;
  expect(generation).toBe(2);
  expect([...objects.values()].every(({ isPublished }) => isPublished)).toBe(true);
  // Each was won by one write and confirmed by another: after a lost response the writer reads before it writes again.
  expect(writes).toBe(4);
});
