import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { commit, type CommitDependencies } from "../../src/commit.ts";
import type { Document } from "../../src/model/snapshot.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { loadState } from "../../src/state.ts";
import { openStore } from "../../src/store/open.ts";
import { textDocuments } from "../commit/text-documents.ts";
import { advanceTo, countOf, expectedAt, readTexts } from "../commit/toy.ts";

/** Two stores, and what the toy did with them: the state counts commits, and each document shows a part of the count. */
export interface Toy {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  readonly mustLook: boolean;
  readonly tally: Tally;
}

export interface Tally {
  conflicts: number;
  unknowns: number;
  /** Generations that made good what a slower one may have written over. */
  repairs: number;
}

/** The documents that belong to a count. `odd` and `fifth` return to bytes that they had before. */
export function documentsOf(count: number): readonly Document[] {
  return textDocuments({
    odd: count % 2,
    third: Math.floor(count / 3),
    "api/fifth": count % 5,
    "api/tens": Math.floor(count / 10),
    fixed: "never changes",
    list: count,
  });
}

export function expectedDocuments(count: number): Readonly<Record<string, string | undefined>> {
  return expectedAt(count, documentsOf);
}

/** Opens both stores, counting how their writes end. Throws when a URL is none. */
export async function openToy(publicUrl: string, stateUrl: string): Promise<Toy> {
  const tally: Tally = { conflicts: 0, unknowns: 0, repairs: 0 };
  const open = async (url: string, role: "public" | "private"): Promise<ObjectStore> => {
    const opened = await openStore(url, { role });
    if (opened.kind === "refused") throw new RangeError(opened.message);
    return watch(opened.store, tally);
  };
  return {
    publicStore: await open(publicUrl, "public"),
    stateStore: await open(stateUrl, "private"),
    mustLook: publicUrl.startsWith("file:"),
    tally,
  };
}

/** The same toy over other stores. */
export function watch(store: ObjectStore, tally: Tally): ObjectStore {
  return {
    name: store.name,
    identity: store.identity,
    read: (key) => store.read(key),
    find: (key) => store.find(key),
    remove: (key) => store.remove(key),
    list: (folder) => store.list(folder),
    listAll: (limit) => store.listAll(limit),
    async write(key, object, precondition) {
      try {
        const result = await store.write(key, object, precondition);
        if (result.kind === "conflict") tally.conflicts += 1;
        return result;
      } catch (error) {
        if (error instanceof StoreError && error.isUnknown) tally.unknowns += 1;
        throw error;
      }
    },
  };
}

/** The clock, chance and marks of a real program, which tells nobody and holds nothing back. */
export const EFFECTS: Omit<CommitDependencies, "publicStore" | "stateStore" | "mustLook"> = {
  emit: () => undefined,
  now: () => performance.now(),
  pause: (ms) => delay(ms),
  random: Math.random,
  newMark: randomUUID,
  maxRemovalShare: 1,
};

/** Advances the count by one and publishes it. Throws what `commit` throws. */
export async function commitOnce({ tally, ...stores }: Toy): Promise<void> {
  await commit(
    {
      ...stores,
      ...EFFECTS,
    },
    async (state) => advanceTo(state, countOf(state) + 1, documentsOf),
    async (state) => {
      tally.repairs += 1;
      return advanceTo(state, countOf(state), documentsOf);
    },
  );
}

/** What the stores hold. */
export async function observe({ publicStore, stateStore }: Toy): Promise<{
  readonly count: number;
  readonly generation: number;
  readonly documents: Readonly<Record<string, string | undefined>>;
}> {
  const { state } = await loadState(stateStore, () => undefined);
  return {
    count: countOf(state),
    generation: state.publication.generation,
    documents: await readTexts(publicStore, Object.keys(expectedDocuments(0))),
  };
}
