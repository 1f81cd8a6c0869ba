import pLimit from "p-limit";
import type { Emit } from "../model/run-event.ts";
import { type FoldedIds, isFolded, MAX_OBJECTS_AT_ONCE } from "../model/folded-ids.ts";
import type { Report } from "../model/service/reports.ts";
import { type ObjectStore, STORE_CONCURRENCY, StoreError } from "../model/store.ts";
import { decodeInbox } from "./codec/report-batch.ts";

/** Folder of the state store with accepted reports that no generation has counted yet. */
const FOLDER = "inbox";

/** Reports to be counted, each object read once. */
export interface Inbox {
  /** Ids of the objects, the oldest first. */
  readonly ids: readonly string[];
  /** The reports of one object; none when it is damaged, or removed because another writer has counted it. */
  readonly read: (id: string) => Promise<readonly Report[]>;
}

/** The inbox at the time when it was listed. */
export interface OpenInbox {
  /** Ids of all objects in it, the oldest first. */
  readonly ids: readonly string[];
  /** Reads the objects that were not counted yet, 2,000 at most, and omits those that cannot be read. */
  readonly take: (folded: FoldedIds) => Promise<Inbox>;
  /** Removes the objects that were counted, 2,000 at most. Stops with an event at the first that cannot be removed. */
  readonly clear: (folded: FoldedIds) => Promise<void>;
}

export interface InboxDependencies {
  readonly stateStore: ObjectStore;
  readonly emit: Emit;
  /** Throw if reports cannot be read, instead of an event. */
  readonly mustCount?: boolean;
  /** Bodies of objects that this process wrote, by id: these need not be read from the store. */
  readonly written?: WrittenObjects;
}

/** Objects of the inbox are never overwritten, so bytes that were written stay valid. */
export type WrittenObjects = ReadonlyMap<string, Uint8Array>;

/** The key of an inbox object. */
export function inboxKey(id: string): string {
  return `${FOLDER}/${id}.json`;
}

/** Ids of the objects in the inbox, the oldest first: their names begin with the time. Throws `StoreError`. */
export async function listInbox(store: ObjectStore): Promise<readonly string[]> {
  const keys = await store.list(FOLDER);
  return keys.map((key) => key.slice(FOLDER.length + 1, -".json".length)).toSorted();
}

/**
 * Lists the inbox. An inbox that cannot be read must not stop the publishing of services: there is an event, it counts as empty,
 * and its reports wait for the next publish. Throws `StoreError` if `mustCount` is set, otherwise never.
 */
export async function openInbox(deps: InboxDependencies): Promise<OpenInbox> {
  const ids = await listInbox(deps.stateStore).catch((error: unknown) => {
    deferReports(deps, error);
    return [];
  });
  const read = createReader(deps);
  return {
    ids,
    take: async (folded) => {
      const fresh = ids.filter((id) => !isFolded(folded, id)).slice(0, MAX_OBJECTS_AT_ONCE);
      const found = await Promise.all(fresh.map(async (id) => [id, await read(id)] as const));
      const reports = new Map(found.flatMap(([id, one]) => (one === undefined ? [] : [[id, one]])));
      return { ids: [...reports.keys()], read: async (id) => reports.get(id) ?? [] };
    },
    clear: (folded) =>
      clearInbox(deps, ids.filter((id) => isFolded(folded, id)).slice(0, MAX_OBJECTS_AT_ONCE)),
  };
}

/** Logs a `StoreError`. With `mustCount` it is thrown, because a report-only publish has nothing else to publish. */
function deferReports({ emit, mustCount = false }: InboxDependencies, error: unknown): void {
  if (mustCount || !(error instanceof StoreError)) throw error;
  emit({ event: "reports-deferred", message: error.message });
}

/** Reads each object once; undefined when it cannot be read now. Only the first failure is logged: there may be thousands. */
function createReader(
  deps: InboxDependencies,
): (id: string) => Promise<readonly Report[] | undefined> {
  const { stateStore: store, emit, written } = deps;
  const known = new Map<string, Promise<readonly Report[] | undefined>>();
  const limit = pLimit(STORE_CONCURRENCY);
  let isFailing = false;
  const fetchReports = async (id: string): Promise<readonly Report[] | undefined> => {
    if (isFailing) return undefined;
    const body = written?.get(id) ?? (await store.read(inboxKey(id)))?.body;
    if (body === undefined) return [];
    const decoded = decodeInbox(body);
    if (decoded.kind === "ok") return decoded.value;
    emit({
      event: "inbox-damaged",
      message: `${inboxKey(id)} in ${store.name}: ${decoded.message}`,
    });
    return [];
  };
  return (id) => {
    const reports =
      known.get(id) ??
      limit(() => fetchReports(id)).catch((error: unknown) => {
        if (!isFailing) deferReports(deps, error);
        isFailing = true;
        return undefined;
      });
    known.set(id, reports);
    return reports;
  };
}

/** Removes objects that a generation has counted, until a removal fails: then the rest waits, too. */
async function clearInbox(
  { stateStore, emit }: InboxDependencies,
  ids: readonly string[],
): Promise<void> {
  const limit = pLimit(STORE_CONCURRENCY);
  let isFailing = false;
  const remove = async (id: string): Promise<void> => {
    if (isFailing) return;
    await stateStore.remove(inboxKey(id)).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      if (!isFailing) emit({ event: "inbox-not-cleared", message: error.message });
      isFailing = true;
    });
  };
  await Promise.all(ids.map((id) => limit(() => remove(id))));
}
