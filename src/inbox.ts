import pLimit from "p-limit";
import type { Report } from "./model/reports.ts";
import type { ObjectStore } from "./model/store.ts";
import { decodeInbox } from "./reports/inbox.ts";

/** Folder of the state store in which accepted reports lie until a generation has counted them. */
const FOLDER = "inbox";

/** Requests under way at once. */
const CONCURRENCY = 16;

/** Objects that one generation takes in, the oldest first; the next one goes on. */
const MOST_AT_ONCE = 2_000;

/** Reports that wait to be counted, each object read once. */
export interface Inbox {
  /** Ids of the objects that lie there, the oldest first. */
  readonly ids: readonly string[];
  /** The reports of one of them; none when it is damaged, or gone because somebody else has counted it. */
  readonly read: (id: string) => Promise<readonly Report[]>;
}

/** The key of an inbox object. */
export function inboxKey(id: string): string {
  return `${FOLDER}/${id}.json`;
}

/**
 * Looks what has been reported since. Throws `StoreError`.
 *
 * @param onDamaged told of an object that is none of ours: it counts nothing.
 */
export async function openInbox(
  store: ObjectStore,
  onDamaged: (message: string) => void,
): Promise<Inbox> {
  const keys = await store.list(FOLDER);
  const ids = keys.map((key) => key.slice(FOLDER.length + 1, -".json".length));
  const known = new Map<string, Promise<readonly Report[]>>();
  const limit = pLimit(CONCURRENCY);
  const fetchReports = async (id: string): Promise<readonly Report[]> => {
    const found = await limit(() => store.read(inboxKey(id)));
    if (found === undefined) return [];
    const decoded = decodeInbox(found.body);
    if (decoded.kind === "ok") return decoded.reports;
    onDamaged(`${inboxKey(id)} in ${store.name}: ${decoded.message}`);
    return [];
  };
  return {
    // Their names begin with the time.
    ids: ids.toSorted().slice(0, MOST_AT_ONCE),
    read: (id) => {
      const reports = known.get(id) ?? fetchReports(id);
      known.set(id, reports);
      return reports;
    },
  };
}

/** Removes objects that a generation has counted. Throws `StoreError`. */
export async function clearInbox(store: ObjectStore, ids: readonly string[]): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  await Promise.all(ids.map((id) => limit(() => store.remove(inboxKey(id)))));
}
