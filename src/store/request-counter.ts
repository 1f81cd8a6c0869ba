import type { ObjectStore, RequestCounts, StoreOperation } from "../model/store.ts";

export interface CountedStore extends ObjectStore {
  /** Requests since the wrapper was made, including those that failed. */
  readonly requests: () => RequestCounts;
}

/** Wraps a store to count its requests. */
export function countRequests(store: ObjectStore): CountedStore {
  const counts: Record<StoreOperation, number> = { read: 0, find: 0, write: 0, remove: 0, list: 0 };
  return {
    name: store.name,
    identity: store.identity,
    requests: () => ({ ...counts }),
    ...(store.clockAheadMs === undefined ? {} : { clockAheadMs: store.clockAheadMs }),
    read: (key, maxBytes) => {
      counts.read += 1;
      return store.read(key, maxBytes);
    },
    find: (key) => {
      counts.find += 1;
      return store.find(key);
    },
    write: (key, object, precondition) => {
      counts.write += 1;
      return store.write(key, object, precondition);
    },
    remove: (key) => {
      counts.remove += 1;
      return store.remove(key);
    },
    list: (folder) => {
      counts.list += 1;
      return store.list(folder);
    },
    listAll: (limit) => {
      counts.list += 1;
      return store.listAll(limit);
    },
  };
}
