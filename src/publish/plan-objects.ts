import type { PublishedObject } from "../model/publication.ts";
import { MINUTE_MS } from "../model/time.ts";

/** Longer than any writer publishes after it won its generation (see `PUBLISH_BUDGET_MS`), with a margin for a slow clock. */
export const SUSPICION_MS: number = 10 * MINUTE_MS;

type Objects = ReadonlyMap<string, PublishedObject>;

/**
 * The objects of the new generation, from those of the last one. An object with other bytes has to be written, one that is no
 * longer wanted removed. An object that an earlier generation did not confirm is suspect for a while.
 *
 * @param digests by key, of every document of the new generation; for groups, the signatures by id.
 * @param touched what this writer wrote in a generation that was then overtaken.
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

/** Removed so long ago that no writer can write it again. */
function isForgotten({ digest, isPublished, suspectUntilMs }: PublishedObject, nowMs: number) {
  return digest === null && isPublished && suspectUntilMs <= nowMs;
}

function planObject(
  before: PublishedObject | undefined,
  digest: string | null,
  isTouched: boolean,
  nowMs: number,
): PublishedObject {
  const isUnconfirmed = isTouched || before?.isPublished === false;
  return {
    digest,
    etag: before?.etag ?? null,
    isPublished: !isUnconfirmed && before?.digest === digest,
    suspectUntilMs: isUnconfirmed ? nowMs + SUSPICION_MS : (before?.suspectUntilMs ?? 0),
  };
}

/** What a publish has to do with one object. */
export type Task =
  /** Nothing: the object is confirmed. */
  | "none"
  /** Write over the tag that the state remembers. */
  | "write"
  /** Compare with the store first, because what it holds is not certain; then write or remove if needed. */
  | "check"
  | "remove";

/** The task for an object. An audit checks every object. */
export function taskFor(object: PublishedObject, isAudit: boolean, nowMs: number): Task {
  const isSuspect = isAudit || object.suspectUntilMs > nowMs;
  if (object.digest === null) {
    if (object.isPublished) return isSuspect ? "check" : "none";
    return object.suspectUntilMs > nowMs ? "check" : "remove";
  }
  // A changed object whose old version is known needs no check: the conditional write is one.
  if (isSuspect && (object.isPublished || object.suspectUntilMs > nowMs || object.etag === null))
    return "check";
  return object.isPublished ? "none" : "write";
}

/** Whether so many removals of so many objects are probably a mistake, such as a truncated catalogue. */
export function isTooMany(removals: number, of: number, maxShare: number): boolean {
  return removals > ALWAYS_ALLOWED && removals > maxShare * of;
}

const ALWAYS_ALLOWED = 3;
