import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { commit } from "../../src/publish/commit.ts";
import type { CommitDependencies } from "../../src/publish/generation.ts";
import type { Document } from "../../src/model/service/snapshot.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { loadState } from "../../src/state/state-file.ts";
import { openStore } from "../../src/store/open.ts";
import { textDocuments } from "../publish/text-documents.ts";
import { advanceTo, countOf, expectedAt, readTexts } from "../publish/counter-program.ts";

/** Two stores, and counters of their writes. The state counts commits, and each document shows a part of the count. */
export interface CounterProgram {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  readonly mustVerify: boolean;
  readonly tally: Tally;
}

export interface Tally {
  conflicts: number;
  unknowns: number;
  /** Generations that repaired documents which a slower writer may have overwritten. */
  repairs: number;
}

/** The documents of a count. `odd` and `fifth` return to earlier bytes. */
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

/** Opens both stores and counts the results of their writes. Throws if a URL is invalid. */
export async function openCounterProgram(
  publicUrl: string,
  stateUrl: string,
): Promise<CounterProgram> {
  const tally: Tally = { conflicts: 0, unknowns: 0, repairs: 0 };
  const open = async (url: string, role: "public" | "private"): Promise<ObjectStore> => {
    const opened = await openStore(url, { role });
    if (opened.kind === "refused") throw new RangeError(opened.message);
    return watch(opened.store, tally);
  };
  return {
    publicStore: await open(publicUrl, "public"),
    stateStore: await open(stateUrl, "private"),
    mustVerify: publicUrl.startsWith("file:"),
    tally,
  };
}

/** Counts the writes of another store. */
export function watch(store: ObjectStore, tally: Tally): ObjectStore {
  return {
    name: store.name,
    identity: store.identity,
    read: (key) => store.read(key),
    find: (key) => store.find(key),
    has: (key) => store.has(key),
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

/** The clock, random numbers and marks of the real program, without a log and without a limit on removals. */
export const EFFECTS: Omit<CommitDependencies, "publicStore" | "stateStore" | "mustVerify"> = {
  now: () => performance.now(),
  pause: (ms) => delay(ms),
  random: Math.random,
  newMark: randomUUID,
  maxRemovalShare: 1,
};

/** Advances the count by one and publishes it. Rethrows errors of `commit`. */
export async function commitOnce({ tally, ...stores }: CounterProgram): Promise<void> {
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

/** The content of the stores. */
export async function observe({ publicStore, stateStore }: CounterProgram): Promise<{
  readonly count: number;
  readonly generation: number;
  readonly documents: Readonly<Record<string, string | undefined>>;
}> {
  const { state } = await loadState(stateStore);
  return {
    count: countOf(state),
    generation: state.publication.generation,
    documents: await readTexts(publicStore, Object.keys(expectedDocuments(0))),
  };
}
