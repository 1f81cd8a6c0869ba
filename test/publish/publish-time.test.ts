import { describe, expect, test } from "vitest";
import { commit } from "../../src/publish/commit.ts";
import type { CommitDependencies } from "../../src/publish/generation.ts";
import type { Document } from "../../src/model/service/snapshot.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { HOUR_MS, SECOND_MS } from "../../src/model/time.ts";
import { NO_GROUPS, type WantedGroups } from "../../src/publish/object-groups.ts";
import type { PublishResult } from "../../src/publish/publish.ts";
import { loadState } from "../../src/state/state-file.ts";
import { publishText, TEXT_KEYS } from "./text-program.ts";
import { textDocuments } from "./text-documents.ts";
import { readTexts } from "./counter-program.ts";
import { freshStores, type Stores, watchWrites, writerOver } from "./writers.ts";

/* Commits that take long. The clock moves only during requests and drawing. */

interface Clock {
  nowMs: number;
}

/** The same store; each request of this kind for keys with this prefix takes `tookMs`. */
function slow(
  store: ObjectStore,
  request: "read" | "write" | "remove",
  tookMs: number,
  clock: Clock,
  beginning = "",
): ObjectStore {
  const wait = (asked: string, key: string): void => {
    if (asked === request && key.startsWith(beginning)) clock.nowMs += tookMs;
  };
  return {
    ...store,
    read: (key) => {
      wait("read", key);
      return store.read(key);
    },
    write: (key, object, precondition) => {
      wait("write", key);
      return store.write(key, object, precondition);
    },
    remove: (key) => {
      wait("remove", key);
      return store.remove(key);
    },
  };
}

/** Publishes exactly these documents and groups. */
function publish(
  stores: Stores,
  clock: Clock,
  what: { readonly documents?: readonly Document[]; readonly groups?: WantedGroups },
  deps: Partial<CommitDependencies> = {},
  nowMs = 1,
): Promise<PublishResult> {
  const pause = (): Promise<void> => Promise.resolve();
  const advance: Parameters<typeof commit>[1] = async (state) => ({
    state,
    documents: [],
    groups: NO_GROUPS,
    ...what,
    site: [],
    settle: async () => ({}),
    nowMs,
  });
  const all = { ...writerOver(stores, pause), now: () => clock.nowMs, ...deps };
  return commit(all, advance, advance);
}

/** So many groups of one object each; drawing one takes `tookMs`. */
function groupsOf(count: number, family: string, clock: Clock, tookMs = 0) {
  const drawn: string[] = [];
  const ids = Array.from({ length: count }, (_, at) => `${family}${at}`);
  const groups: WantedGroups = {
    ...NO_GROUPS,
    signatures: new Map(ids.map((id) => [id, "look"])),
    keysOf: (id) => [`m/${id}`],
    build: async (id) => {
      clock.nowMs += tookMs;
      drawn.push(id);
      return textDocuments({ [`m/${id}`]: "look" });
    },
    isPicture: (id) => id.startsWith("picture"),
  };
  return { groups, ids, drawn };
}

const DOCUMENTS = textDocuments(
  Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`api/${at}`, at])),
);

describe("a publish of documents", () => {
  test("that takes over a minute is confirmed and continues in another generation", async () => {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    const written: string[] = [];
    const watched = watchWrites(stores.publicStore, (key) => written.push(key));
    const publicStore = slow(watched, "write", 5 * SECOND_MS, clock);
    const result = await publish({ ...stores, publicStore }, clock, { documents: DOCUMENTS });
    expect(result).toMatchObject({ written: 40, isOutOfTime: false, isOvertaken: false });
    // Sixteen writes run at once, which limits how many begin in a minute.
    const { state } = await loadState(stores.stateStore);
    expect(state.publication.generation).toBe(3);
    expect(written.toSorted()).toEqual(DOCUMENTS.map(({ key }) => key).toSorted());
  });

  test("that takes over thirty generations is an error, and keeps what it wrote", async () => {
    const outcomeOf = async (count: number) => {
      const stores = freshStores();
      const clock = { nowMs: 0 };
      const publicStore = slow(stores.publicStore, "write", 61 * SECOND_MS, clock);
      const texts = Array.from({ length: count }, (_, at) => [`api/${at}`, at] as const);
      const documents = textDocuments(Object.fromEntries(texts));
      const result = publish({ ...stores, publicStore }, clock, { documents });
      return [
        await result.then(({ written }) => written, String),
        (await loadState(stores.stateStore)).state.publication.generation,
        stores.publicStore.objects.size,
      ];
    };
    // Some sixteen are begun before the first has taken a minute.
    expect(await outcomeOf(448)).toEqual([448, 30, 448]);
    const error =
      "StoreError: memory: the state could not be advanced in 30 tries. Are too many programs writing there, or does the store fail? Run doctor.";
    expect(await outcomeOf(480)).toEqual([error, 30, 465]);
  });

  test("whose removals take longer than a minute continues with them", async () => {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    await publish(stores, clock, { documents: DOCUMENTS });
    const publicStore = slow(stores.publicStore, "remove", 5 * SECOND_MS, clock);
    const documents = DOCUMENTS.slice(0, 1);
    const result = await publish({ ...stores, publicStore }, clock, { documents });
    expect(result).toMatchObject({ removed: 39, isOutOfTime: false });
    expect([...stores.publicStore.objects.keys()]).toEqual(["api/0"]);
  });

  test("that writes nothing within a minute is an error with advice", async () => {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    for (const document of DOCUMENTS)
      await stores.publicStore.write(document.key, { ...document, body: new Uint8Array(1) });
    const publicStore = slow(stores.publicStore, "read", 61 * SECOND_MS, clock);
    const publishing = publish(
      { ...stores, publicStore },
      clock,
      { documents: DOCUMENTS },
      {},
      HOUR_MS,
    );
    await expect(publishing).rejects.toThrow(
      /^memory: not one object could be written in 60 s\. Is the store overloaded, or very far away\? Fix --store\.$/u,
    );
  });

  test("in a store without responses fails with the error of the store", async () => {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    const lost = watchWrites(stores.publicStore, (key) => {
      throw new StoreError("write", key, "no answer came", { isUnknown: true });
    });
    const publicStore = slow(lost, "write", 61 * SECOND_MS, clock);
    const publishing = publish({ ...stores, publicStore }, clock, { documents: DOCUMENTS });
    await expect(publishing).rejects.toThrow("no answer came");
  });
});

describe("groups", () => {
  test("are begun for 20 s, and the others wait for the next publish", async () => {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    const { groups, ids } = groupsOf(40, "badge", clock);
    const publicStore = slow(stores.publicStore, "write", 1.5 * SECOND_MS, clock);
    const waiting: number[] = [];
    for (let times = 0; times < 3; times += 1) {
      const result = await publish({ ...stores, publicStore }, clock, { groups });
      expect(result.isOutOfTime).toBe(false);
      waiting.push(result.postponedGroups);
    }
    expect(waiting).toEqual([24, 8, 0]);
    expect(
      Object.values(
        await readTexts(
          stores.publicStore,
          ids.map((id) => `m/${id}`),
        ),
      ),
    ).toEqual(ids.map(() => "look"));
  });

  test("that are pictures are drawn for 2 s from the first one on", async () => {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    const { groups, drawn } = groupsOf(20, "picture", clock, 200);
    const publicStore = slow(stores.publicStore, "write", 10 * SECOND_MS, clock, "api/");
    const documents = DOCUMENTS.slice(0, 1);
    const result = await publish({ ...stores, publicStore }, clock, { documents, groups });
    expect(drawn).toHaveLength(16);
    expect(result).toMatchObject({ postponedGroups: 4, isOutOfTime: false });
  });

  test.each([
    // Sixteen begin at once, and then all others, if there is time left.
    [3_199, 16],
    [3_200, 20],
    [Number.POSITIVE_INFINITY, 20],
  ])("that are pictures are drawn for %d ms, if that is their time", async (budgetMs, count) => {
    const clock = { nowMs: 0 };
    const { groups, drawn } = groupsOf(20, "picture", clock, 200);
    await publish(freshStores(), clock, { groups }, { pictureBudgetMs: budgetMs });
    expect(drawn).toHaveLength(count);
  });

  test("that are pictures are drawn once each over several publishes, and never read", async () => {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    const { groups, ids, drawn } = groupsOf(40, "picture", clock, 200);
    const read: string[] = [];
    const publicStore: ObjectStore = {
      ...stores.publicStore,
      read: (key) => {
        read.push(key);
        return stores.publicStore.read(key);
      },
    };
    for (let times = 0; times < 5; times += 1)
      await publish({ ...stores, publicStore }, clock, { groups }, {}, times);
    expect(drawn.toSorted()).toEqual(ids.toSorted());
    expect(read).toEqual([]);
  });

  test("that are pictures wait with arePicturesLater, except a named one", async () => {
    const clock = { nowMs: 0 };
    const { groups, drawn } = groupsOf(3, "picture", clock);
    const named = { ...groups, named: new Set(["picture1"]) };
    await publish(freshStores(), clock, { groups: named }, { arePicturesLater: true });
    expect(drawn).toEqual(["picture1"]);
  });
});

describe("an object that was removed by others", () => {
  const removeAll = async ({ publicStore }: Stores): Promise<void> => {
    for (const key of TEXT_KEYS) await publicStore.remove(key);
  };
  const isThere = async ({ publicStore }: Stores): Promise<boolean> => {
    const texts = Object.values(await readTexts(publicStore, TEXT_KEYS));
    expect(new Set(texts).size).toBe(1);
    return texts[0] === "old";
  };

  test("is written again by the hourly audit", async () => {
    const stores = freshStores();
    const startMs = 5 * HOUR_MS;
    await publishText("old", stores, { nowMs: startMs });
    await removeAll(stores);
    await publishText("old", stores, { nowMs: startMs + HOUR_MS - 1 });
    expect(await isThere(stores)).toBe(false);
    await publishText("old", stores, { nowMs: startMs + HOUR_MS });
    expect(await isThere(stores)).toBe(true);
    await removeAll(stores);
    await publishText("old", stores, { nowMs: startMs + 2 * HOUR_MS - 1 });
    expect(await isThere(stores)).toBe(false);
  });

  test("is not looked for by a generation that leaves the website to a later one", async () => {
    const stores = freshStores();
    await publishText("old", stores);
    await removeAll(stores);
    for (const mustVerify of [false, true])
      await publishText("old", stores, { nowMs: HOUR_MS + 1, mustVerify, isSiteLater: true });
    expect(await isThere(stores)).toBe(false);
    await publishText("old", stores, { nowMs: HOUR_MS + 1 });
    expect(await isThere(stores)).toBe(true);
  });

  test("is written again at once with mustVerify", async () => {
    const stores = freshStores();
    await publishText("old", stores);
    await removeAll(stores);
    await publishText("old", stores, { mustVerify: true });
    expect(await isThere(stores)).toBe(true);
  });
});

describe("a state that cannot be written", () => {
  /** Every write after so many fails. Returns the number of attempts, and the longest pauses between them. */
  async function tryToSay(pauseMs: number, written = 0) {
    const stores = freshStores();
    const clock = { nowMs: 0 };
    let writes = 0;
    const stateStore: ObjectStore = {
      ...stores.stateStore,
      write: async (key, ...others) => {
        writes += 1;
        if (writes <= written) return stores.stateStore.write(key, ...others);
        throw new StoreError("write", key, "no answer came", { isUnknown: true });
      },
    };
    const pauses: number[] = [];
    const pause = async (ms: number): Promise<void> => {
      pauses.push(ms);
      clock.nowMs += pauseMs;
    };
    const deps = { now: () => clock.nowMs, pause, random: () => 1 };
    const saying = publishText("old", { ...stores, stateStore }, deps);
    await expect(saying).rejects.toThrow("no answer came");
    expect(stores.publicStore.objects.size > 0).toBe(written > 0);
    return { writes: writes - written, pauses };
  }

  test("is given up after thirty attempts, or after a minute", async () => {
    expect(await tryToSay(0)).toMatchObject({ writes: 30 });
    expect(await tryToSay(20 * SECOND_MS)).toMatchObject({ writes: 5 });
  });

  test("is given up in the same way once the objects are published", async () => {
    expect(await tryToSay(0, 1)).toMatchObject({ writes: 30 });
    expect(await tryToSay(20 * SECOND_MS, 1)).toMatchObject({ writes: 5 });
  });

  test("is tried again after pauses that double up to half a second", async () => {
    const { pauses } = await tryToSay(0);
    expect(pauses.slice(0, 8)).toEqual([20, 40, 80, 160, 320, 500, 500, 500]);
  });
});
