import {
  type ETag,
  type ObjectStore,
  onStoreError,
  type StoredObject,
  type FoundObject,
  writeIfUnchanged,
  type ConditionalWriteResult,
} from "../model/store.ts";

/** Which preconditions a store enforces. A store may accept the header and ignore it, so each case is tried. */
export type ConditionalWriteSupport = Awaited<ReturnType<typeof checkConditionalWrites>>;

/** Whether several writers may share the store. Races that sequential requests cannot show are in docs/publish/protocol.md. */
export function supportsConcurrentWriters(seen: ConditionalWriteSupport): boolean {
  return seen.isCreateExclusive && seen.isStaleRefused && seen.isCurrentAccepted;
}

/**
 * Tries conditional writes on an object of its own, and removes it. Throws `StoreError` when the store cannot be written, read or
 * removed from at all.
 *
 * @param key of an object that does not exist yet.
 */
export async function checkConditionalWrites(store: ObjectStore, key: string) {
  try {
    const first = await tryWrite(store, key, "first", undefined);
    const second = await tryWrite(store, key, "second", undefined);
    const third = await store.write(key, trialObject("status-snapshot doctor: third\n"));
    const current = third.kind === "written" ? third.etag : "";
    const late = await tryWrite(store, key, "late", first.etag ?? "0");
    const fourth = await tryWrite(store, key, "fourth", current);
    return {
      /** A second create of the same object is refused. */
      isCreateExclusive: first.etag !== undefined && second.etag === undefined,
      /** The store refuses a write over a version that was replaced. */
      isStaleRefused: late.etag === undefined,
      /** A write over the version that is there succeeds. */
      isCurrentAccepted: fourth.etag !== undefined,
      /** The error of the first conditional write, where the store refused the request itself rather than its effect. */
      ...(first.refusal === undefined ? {} : { refusal: first.refusal }),
    };
  } finally {
    await store.remove(key);
  }
}

/** The tag of what was written; none when the precondition did not hold, or the store does not support preconditions. */
function tryWrite(
  store: ObjectStore,
  key: string,
  text: string,
  etag: ETag | undefined,
): Promise<{ readonly etag?: ETag; readonly refusal?: string }> {
  const object = trialObject(`status-snapshot doctor: ${text}\n`);
  const written = writeIfUnchanged(store, key, object, etag).then((result) =>
    result.kind === "written" ? { etag: result.etag } : {},
  );
  // Some stores answer 501 to any precondition; any other fault shows in the write without one.
  return written.catch(onStoreError(({ message }) => ({ refusal: message })));
}

/** What a trial of a store writes. */
export function trialObject(text: string): StoredObject {
  const body = new TextEncoder().encode(text);
  return { body, contentType: "text/plain; charset=utf-8", cacheControl: "no-store" };
}

export type RaceCount = Awaited<ReturnType<typeof raceWriters>>;

export interface RaceRules {
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  /** No write begins later than this after the first. */
  readonly forMs: number;
  readonly stop: AbortSignal;
}

/** Updates of each writer to one object: enough for the writers to collide, few enough for the object to stay small. */
const UPDATES = 5;

/** If it was carried out, its token stays in the object, because each writer keeps the tokens that it read. */
interface TokenWrite {
  readonly token: string;
  readonly key: string;
  readonly isCreation: boolean;
  readonly outcome: ConditionalWriteResult["kind"];
}

/**
 * Lets writers race for one object after another until the time is up: all create it at once, then each adds a token by
 * compare-and-swap. Counts the acknowledged tokens that are missing in the end. Removes what it wrote. Throws `StoreError` when the
 * store refuses.
 *
 * @param stores one store, through a client for each writer.
 * @param folder an empty one.
 */
export async function raceWriters(
  stores: readonly ObjectStore[],
  folder: string,
  { now, forMs, stop }: RaceRules,
) {
  const endsMs = now() + forMs;
  const isOver = (): boolean => now() >= endsMs || stop.aborted;
  const tries: (TokenWrite & { readonly isKept: boolean })[] = [];
  for (let round = 1; !isOver(); round += 1)
    tries.push(...(await raceForObject(stores, `${folder}/${round}`, isOver)));
  const written = tries.filter(({ outcome }) => outcome === "written");
  const updates = written.filter(({ isCreation }) => !isCreation);
  // Of two acknowledged creations one is lost, because neither writer had read the token of the other.
  const badCreations = written.filter(({ isCreation, isKept }) => isCreation && !isKept);
  const unknown = tries.filter(({ outcome }) => outcome === "unknown");
  // A write whose response was lost may have arrived after the object was removed.
  await removeAll(stores, keysOf(unknown));
  return {
    /** Compare-and-swaps that the store acknowledged. */
    acknowledged: updates.length,
    /** Those of them that are in no object: another writer overwrote them without having read them. */
    lost: updates.filter(({ isKept }) => !isKept).length,
    /** Objects that all writers tried to create at once. */
    creations: keysOf(tries).length,
    /** Those of them whose creation was acknowledged to more than one writer, or did not stay. */
    badCreations: keysOf(badCreations).length,
    /** Writes that lost to another writer, as they should: without any, the writers were never concurrent. */
    conflicts: tries.filter(({ outcome }) => outcome === "conflict").length,
    /** Writes with an unknown outcome, which count neither as kept nor as lost. */
    unknown: unknown.length,
  };
}

function keysOf(tries: readonly TokenWrite[]): readonly string[] {
  return [...new Set(tries.map(({ key }) => key))];
}

async function raceForObject(
  stores: readonly ObjectStore[],
  key: string,
  isOver: () => boolean,
): Promise<readonly (TokenWrite & { readonly isKept: boolean })[]> {
  try {
    // All writers have to end before the object is removed, even if one fails.
    const ended = await Promise.allSettled(
      stores.map((store, writer) => compete(store, key, String(writer), isOver)),
    );
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const tries = ended.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const kept = new Set(tokensOf(await stores[0]?.read(key)));
    return tries.map((one) => ({ ...one, isKept: kept.has(one.token) }));
  } finally {
    await removeAll(stores, [key]);
  }
}

async function compete(
  store: ObjectStore,
  key: string,
  writer: string,
  isOver: () => boolean,
): Promise<readonly TokenWrite[]> {
  const tries: TokenWrite[] = [];
  const addToken = async (found: FoundObject | undefined): Promise<void> => {
    const token = `${writer}.${tries.length}`;
    const object = trialObject([...tokensOf(found), token].join(" "));
    const { kind } = await writeIfUnchanged(store, key, object, found?.etag);
    tries.push({ token, key, isCreation: found === undefined, outcome: kind });
  };
  await addToken(undefined);
  const countUpdates = (): number =>
    tries.filter(({ isCreation, outcome }) => !isCreation && outcome === "written").length;
  while (countUpdates() < UPDATES && !isOver()) {
    const found = await store.read(key);
    // Undefined: the creation is still in flight.
    if (found !== undefined) await addToken(found);
  }
  return tries;
}

/** A remaining object does no harm, and must not hide the result. */
async function removeAll(stores: readonly ObjectStore[], keys: readonly string[]): Promise<void> {
  for (const key of keys) await stores[0]?.remove(key).catch(onStoreError(() => undefined));
}

function tokensOf(found: FoundObject | undefined): readonly string[] {
  return found === undefined ? [] : Buffer.from(found.body).toString().split(" ");
}
