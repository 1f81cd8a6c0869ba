import type { ETag } from "./store.ts";

/** One public object that is ours. */
export interface PublishedObject {
  /** Digest of the bytes that belong there; null: nothing does, the object is to be removed. Of a group it can be `OUTDATED`. */
  readonly digest: string | null;
  /** Tag of the last version that the store was known to hold; null: none is known. */
  readonly etag: ETag | null;
  /** Whether that version is the one that belongs there, as far as its writer saw. */
  readonly isPublished: boolean;
  /**
   * Until then every publish looks at the object again: a generation that was never confirmed may have a writer that is
   * still at work, and could put older bytes there unseen.
   */
  readonly suspectUntilMs: number;
}

/**
 * What the state remembers of the public store. Generations order everything that is published: each advance of the
 * state is won by exactly one writer. See docs/publishing.md.
 */
export interface Publication {
  readonly generation: number;
  /**
   * A random mark for each of the last generations, newest last, by which a writer that never got an answer knows its own
   * work again, even when others have advanced the state since.
   */
  readonly marks: readonly string[];
  /** Identity of the public store that the objects are in: in another one, nothing of this is known. */
  readonly store: string;
  /** By key. Only these may ever be removed. */
  readonly objects: ReadonlyMap<string, PublishedObject>;
  /**
   * Objects that are remembered in groups (badges, pages of monitors, pictures), by id of the group, with a signature of what they
   * show for a digest. Each row stands for several objects, so no tag is kept: `ANY_VERSION` when any was ever published.
   */
  readonly groups: ReadonlyMap<string, PublishedObject>;
  /** When every object was last looked at in the store. */
  readonly auditedAtMs: number;
}

/** Stands for whatever tag an object has that is known to exist, as in `If-Match: *` (RFC 9110, section 13.1.1). */
export const ANY_VERSION: ETag = "*";

/**
 * In place of the signature of a group that had to wait: what there is of it, if anything, is older than what belongs there. It equals
 * no signature, so the next publish writes the group.
 */
export const OUTDATED = "";

/** Marks that are kept. */
export const MARKS_KEPT = 32;

export const NOTHING_PUBLISHED: Publication = {
  generation: 0,
  marks: [],
  store: "",
  objects: new Map(),
  groups: new Map(),
  auditedAtMs: 0,
};
