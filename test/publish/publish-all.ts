import type { PublishedObject } from "../../src/model/publication.ts";
import type { Document } from "../../src/model/snapshot.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { NO_BADGES } from "../../src/publish/badges.ts";
import { publish } from "../../src/publish/publish.ts";
import type { PublishResult } from "../../src/publish/publishing.ts";

/** Publishes without a memory of earlier publishes: every object is compared with what the store holds. */
export function publishAll(
  store: ObjectStore,
  documents: readonly Document[],
  options: { readonly removeKeys?: readonly string[]; readonly maxRemovalShare?: number } = {},
): Promise<PublishResult> {
  const { removeKeys = [], maxRemovalShare = 1 } = options;
  const unknown = { etag: null, isPublished: false, suspectUntilMs: 0 };
  const objects = new Map<string, PublishedObject>([
    ...removeKeys.map((key) => [key, { ...unknown, digest: null }] as const),
    ...documents.map(({ key }) => [key, { ...unknown, digest: "any" }] as const),
  ]);
  return publish(
    {
      store,
      isOvertaken: () => Promise.resolve(false),
      sleep: () => Promise.resolve(),
      random: () => 0.5,
      isOutOfTime: () => false,
      isOutOfBadgeTime: () => false,
      isOutOfPictureTime: () => false,
    },
    {
      documents,
      site: [],
      objects,
      badges: new Map(),
      wantedBadges: NO_BADGES,
      isAudit: true,
      auditsAll: false,
      generation: 1,
      nowMs: 1,
      maxRemovalShare,
    },
  );
}
