import type { ObjectStore, StoredObject, StoreOperation } from "../../src/model/store.ts";
import { digestOf, mayWrite } from "../../src/store/directory.ts";
import { checkKey } from "../../src/store/store-error.ts";

export interface MemoryStore extends ObjectStore {
  /** The stored objects by key. */
  readonly objects: ReadonlyMap<string, StoredObject>;
}

/**
 * A store in memory. It takes and returns copies, as a remote store would. Operations throw `StoreError` for an invalid key only.
 */
export function createMemoryStore(): MemoryStore {
  const name = "memory";
  const objects = new Map<string, StoredObject>();

  const check = (operation: StoreOperation, key: string): void => checkKey(name, operation, key);

  return {
    name,
    identity: name,
    objects,
    async read(key, maxBytes = Number.POSITIVE_INFINITY) {
      check("read", key);
      const held = objects.get(key);
      return held && { body: held.body.slice(0, maxBytes + 1), etag: digestOf(held.body) };
    },
    async find(key) {
      check("find", key);
      const held = objects.get(key);
      return held && digestOf(held.body);
    },
    async has(key) {
      check("find", key);
      return objects.has(key);
    },
    async write(key, object, precondition) {
      check("write", key);
      const held = objects.get(key);
      if (!mayWrite(precondition, held && digestOf(held.body))) return { kind: "conflict" };
      objects.set(key, { ...object, body: object.body.slice() });
      return { kind: "written", etag: digestOf(object.body) };
    },
    async remove(key) {
      check("remove", key);
      objects.delete(key);
    },
    async list(folder) {
      check("list", folder);
      return [...objects.keys()].filter((key) => {
        const name = key.startsWith(`${folder}/`) ? key.slice(folder.length + 1) : "/";
        return !name.includes("/") && name.includes(".");
      });
    },
    listAll: async (limit) => ({
      names: [...objects.keys()].slice(0, limit),
      isComplete: objects.size <= limit,
    }),
  };
}
