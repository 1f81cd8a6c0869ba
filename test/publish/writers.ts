import { expect } from "vitest";
import type { CommitDependencies } from "../../src/publish/generation.ts";
import {
  type ObjectStore,
  StoreError,
  type StoredObject,
  type WriteResult,
} from "../../src/model/store.ts";
import { createMemoryStore, type MemoryStore } from "../store/memory-store.ts";

/** The two stores of a writer. */
export interface Stores<S extends ObjectStore = ObjectStore> {
  readonly publicStore: S;
  readonly stateStore: S;
}

/** Empty stores. */
export function freshStores(): Stores<MemoryStore> {
  return { publicStore: createMemoryStore(), stateStore: createMemoryStore() };
}

/** Wraps a store: `onWrite` gets the result of each write before the writer does. */
export function watchWrites(
  store: ObjectStore,
  onWrite: (key: string, object: StoredObject, result: WriteResult) => unknown,
): ObjectStore {
  return {
    ...store,
    write: async (key, object, precondition) => {
      const result = await store.write(key, object, precondition);
      await onWrite(key, object, result);
      return result;
    },
  };
}

/** Wraps a store: `turn` runs before the first such request for the key. */
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
    has: async (about) => {
      await wait("find", about);
      return store.has(about);
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

/** Pseudo-random, and the same in every run of the tests. */
const uneven = (): number => ((marks * 7) % 10) / 10;

/** Dependencies of a writer with new marks, a stopped clock and no limit of removals. */
export function writerOver(
  { publicStore, stateStore }: Stores,
  pause: (ms: number) => Promise<void>,
): CommitDependencies {
  return {
    publicStore,
    stateStore,
    now: () => 0,
    pause,
    random: uneven,
    newMark: () => `mark-${(marks += 1)}`,
    maxRemovalShare: 1,
    mustVerify: false,
  };
}

/** Every rejection is a `StoreError`. */
export function expectOnlyStoreErrors(results: readonly PromiseSettledResult<unknown>[]): void {
  for (const result of results) {
    if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreError);
  }
}
