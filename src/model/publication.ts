import * as z from "zod";
import type { ETag } from "./store.ts";
import { mapOf, sortPairs } from "./stored-maps.ts";
import { codecOf, count, instant, listOf, type Stored } from "./stored-parts.ts";

export const PUBLISHED_OBJECT = z.strictObject({
  /** Digest of the desired bytes, or of what they follow from; null: the object has to be removed. For a group it can be `OUTDATED`. */
  digest: z.string().nullable(),
  /** `ETag` of the last version that the store is known to have; null: unknown. */
  etag: z.string().nullable(),
  /** Whether that version is the desired one, as far as its writer knows. */
  isPublished: z.boolean(),
  /** Until then every publish checks it again: the writer of an unconfirmed generation may still overwrite it with older bytes. */
  suspectUntilMs: instant,
});

/** One public object of this installation. */
export type PublishedObject = Stored<typeof PUBLISHED_OBJECT>;

/** Matches any tag of an object that is known to exist, as in `If-Match: *` (RFC 9110, section 13.1.1). */
export const ANY_VERSION: ETag = "*";

/** The signature of a postponed group: what is published of it is outdated. It equals no real one, so the next publish writes the group. */
export const OUTDATED = "";

export const MARKS_KEPT = 32;

/** Id, signature, whether any version is known, whether published, until when suspect. */
const group = z
  .tuple([z.string(), z.string().nullable(), z.boolean(), z.boolean(), instant])
  .readonly();

/** Tuples: there may be 100,000 groups, and names of fields would be most of the bytes. */
const groups = codecOf(
  listOf(group),
  (stored): ReadonlyMap<string, PublishedObject> =>
    new Map(
      stored.map(([id, digest, isKnown, isPublished, suspectUntilMs]) => [
        id,
        { digest, etag: isKnown ? ANY_VERSION : null, isPublished, suspectUntilMs },
      ]),
    ),
  (map) =>
    sortPairs(map).map(
      ([id, { digest, etag, isPublished, suspectUntilMs }]) =>
        [id, digest, etag !== null, isPublished, suspectUntilMs] as const,
    ),
);

export const PUBLICATION = codecOf(
  z.strictObject({
    generation: count,
    /**
     * A random mark for each of the last generations, newest last. By its mark, a writer that got no answer recognises its own
     * generation, even if others have advanced the state since.
     */
    marks: listOf(z.string()),
    /** Identity of the public store of these objects: they do not apply to another one. */
    store: z.string(),
    /** By key. Only these may ever be removed. */
    objects: mapOf(PUBLISHED_OBJECT),
    /** Time of the last check of all objects in the store. */
    auditedAtMs: instant,
    /**
     * The `groups`: objects that are recorded in groups (badges, pages of monitors, images), by id of the group, with a signature of their
     * content as digest. A group has several objects, so no tag is kept: `ANY_VERSION` if any was ever published.
     */
    badges: groups,
  }),
  ({ badges, ...others }) => ({ ...others, groups: badges }),
  ({ groups: badges, ...others }) => ({ ...others, badges }),
);

/** The record of the public store. Generations order what is published: exactly one writer wins each. See docs/publish/protocol.md. */
export type Publication = Stored<typeof PUBLICATION>;

export const NOTHING_PUBLISHED: Publication = {
  generation: 0,
  marks: [],
  store: "",
  objects: new Map(),
  groups: new Map(),
  auditedAtMs: 0,
};

/** Documents for other programs that each generation has, beside those of the API. Source: docs/open-data.md. */
const FOR_PROGRAMS = /^(?:api\/|changes\/|accuracy\/|operators\/|metrics$)/u;

/** Whether an object belongs to the website, which needs an address: everything that is not for programs alone. */
export function isOfWebsite(key: string): boolean {
  return !FOR_PROGRAMS.test(key);
}
