import type { ObjectStore } from "../../src/model/store.ts";

/** The process has died: it makes no more requests, and hears no answer. */
export class Killed extends Error {
  override readonly name = "Killed";
}

/** How many more requests a process makes. */
export interface Life {
  left: number;
}

/** A store of a process that dies after a request that took effect, and hears no answer. */
export function createMortalStore(below: ObjectStore, life: Life): ObjectStore {
  const request = async <T>(act: () => Promise<T>): Promise<T> => {
    life.left -= 1;
    if (life.left < 0) throw new Killed();
    const result = await act();
    if (life.left === 0) throw new Killed();
    return result;
  };
  return {
    name: below.name,
    identity: below.identity,
    read: (key, maxBytes) => request(() => below.read(key, maxBytes)),
    find: (key) => request(() => below.find(key)),
    has: (key) => request(() => below.has(key)),
    write: (key, object, precondition) => request(() => below.write(key, object, precondition)),
    remove: (key) => request(() => below.remove(key)),
    list: (folder) => request(() => below.list(folder)),
    listAll: (limit) => request(() => below.listAll(limit)),
  };
}
