import type fc from "fast-check";
import { type ObjectStore, StoreError, type StoredObject } from "../../src/model/store.ts";
import type { Stores } from "./writers.ts";

/** The fault of one request. `late`: the response is lost, and the request takes effect after its writer gave it up. */
export const FAULTS = ["none", "lost", "answer-lost", "late", "repeated", "busy"] as const;
export type Fault = (typeof FAULTS)[number];

interface FaultyStore extends ObjectStore {
  /** Requests that are still in flight although no writer waits for them. */
  readonly stragglers: readonly Promise<unknown>[];
}

/**
 * A store over another one whose requests take effect in an order that the scheduler picks, and fail as `nextFault` says.
 * The store below decides each request in one step, as a real one does for one key.
 */
function createFaultyStore(
  below: ObjectStore,
  scheduler: fc.Scheduler,
  nextFault: () => Fault,
): FaultyStore {
  const stragglers: Promise<unknown>[] = [];
  const step = (label: string): Promise<unknown> => scheduler.schedule(Promise.resolve(), label);
  const unknown = (operation: "read" | "find" | "write" | "remove", key: string): StoreError =>
    new StoreError(operation, key, "the answer was lost", { isUnknown: true });

  async function change<T>(
    operation: "write" | "remove",
    key: string,
    act: () => Promise<T>,
  ): Promise<T> {
    const fault = nextFault();
    await step(`${operation} ${key} ${fault}`);
    switch (fault) {
      case "lost":
        throw unknown(operation, key);
      case "busy":
        throw new StoreError(operation, key, "busy for longer than the writer waits");
      case "late":
        stragglers.push(step(`late ${operation} ${key}`).then(act));
        throw unknown(operation, key);
      case "answer-lost":
        await act();
        throw unknown(operation, key);
      case "repeated": {
        const result = await act();
        stragglers.push(step(`again ${operation} ${key}`).then(act));
        return result;
      }
      case "none": {
        const result = await act();
        await step(`answer ${operation} ${key}`);
        return result;
      }
    }
  }

  return {
    name: below.name,
    identity: below.identity,
    stragglers,
    async read(key) {
      await step(`read ${key}`);
      const found = await below.read(key);
      await step(`answer read ${key}`);
      return found;
    },
    async find(key) {
      await step(`find ${key}`);
      return below.find(key);
    },
    async has(key) {
      await step(`find ${key}`);
      return below.has(key);
    },
    write: (key, object: StoredObject, precondition) =>
      change("write", key, () => below.write(key, object, precondition)),
    remove: (key) => change("remove", key, () => below.remove(key)),
    async list(folder) {
      await step(`list ${folder}`);
      return below.list(folder);
    },
    listAll: (limit) => below.listAll(limit),
  };
}

/** Two stores whose requests interleave and fail together. */
export interface FaultyStores {
  readonly stores: Stores;
  /** Resolves when no request is in flight. */
  readonly settle: () => Promise<unknown>;
}

/** Faulty stores over others. Each request of either gets the next fault of the list, and none after its end. */
export function createFaultyStores(
  below: Stores,
  scheduler: fc.Scheduler,
  faults: readonly Fault[],
): FaultyStores {
  const queue = [...faults];
  const nextFault = (): Fault => queue.shift() ?? "none";
  const publicStore = createFaultyStore(below.publicStore, scheduler, nextFault);
  const stateStore = createFaultyStore(below.stateStore, scheduler, nextFault);
  return {
    stores: { publicStore, stateStore },
    settle: () =>
      scheduler.waitFor(Promise.allSettled([...publicStore.stragglers, ...stateStore.stragglers])),
  };
}

/** A pause that ends when the scheduler picks it, whatever its length. */
export function pauseIn(scheduler: fc.Scheduler): () => Promise<void> {
  return async () => void (await scheduler.schedule(Promise.resolve(), "pause"));
}
