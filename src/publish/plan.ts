import type { PublishedObject } from "../model/publication.ts";
import { MINUTE_MS } from "../model/time.ts";

/** Longer than any writer goes on publishing after it won its generation (see `PUBLISH_BUDGET_MS`), with room for a slow clock. */
export const SUSPICION_MS: number = 10 * MINUTE_MS;

type Objects = ReadonlyMap<string, PublishedObject>;

/**
 * What the public store should hold from now on, given what the last generation left. An object whose bytes changed is to be
 * written, one that is no longer wanted to be removed. What an earlier generation never confirmed is suspect for a while.
 *
 * @param digests by key, of every document of the new generation; of groups, the signatures by id.
 * @param touched what this writer itself wrote in a generation that was then overtaken.
 */
export function planObjects(
  previous: Objects,
  digests: ReadonlyMap<string, string>,
  touched: ReadonlySet<string>,
  nowMs: number,
): Objects {
  const kept = [...previous].filter(([, object]) => !isForgotten(object, nowMs));
  const keys = new Set([...kept.map(([key]) => key), ...digests.keys(), ...touched]);
  return new Map(
    [...keys].map((key): [string, PublishedObject] => {
      const before = previous.get(key);
      return [key, planObject(before, digests.get(key) ?? null, touched.has(key), nowMs)];
    }),
  );
}

/** Removed, and for so long that no writer can bring it back. */
function isForgotten({ digest, isPublished, suspectUntilMs }: PublishedObject, nowMs: number) {
  return digest === null && isPublished && suspectUntilMs <= nowMs;
}

function planObject(
  before: PublishedObject | undefined,
  digest: string | null,
  isTouched: boolean,
  nowMs: number,
): PublishedObject {
  if (before === undefined) {
    const suspectUntilMs = isTouched ? nowMs + SUSPICION_MS : 0;
    return { digest, etag: null, isPublished: false, suspectUntilMs };
  }
  const isUnconfirmed = !before.isPublished || isTouched;
  return {
    digest,
    etag: before.etag,
    isPublished: !isUnconfirmed && before.digest === digest,
    suspectUntilMs: isUnconfirmed ? nowMs + SUSPICION_MS : before.suspectUntilMs,
  };
}

/** What a publish has to do about one object. */
export type Task =
  /** Nothing is known to be wrong. */
  | "none"
  /** The store holds the tag that is remembered, as far as anybody knows: write over that. */
  | "write"
  /** What the store holds is not known for sure: look before writing or removing, or before believing that it is right. */
  | "look"
  | "remove";

/** The task for an object at a time. An audit looks at everything. */
export function taskFor(object: PublishedObject, isAudit: boolean, nowMs: number): Task {
  const isSuspect = isAudit || object.suspectUntilMs > nowMs;
  if (object.digest === null) {
    if (object.isPublished) return isSuspect ? "look" : "none";
    return object.suspectUntilMs > nowMs ? "look" : "remove";
  }
  // A changed object whose old version is known needs no look: the write itself finds out.
  if (isSuspect && (object.isPublished || object.suspectUntilMs > nowMs || object.etag === null))
    return "look";
  return object.isPublished ? "none" : "write";
}

/**
 * Whether so many removals at once look like a mistake (a catalogue that was cut short) rather than a wish.
 *
 * @param maxShare of all objects, 0–1. A handful is always allowed: a small catalogue changes in large shares.
 */
export function isMassRemoval(objects: Objects, maxShare: number): boolean {
  const removals = [...objects.values()].filter(
    (object) => object.digest === null && !object.isPublished,
  );
  return isTooMany(removals.length, objects.size, maxShare);
}

/** The same for so many of so many. */
export function isTooMany(removals: number, of: number, maxShare: number): boolean {
  return removals > ALWAYS_ALLOWED && removals > maxShare * of;
}

const ALWAYS_ALLOWED = 3;
