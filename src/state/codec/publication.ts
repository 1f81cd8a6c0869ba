import { ANY_VERSION, type Publication, type PublishedObject } from "../../model/publication.ts";
import type { PublicationWire } from "./schema.ts";
import { sortPairs } from "./sort-pairs.ts";

type GroupWire = PublicationWire["badges"][number];

/** The publication as it is stored. Groups are stored as `badges`, which were once the only ones. */
export function toPublicationWire({ objects, groups, ...others }: Publication): PublicationWire {
  return {
    ...others,
    objects: sortPairs(objects),
    badges: sortPairs(groups).map(packGroup),
  };
}

/** The inverse of `toPublicationWire`. */
export function fromPublicationWire({ objects, badges, ...others }: PublicationWire): Publication {
  return {
    ...others,
    objects: new Map(objects),
    groups: new Map(badges.map(unpackGroup)),
  };
}

/** A tuple: there may be 100,000 groups, and names of fields would be most of the bytes. */
function packGroup([id, group]: readonly [string, PublishedObject]): GroupWire {
  return [id, group.digest, group.etag !== null, group.isPublished, group.suspectUntilMs];
}

function unpackGroup(wire: GroupWire): [string, PublishedObject] {
  const [id, digest, isKnown, isPublished, suspectUntilMs] = wire;
  return [id, { digest, etag: isKnown ? ANY_VERSION : null, isPublished, suspectUntilMs }];
}
