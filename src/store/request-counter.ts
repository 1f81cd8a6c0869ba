import type { ObjectStore, RequestCounts, StoreOperation } from "../model/store.ts";

export interface CountedStore extends ObjectStore {
  /** Requests since the wrapper was made, including those that failed. */
  readonly requests: () => RequestCounts;
}

/** Wraps a store to count its requests. */
export function countRequests(store: ObjectStore): CountedStore {
  const counts: Record<StoreOperation, number> = { read: 0, find: 0, write: 0, remove: 0, list: 0 };
  const counted =
    <Args extends unknown[], Result>(operation: StoreOperation, act: (...args: Args) => Result) =>
    (...args: Args): Result => {
      counts[operation] += 1;
      return act(...args);
    };
  return {
    name: store.name,
    identity: store.identity,
    requests: () => ({ ...counts }),
    ...(store.clockAheadMs === undefined ? {} : { clockAheadMs: store.clockAheadMs }),
    read: counted("read", (key, maxBytes?: number) => store.read(key, maxBytes)),
    find: counted("find", (key) => store.find(key)),
    has: counted("find", (key) => store.has(key)),
    write: counted("write", (...args: Parameters<ObjectStore["write"]>) => store.write(...args)),
    remove: counted("remove", (key) => store.remove(key)),
    list: counted("list", (folder) => store.list(folder)),
    listAll: counted("list", (limit) => store.listAll(limit)),
  };
}
