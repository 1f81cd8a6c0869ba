import pLimit from "p-limit";
import type { Emit } from "../model/run-event.ts";
import { type FoldedIds, isFolded, MAX_OBJECTS_AT_ONCE } from "../model/folded-ids.ts";
import type { OwnerEdit } from "../model/monitor/owned-monitor.ts";
import { type ObjectStore, STORE_CONCURRENCY, StoreError } from "../model/store.ts";
import { OWNER_EDITS } from "./codec/owner-shard.ts";

/** Folder of the state store with accepted edits that no generation has counted yet. */
const FOLDER = "owner-edits";

/** Edits that one generation counts: the state holds their results until they are in the shards. */
const MAX_EDITS = 10_000;

/** The inbox of edits at the time when it was listed. */
export interface OpenEdits {
  /** The edits that were not counted yet, the oldest first, and the ids of their objects. */
  readonly take: (folded: FoldedIds) => Promise<TakenEdits>;
  /** Removes the objects that were counted. Stops at the first that cannot be removed. */
  readonly clear: (folded: FoldedIds) => Promise<void>;
}

export interface TakenEdits {
  readonly ids: readonly string[];
  readonly edits: readonly OwnerEdit[];
}

export const NO_EDITS: OpenEdits = {
  take: async () => ({ ids: [], edits: [] }),
  clear: async () => undefined,
};

function keyOf(id: string): string {
  return `${FOLDER}/${id}.json`;
}

/** Makes edits durable under an id, which must always stand for the same edits. Throws `StoreError`. */
export async function writeEdits(
  store: ObjectStore,
  id: string,
  edits: readonly OwnerEdit[],
): Promise<void> {
  const body = OWNER_EDITS.encode(edits);
  await store.write(keyOf(id), {
    body,
    contentType: "application/json",
    cacheControl: "no-store",
  });
}

/**
 * Lists the inbox of edits. One that cannot be read must not stop the publishing of services: there is an event, and the edits wait for
 * the next generation. So does an edit behind one that cannot be read, because edits count in their order.
 */
export async function openEdits(store: ObjectStore, emit: Emit): Promise<OpenEdits> {
  const defer = (error: unknown): void => {
    if (!(error instanceof StoreError)) throw error;
    emit({ event: "owner-edits-deferred", message: error.message });
  };
  const keys = await store.list(FOLDER).catch((error: unknown) => {
    defer(error);
    return [];
  });
  const ids = keys.map((key) => key.slice(FOLDER.length + 1, -".json".length)).toSorted();
  const read = createReader(store, emit);
  return {
    take: async (folded) => {
      const fresh = ids.filter((id) => !isFolded(folded, id)).slice(0, MAX_OBJECTS_AT_ONCE);
      try {
        return cutOff(fresh, await Promise.all(fresh.map(read)));
      } catch (error) {
        defer(error);
        return { ids: [], edits: [] };
      }
    },
    clear: async (folded) => {
      const counted = ids.filter((id) => isFolded(folded, id)).slice(0, MAX_OBJECTS_AT_ONCE);
      const limit = pLimit(STORE_CONCURRENCY);
      const removed = counted.map((id) => limit(() => store.remove(keyOf(id))));
      await Promise.all(removed).catch(defer);
    },
  };
}

/** Whole objects, so that each is counted at once. */
function cutOff(ids: readonly string[], found: readonly (readonly OwnerEdit[])[]): TakenEdits {
  let left = MAX_EDITS;
  const fitting = found.findIndex(({ length }) => (left -= length) < 0);
  const end = fitting < 0 ? ids.length : Math.max(1, fitting);
  return { ids: ids.slice(0, end), edits: found.slice(0, end).flat() };
}

/** Reads each object once. A damaged one has no edits; one that was removed was counted by another writer. */
function createReader(
  store: ObjectStore,
  emit: Emit,
): (id: string) => Promise<readonly OwnerEdit[]> {
  const known = new Map<string, Promise<readonly OwnerEdit[]>>();
  const limit = pLimit(STORE_CONCURRENCY);
  const fetchEdits = async (id: string): Promise<readonly OwnerEdit[]> => {
    const found = await store.read(keyOf(id));
    if (found === undefined) return [];
    const decoded = OWNER_EDITS.decode(found.body);
    if (decoded.kind === "ok") return decoded.value;
    emit({ event: "inbox-damaged", message: `${keyOf(id)} in ${store.name}: ${decoded.message}` });
    return [];
  };
  return (id) => {
    const edits = known.get(id) ?? limit(() => fetchEdits(id));
    known.set(id, edits);
    return edits;
  };
}
