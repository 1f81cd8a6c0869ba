import {
  type ETag,
  type FoundObject,
  type ObjectStore,
  type Precondition,
  StoreError,
} from "../model/store.ts";

/** What came of writers that raced for the same objects. */
export interface RaceCount {
  /** Compare-and-swaps that the store said it had done. */
  readonly acknowledged: number;
  /** Those of them that are in no object: another writer wrote over them without having seen them. */
  readonly lost: number;
  /** Objects that all writers tried to create at once. */
  readonly creations: number;
  /** Those of them that more than one writer was told to have created, or whose creation did not stay. */
  readonly badCreations: number;
  /** Writes that lost to another writer, as they should: without any, the writers never met. */
  readonly conflicts: number;
  /** Writes of which nobody knows whether they were carried out. They count neither way. */
  readonly unknown: number;
}

export interface RaceRules {
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  /** No write begins later than this after the first. */
  readonly forMs: number;
  readonly stop: AbortSignal;
}

/** Updates of each writer to one object: enough for them to meet, few enough for the object to stay small. */
const UPDATES = 5;

const NOTHING: RaceCount = {
  acknowledged: 0,
  lost: 0,
  creations: 0,
  badCreations: 0,
  conflicts: 0,
  unknown: 0,
};

/** One write of one writer. Its token is in the object for ever if it was carried out, for all who write take over what they read. */
interface Try {
  readonly token: string;
  readonly isCreation: boolean;
  readonly outcome: "written" | "conflict" | "unknown";
}

/**
 * Lets writers race for one object after the other until the time is up: all create it at once, then each adds to it by compare-and-swap.
 * What was acknowledged is looked for in what is there in the end. Removes what it wrote. Throws `StoreError` when the store refuses.
 *
 * @param stores one place, through a client for each writer.
 * @param folder in which nothing is yet.
 */
export async function raceWriters(
  stores: readonly ObjectStore[],
  folder: string,
  { now, forMs, stop }: RaceRules,
): Promise<RaceCount> {
  const endsMs = now() + forMs;
  const isOver = (): boolean => now() >= endsMs || stop.aborted;
  const doubtful: string[] = [];
  let count = NOTHING;
  for (let round = 1; !isOver(); round += 1) {
    const key = `${folder}/${round}`;
    const of = await raceFor(stores, key, isOver);
    if (of.unknown > 0) doubtful.push(key);
    count = add(count, of);
  }
  // A write whose answer was lost may have come after the object was removed.
  await removeAll(stores, doubtful);
  return count;
}

async function raceFor(
  stores: readonly ObjectStore[],
  key: string,
  isOver: () => boolean,
): Promise<RaceCount> {
  try {
    // All have to be at an end before the object goes, also when one fails.
    const ended = await Promise.allSettled(
      stores.map((store, writer) => compete(store, key, String(writer), isOver)),
    );
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const tries = ended.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const [first] = stores;
    return judge(tries, new Set(tokensOf(await first?.read(key))));
  } finally {
    await removeAll(stores, [key]);
  }
}

/** All that one writer does to one object. */
async function compete(
  store: ObjectStore,
  key: string,
  writer: string,
  isOver: () => boolean,
): Promise<readonly Try[]> {
  const token = `${writer}.0`;
  const outcome = await attempt(store, key, [token], { kind: "absent" });
  const tries: Try[] = [{ token, isCreation: true, outcome }];
  for (let written = 0; written < UPDATES && !isOver();) {
    const found = await store.read(key);
    // Its creation is still on its way.
    if (found === undefined) continue;
    const next = `${writer}.${tries.length}`;
    const result = await attempt(store, key, [...tokensOf(found), next], unchanged(found.etag));
    tries.push({ token: next, isCreation: false, outcome: result });
    if (result === "written") written += 1;
  }
  return tries;
}

async function attempt(
  store: ObjectStore,
  key: string,
  tokens: readonly string[],
  precondition: Precondition,
): Promise<Try["outcome"]> {
  const object = {
    body: Buffer.from(tokens.join(" ")),
    contentType: "text/plain; charset=utf-8",
    cacheControl: "no-store",
  };
  try {
    const { kind } = await store.write(key, object, precondition);
    return kind;
  } catch (error) {
    if (error instanceof StoreError && error.isUnknown) return "unknown";
    throw error;
  }
}

function judge(tries: readonly Try[], kept: ReadonlySet<string>): RaceCount {
  const countOf = (outcome: Try["outcome"]): number =>
    tries.filter((one) => one.outcome === outcome).length;
  const written = tries.filter(({ outcome }) => outcome === "written");
  const created = written.filter(({ isCreation }) => isCreation);
  const updates = written.filter(({ isCreation }) => !isCreation);
  // Of two who were told to have created it, one is gone: neither had read what the other wrote.
  const isBad = created.some(({ token }) => !kept.has(token));
  return {
    acknowledged: updates.length,
    lost: updates.filter(({ token }) => !kept.has(token)).length,
    creations: 1,
    badCreations: isBad ? 1 : 0,
    conflicts: countOf("conflict"),
    unknown: countOf("unknown"),
  };
}

function add(one: RaceCount, other: RaceCount): RaceCount {
  return {
    acknowledged: one.acknowledged + other.acknowledged,
    lost: one.lost + other.lost,
    creations: one.creations + other.creations,
    badCreations: one.badCreations + other.badCreations,
    conflicts: one.conflicts + other.conflicts,
    unknown: one.unknown + other.unknown,
  };
}

/** Remainders do no harm, and what was found out goes before them. */
async function removeAll(stores: readonly ObjectStore[], keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      await stores[0]?.remove(key);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }
}

function tokensOf(found: FoundObject | undefined): readonly string[] {
  return found === undefined ? [] : Buffer.from(found.body).toString().split(" ");
}

function unchanged(etag: ETag): Precondition {
  return { kind: "unchanged", etag };
}
