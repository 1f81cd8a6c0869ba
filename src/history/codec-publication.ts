import { ANY_VERSION, type Publication, type PublishedObject } from "../model/publication.ts";
import type { StateV6 } from "./codec-schema-v6.ts";
import { sortPairs } from "./sort-pairs.ts";

type PublicationWire = StateV6["publication"];
type GroupWire = PublicationWire["badges"][number];

/** What is remembered of the public store, as it is stored. Groups are called badges there, as all of them were once. */
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

/** There may be 100,000 of them: names of fields would be most of it. */
function packGroup([id, group]: readonly [string, PublishedObject]): GroupWire {
  return [id, group.digest, group.etag !== null, group.isPublished, group.suspectUntilMs];
}

function unpackGroup(wire: GroupWire): [string, PublishedObject] {
  const [id, digest, isKnown, isPublished, suspectUntilMs] = wire;
  return [id, { digest, etag: isKnown ? ANY_VERSION : null, isPublished, suspectUntilMs }];
}
