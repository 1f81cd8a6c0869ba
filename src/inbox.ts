import pLimit from "p-limit";
import type { Emit } from "./model/event.ts";
import { type FoldedIds, isFolded } from "./model/folded-ids.ts";
import type { Report } from "./model/reports.ts";
import { type ObjectStore, StoreError } from "./model/store.ts";
import { decodeInbox } from "./reports/inbox.ts";

/** Folder of the state store in which accepted reports lie until a generation has counted them. */
const FOLDER = "inbox";

/** Requests under way at once. */
const CONCURRENCY = 16;

/** Objects that one generation takes in, and removes, the oldest first; the next one goes on. */
const MOST_AT_ONCE = 2_000;

/** Reports that wait to be counted, each object read once. */
export interface Inbox {
  /** Ids of the objects, the oldest first. */
  readonly ids: readonly string[];
  /** The reports of one of them; none when it is damaged, or gone because somebody else has counted it. */
  readonly read: (id: string) => Promise<readonly Report[]>;
}

/** The inbox as it lay there when somebody looked. */
export interface OpenInbox {
  /** Ids of all objects that lie there, the oldest first. */
  readonly ids: readonly string[];
  /** Those that were not counted yet, 2,000 at most, as far as they can be read. */
  readonly take: (folded: FoldedIds) => Promise<Inbox>;
  /** Removes those that were counted, 2,000 at most. What cannot be removed now is told, and stays. */
  readonly clear: (folded: FoldedIds) => Promise<void>;
}

export interface InboxDependencies {
  readonly stateStore: ObjectStore;
  readonly emit: Emit;
  /** What cannot be read is a failure, and not merely told. */
  readonly mustCount?: boolean;
  /** Bodies of objects that this process wrote itself, by id: these need not be asked of the store. */
  readonly written?: WrittenObjects;
}

/** An object of the inbox is never written over: whoever knows its bytes knows them for ever. */
export type WrittenObjects = ReadonlyMap<string, Uint8Array>;

/** The key of an inbox object. */
export function inboxKey(id: string): string {
  return `${FOLDER}/${id}.json`;
}

/** Ids of the objects that lie in the inbox, the oldest first: their names begin with the time. Throws `StoreError`. */
export async function listInbox(store: ObjectStore): Promise<readonly string[]> {
  const keys = await store.list(FOLDER);
  return keys.map((key) => key.slice(FOLDER.length + 1, -".json".length)).toSorted();
}

/**
 * Looks what has been reported since. An inbox that cannot be read must not stop what is published of the services: it is told
 * and taken for empty, and its reports wait for the next publish. Throws `StoreError` if `mustCount` is set, otherwise never.
 */
export async function openInboxOf(deps: InboxDependencies): Promise<OpenInbox> {
  const ids = await listInbox(deps.stateStore).catch((error: unknown) => {
    tellWaiting(deps, error);
    return [];
  });
  const read = createReader(deps);
  return {
    ids,
    take: async (folded) => {
      const fresh = ids.filter((id) => !isFolded(folded, id)).slice(0, MOST_AT_ONCE);
      const found = await Promise.all(fresh.map(async (id) => [id, await read(id)] as const));
      const reports = new Map(found.flatMap(([id, one]) => (one === undefined ? [] : [[id, one]])));
      return { ids: [...reports.keys()], read: async (id) => reports.get(id) ?? [] };
    },
    clear: (folded) =>
      clearInbox(deps, ids.filter((id) => isFolded(folded, id)).slice(0, MOST_AT_ONCE)),
  };
}

/** Throws the failure on where it must not be passed over. */
function tellWaiting({ emit, mustCount = false }: InboxDependencies, error: unknown): void {
  if (mustCount || !(error instanceof StoreError)) throw error;
  emit({ event: "reports-waiting", message: error.message });
}

/** Reads each object once; undefined when it cannot be read now. Only the first failure is told: there may be thousands. */
function createReader(
  deps: InboxDependencies,
): (id: string) => Promise<readonly Report[] | undefined> {
  const { stateStore: store, emit, written } = deps;
  const known = new Map<string, Promise<readonly Report[] | undefined>>();
  const limit = pLimit(CONCURRENCY);
  let isFailing = false;
  const fetchReports = async (id: string): Promise<readonly Report[] | undefined> => {
    if (isFailing) return undefined;
    const body = written?.get(id) ?? (await store.read(inboxKey(id)))?.body;
    if (body === undefined) return [];
    const decoded = decodeInbox(body);
    if (decoded.kind === "ok") return decoded.reports;
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
        if (!isFailing) tellWaiting(deps, error);
        isFailing = true;
        return undefined;
      });
    known.set(id, reports);
    return reports;
  };
}

/** Removes objects that a generation has counted, until one of them cannot be: then the rest waits, too. */
async function clearInbox(
  { stateStore, emit }: InboxDependencies,
  ids: readonly string[],
): Promise<void> {
  const limit = pLimit(CONCURRENCY);
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
