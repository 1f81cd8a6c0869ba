import { MAX_SLUG_LENGTH, SLUG_FORM } from "../model/ids.ts";
import { SYMPTOMS } from "../model/service/choices.ts";
import pLimit from "p-limit";
import type { Emit } from "../model/run-event.ts";
import { type FoldedIds, isFolded, MAX_OBJECTS_AT_ONCE } from "../model/folded-ids.ts";
import type { OwnerEdit } from "../model/monitor/owned-monitor.ts";
import { type Report, toReport } from "../model/service/reports.ts";
import {
  type ObjectStore,
  STORE_CONCURRENCY,
  type StoredObject,
  StoreError,
} from "../model/store.ts";
import { OWNER_EDITS } from "./codec/owned-monitor.ts";
import { type StoredKind, storedAs, toPrivateObject } from "./codec/stored.ts";
import * as z from "zod";
import { OTHER_OPERATOR } from "../contract/codes/operator.ts";
import { codecOf, count, instant, listOf } from "../model/stored-parts.ts";

/** So many always fit into an object: a report has at most some 150 bytes. */
export const MAX_INBOX_REPORTS = 5_000;

const hash = z.string().regex(/^[A-Za-z0-9_-]{1,16}$/);
const slug = z.string().max(MAX_SLUG_LENGTH).regex(SLUG_FORM);

const report = z.union([
  z.tuple([slug, instant, hash, hash]).readonly(),
  z.tuple([slug, instant, hash, hash, z.enum(SYMPTOMS)]).readonly(),
]);

/** An object of the inbox of reports: all of them are read, or none. */
export const { encode: encodeInbox, decode: decodeInbox } = storedAs<readonly Report[]>(
  {
    name: "the inbox",
    format: "status-snapshot/inbox",
    maxMiB: 1,
    isPlain: true,
  },
  codecOf(
    z.strictObject({
      reports: z.array(report).max(MAX_INBOX_REPORTS).readonly(),
      /** Number of the operator of each. Absent: none is known. A version without operators lets such an object wait. */
      operators: listOf(count).optional(),
    }),
    ({ reports, operators }): readonly Report[] =>
      reports.map(([slug, atMs, network, block, symptom], place) => {
        const operator = operators?.[place] ?? OTHER_OPERATOR;
        return toReport({ slug, atMs, network, block }, symptom, operator);
      }),
    (reports) => {
      const operators = reports.map(({ operator = OTHER_OPERATOR }) => operator);
      return {
        reports: reports.map(({ slug, atMs, network, block, symptom }) => {
          const common = [slug, atMs, network, block] as const;
          return symptom === undefined ? common : ([...common, symptom] as const);
        }),
        ...(operators.some((one) => one !== OTHER_OPERATOR) && { operators }),
      };
    },
    ({ reports, operators }) =>
      operators === undefined || operators.length === reports.length
        ? undefined
        : "the reports and their operators differ in number",
  ),
);

/** A folder of the state store with accepted objects that no generation has counted yet. */
interface Folder<Item> {
  readonly name: string;
  readonly decode: StoredKind<readonly Item[]>["decode"];
  /** Named of objects that wait for a later generation. */
  readonly deferred: "owner-edits-deferred" | "reports-deferred";
}

const REPORTS: Folder<Report> = {
  name: "inbox",
  decode: decodeInbox,
  deferred: "reports-deferred",
};
const EDITS: Folder<OwnerEdit> = {
  name: "owner-edits",
  decode: OWNER_EDITS.decode,
  deferred: "owner-edits-deferred",
};

/** Edits that one generation counts: the state holds their results until they are in the shards. */
const MAX_EDITS = 10_000;

/** An inbox at the time when it was listed. */
export interface OpenInbox<Item> {
  /** What was not counted yet, the oldest first, of 2,000 objects at most. */
  readonly take: (folded: FoldedIds) => Promise<Taken<Item>>;
  /** Removes the objects that were counted, 2,000 at most. Stops with an event at the first that cannot be removed. */
  readonly clear: (folded: FoldedIds) => Promise<void>;
}

export interface Taken<Item> {
  readonly ids: readonly string[];
  readonly items: readonly Item[];
}

export const NO_EDITS: OpenInbox<OwnerEdit> = {
  take: async () => ({ ids: [], items: [] }),
  clear: async () => undefined,
};

/** Bodies by id. Objects of the inbox are never overwritten, so bytes that were written stay valid. */
export type WrittenObjects = ReadonlyMap<string, Uint8Array>;

export interface InboxDependencies {
  readonly stateStore: ObjectStore;
  readonly emit: Emit;
  /** Throw if reports cannot be read, instead of an event. */
  readonly mustCount?: boolean;
  /** Objects that this process wrote: these need not be read from the store. */
  readonly written?: WrittenObjects;
}

/** The key of an object with reports. */
export function inboxKey(id: string): string {
  return keyIn(REPORTS, id);
}

/** An object of an inbox as a store keeps it. */
export function toInboxObject(body: Uint8Array): StoredObject {
  return toPrivateObject(body, "application/json");
}

function keyIn({ name }: Folder<unknown>, id: string): string {
  return `${name}/${id}.json`;
}

/** Ids of the objects with reports, the oldest first: their names begin with the time. Throws `StoreError`. */
export function listInbox(store: ObjectStore): Promise<readonly string[]> {
  return listIds(REPORTS, store);
}

async function listIds({ name }: Folder<unknown>, store: ObjectStore): Promise<readonly string[]> {
  const keys = await store.list(name);
  return keys.map((key) => key.slice(name.length + 1, -".json".length)).toSorted();
}

/** Makes edits durable under an id, which must always stand for the same edits. Throws `StoreError`. */
export async function writeEdits(store: ObjectStore, id: string, edits: readonly OwnerEdit[]) {
  await store.write(keyIn(EDITS, id), toInboxObject(OWNER_EDITS.encode(edits)));
}

/**
 * Lists the inbox of reports. One that cannot be read must not stop the publishing of services: there is an event, and what cannot be
 * read waits for the next publish. Throws `StoreError` if `mustCount` is set, otherwise never.
 */
export async function openInbox(deps: InboxDependencies): Promise<OpenInbox<Report>> {
  const { stateStore, emit, mustCount = false, written } = deps;
  let isDeferred = false;
  // Only the first failure is logged: there may be thousands.
  const defer = (error: unknown): undefined => {
    if (mustCount || !(error instanceof StoreError)) throw error;
    if (!isDeferred) emit({ event: REPORTS.deferred, message: error.message });
    isDeferred = true;
  };
  const ids = (await listIds(REPORTS, stateStore).catch(defer)) ?? [];
  const read = createReader(REPORTS, stateStore, emit, written);
  return {
    take: async (folded) => {
      const fresh = ids.filter((id) => !isFolded(folded, id)).slice(0, MAX_OBJECTS_AT_ONCE);
      const objects = await Promise.all(
        fresh.map(async (id) => [id, await read(id).catch(defer)] as const),
      );
      const found = objects.filter(([, reports]) => reports !== undefined);
      return {
        ids: found.map(([id]) => id),
        items: found.flatMap(([, reports]) => reports ?? []),
      };
    },
    clear: (folded) =>
      removeCounted(REPORTS, stateStore, ids, folded, ({ message }) =>
        emit({ event: "inbox-not-cleared", message }),
      ),
  };
}

/**
 * Lists the inbox of edits. One that cannot be read must not stop the publishing of services: there is an event, and the edits wait for
 * the next generation. So does an edit behind one that cannot be read or is of a newer version, because edits count in their order.
 */
export async function openEdits(store: ObjectStore, emit: Emit): Promise<OpenInbox<OwnerEdit>> {
  const defer = (error: unknown): undefined => {
    if (!(error instanceof StoreError)) throw error;
    emit({ event: EDITS.deferred, message: error.message });
  };
  const ids = (await listIds(EDITS, store).catch(defer)) ?? [];
  const read = createReader(EDITS, store, emit);
  return {
    take: async (folded) => {
      const fresh = ids.filter((id) => !isFolded(folded, id)).slice(0, MAX_OBJECTS_AT_ONCE);
      const taken = cutOff(fresh, (await Promise.all(fresh.map(read)).catch(defer)) ?? []);
      // What was counted and could not be removed is remembered while it is there: an old edit would undo newer ones.
      return { ...taken, ids: [...ids.filter((id) => isFolded(folded, id)), ...taken.ids] };
    },
    clear: (folded) => removeCounted(EDITS, store, ids, folded, defer),
  };
}

/** Whole objects, so that each is counted at once, up to the first that must wait. */
function cutOff(
  ids: readonly string[],
  found: readonly (readonly OwnerEdit[] | undefined)[],
): Taken<OwnerEdit> {
  let left = MAX_EDITS;
  const taken: (readonly OwnerEdit[])[] = [];
  for (const edits of found) {
    if (edits === undefined) break;
    left -= edits.length;
    if (left < 0 && taken.length > 0) break;
    taken.push(edits);
  }
  return { ids: ids.slice(0, taken.length), items: taken.flat() };
}

/**
 * Reads each object once, and none after a read has failed. One that is damaged, or was removed by another writer, is empty. Undefined:
 * a newer version wrote it, which will count it when it is installed again. There is an event of the first of these.
 */
function createReader<Item>(
  folder: Folder<Item>,
  store: ObjectStore,
  emit: Emit,
  written?: WrittenObjects,
): (id: string) => Promise<readonly Item[] | undefined> {
  const known = new Map<string, Promise<readonly Item[] | undefined>>();
  const limit = pLimit(STORE_CONCURRENCY);
  let failure: Promise<never> | undefined;
  let isNewerTold = false;
  const fetchItems = async (id: string): Promise<readonly Item[] | undefined> => {
    if (failure !== undefined) return failure;
    const key = keyIn(folder, id);
    const body = written?.get(id) ?? (await store.read(key))?.body;
    if (body === undefined) return [];
    const decoded = folder.decode(body);
    if (decoded.kind === "ok") return decoded.value;
    const message = `${key} in ${store.name}: ${decoded.message}`;
    if (decoded.isNewer !== true) {
      emit({ event: "inbox-damaged", message });
      return [];
    }
    if (!isNewerTold) emit({ event: folder.deferred, message });
    isNewerTold = true;
    return undefined;
  };
  return (id) => {
    const items =
      known.get(id) ??
      limit(fetchItems, id).catch((error: unknown) => (failure ??= Promise.reject(error)));
    known.set(id, items);
    return items;
  };
}

/** Removes counted objects until a removal fails: then the rest waits, too. */
async function removeCounted(
  folder: Folder<unknown>,
  store: ObjectStore,
  ids: readonly string[],
  folded: FoldedIds,
  tell: (error: StoreError) => void,
): Promise<void> {
  let isFailing = false;
  const remove = async (id: string): Promise<void> => {
    if (isFailing) return;
    await store.remove(keyIn(folder, id)).catch((error: unknown) => {
      if (!(error instanceof StoreError)) throw error;
      if (!isFailing) tell(error);
      isFailing = true;
    });
  };
  const counted = ids.filter((id) => isFolded(folded, id)).slice(0, MAX_OBJECTS_AT_ONCE);
  await pLimit(STORE_CONCURRENCY).map(counted, remove);
}
