import { expect } from "vitest";
import type { CommitDependencies } from "../../src/commit.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
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
