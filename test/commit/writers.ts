import { expect } from "vitest";
import type { CommitDependencies } from "../../src/commit.ts";
import {
  type ObjectStore,
  StoreError,
  type StoredObject,
  type WriteResult,
} from "../../src/model/store.ts";
import { createMemoryStore, type MemoryStore } from "../../src/store/memory.ts";

/** Where a writer publishes, and where it keeps its state. */
export interface Stores<S extends ObjectStore = ObjectStore> {
  readonly publicStore: S;
  readonly stateStore: S;
}

/** Stores in which nothing stands. */
export function freshStores(): Stores<MemoryStore> {
  return { publicStore: createMemoryStore(), stateStore: createMemoryStore() };
}

/** The same store, which tells of each write what came of it before the writer hears of it. */
export function watchWrites(
  store: ObjectStore,
  tell: (key: string, object: StoredObject, result: WriteResult) => unknown,
): ObjectStore {
  return {
    ...store,
    write: async (key, object, precondition) => {
      const result = await store.write(key, object, precondition);
      await tell(key, object, result);
      return result;
    },
  };
}

/** The same store; before the first such request for the key is carried out, `turn` is over. */
export function interrupt(
  store: ObjectStore,
  request: "find" | "write" | "remove",
  key: string,
  turn: () => Promise<unknown>,
): ObjectStore {
  let isDue = true;
  const wait = async (asked: string, about: string): Promise<void> => {
    if (!isDue || asked !== request || about !== key) return;
    isDue = false;
    await turn();
  };
  return {
    ...store,
    find: async (about) => {
      await wait("find", about);
      return store.find(about);
    },
    write: async (about, object, precondition) => {
      await wait("write", about);
      return store.write(about, object, precondition);
    },
    remove: async (about) => {
      await wait("remove", about);
      await store.remove(about);
    },
  };
}

let marks = 0;

/** Uneven, as chance is, but the same in every run of the tests. */
const uneven = (): number => ((marks * 7) % 10) / 10;

/** What a writer needs beside its work: every mark is new, its clock stands still, and nothing is held back. */
export function writerOver(
  { publicStore, stateStore }: Stores,
  pause: (ms: number) => Promise<void>,
): CommitDependencies {
  return {
    publicStore,
    stateStore,
    emit: () => undefined,
    now: () => 0,
    pause,
    random: uneven,
    newMark: () => `mark-${(marks += 1)}`,
    maxRemovalShare: 1,
    mustLook: false,
  };
}

/** Whoever failed did so because a store did, and said it. */
export function expectOnlyStoreErrors(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreError);
  }
}
