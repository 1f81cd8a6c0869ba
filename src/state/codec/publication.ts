import * as z from "zod";
import { ANY_VERSION, type Publication, type PublishedObject } from "../../model/publication.ts";
import { codecOf, count, instant, mapOf, sortPairs } from "./parts.ts";

/** Id, signature, whether any version is known, whether published, until when suspect. */
const group = z
  .tuple([z.string(), z.string().nullable(), z.boolean(), z.boolean(), instant])
  .readonly();

/** Tuples: there may be 100,000 groups, and names of fields would be most of the bytes. */
const groups = codecOf(
  z.array(group).readonly(),
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

const publishedObject = z.strictObject({
  digest: z.string().nullable(),
  etag: z.string().nullable(),
  isPublished: z.boolean(),
  suspectUntilMs: instant,
});

/** What is known of the public store. */
export const PUBLICATION = codecOf(
  z.strictObject({
    generation: count,
    marks: z.array(z.string()).readonly(),
    store: z.string(),
    objects: mapOf(publishedObject),
    auditedAtMs: instant,
    badges: groups,
  }),
  ({ badges, ...others }): Publication => ({ ...others, groups: badges }),
  ({ groups: badges, ...others }) => ({ ...others, badges }),
);
