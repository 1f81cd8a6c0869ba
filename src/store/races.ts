import {
  type ConditionalWriteResult,
  writeIfUnchanged,
  type ETag,
  type FoundObject,
  type ObjectStore,
  StoreError,
} from "../model/store.ts";

/** Results of writers that raced for the same objects. */
export interface RaceCount {
  /** Compare-and-swaps that the store acknowledged. */
  readonly acknowledged: number;
  /** Those of them that are in no object: another writer overwrote them without having read them. */
  readonly lost: number;
  /** Objects that all writers tried to create at once. */
  readonly creations: number;
  /** Those of them whose creation was acknowledged to more than one writer, or did not stay. */
  readonly badCreations: number;
  /** Writes that lost to another writer, as they should: without any, the writers were never concurrent. */
  readonly conflicts: number;
  /** Writes with an unknown outcome, which count neither as kept nor as lost. */
  readonly unknown: number;
}

export interface RaceRules {
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  /** No write begins later than this after the first. */
  readonly forMs: number;
  readonly stop: AbortSignal;
}

/** Updates of each writer to one object: enough for the writers to collide, few enough for the object to stay small. */
const UPDATES = 5;

const NOTHING: RaceCount = {
  acknowledged: 0,
  lost: 0,
  creations: 0,
  badCreations: 0,
  conflicts: 0,
  unknown: 0,
};

/**
 * One write of one writer. If it was carried out its token stays in the object, because each writer keeps the tokens that it read.
 */
interface TokenWrite {
  readonly token: string;
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
): Promise<RaceCount> {
  const endsMs = now() + forMs;
  const isOver = (): boolean => now() >= endsMs || stop.aborted;
  const doubtful: string[] = [];
  let count = NOTHING;
  for (let round = 1; !isOver(); round += 1) {
    const key = `${folder}/${round}`;
    const one = await raceForObject(stores, key, isOver);
    if (one.unknown > 0) doubtful.push(key);
    count = add(count, one);
  }
  // A write whose response was lost may have arrived after the object was removed.
  await removeAll(stores, doubtful);
  return count;
}

async function raceForObject(
  stores: readonly ObjectStore[],
  key: string,
  isOver: () => boolean,
): Promise<RaceCount> {
  try {
    // All writers have to end before the object is removed, even if one fails.
    const ended = await Promise.allSettled(
      stores.map((store, writer) => compete(store, key, String(writer), isOver)),
    );
    const failed = ended.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const tries = ended.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const [first] = stores;
    return classifyRaces(tries, new Set(tokensOf(await first?.read(key))));
  } finally {
    await removeAll(stores, [key]);
  }
}

/** All writes of one writer to one object. */
async function compete(
  store: ObjectStore,
  key: string,
  writer: string,
  isOver: () => boolean,
): Promise<readonly TokenWrite[]> {
  const token = `${writer}.0`;
  const outcome = await attempt(store, key, [token], undefined);
  const tries: TokenWrite[] = [{ token, isCreation: true, outcome }];
  for (let written = 0; written < UPDATES && !isOver();) {
    const found = await store.read(key);
    // The creation is still in flight.
    if (found === undefined) continue;
    const next = `${writer}.${tries.length}`;
    const result = await attempt(store, key, [...tokensOf(found), next], found.etag);
    tries.push({ token: next, isCreation: false, outcome: result });
    if (result === "written") written += 1;
  }
  return tries;
}

async function attempt(
  store: ObjectStore,
  key: string,
  tokens: readonly string[],
  held: ETag | undefined,
): Promise<TokenWrite["outcome"]> {
  const object = {
    body: Buffer.from(tokens.join(" ")),
    contentType: "text/plain; charset=utf-8",
    cacheControl: "no-store",
  };
  return (await writeIfUnchanged(store, key, object, held)).kind;
}

function classifyRaces(tries: readonly TokenWrite[], kept: ReadonlySet<string>): RaceCount {
  const countOf = (outcome: TokenWrite["outcome"]): number =>
    tries.filter((one) => one.outcome === outcome).length;
  const written = tries.filter(({ outcome }) => outcome === "written");
  const created = written.filter(({ isCreation }) => isCreation);
  const updates = written.filter(({ isCreation }) => !isCreation);
  // Of two acknowledged creations one is lost, because neither writer had read the token of the other.
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

/** A remaining object does no harm, and must not hide the result. */
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
