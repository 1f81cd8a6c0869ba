import type { PublishedObject } from "../../src/model/publication.ts";
import type { Document, Site } from "../../src/model/service/snapshot.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { NO_GROUPS } from "../../src/publish/object-groups.ts";
import {
  publish,
  type PublishDependencies,
  type PublishResult,
} from "../../src/publish/publish.ts";

/** Dependencies of a publisher without time limits and other writers, except the store. */
export const ALONE: Omit<PublishDependencies, "store"> = {
  isOvertaken: () => Promise.resolve(false),
  sleep: () => Promise.resolve(),
  random: () => 0.5,
  isOutOfTime: () => false,
  isOutOfGroupTime: () => false,
  isOutOfPictureTime: () => false,
};

/** Publishes without knowledge of earlier publishes: every object is compared with the store. */
export function publishAll(
  store: ObjectStore,
  documents: readonly Document[],
  options: {
    readonly site?: Site;
    readonly removeKeys?: readonly string[];
    /** Recorded as removed. */
    readonly removedKeys?: readonly string[];
    readonly maxRemovalShare?: number;
    /** Whether the plan has the documents. @default true */
    readonly isPlanned?: boolean;
    /** @default true */
    readonly isAudit?: boolean;
  } = {},
): Promise<PublishResult> {
  const { site = [], removeKeys = [], removedKeys = [], maxRemovalShare = 1 } = options;
  const planned = options.isPlanned === false ? [] : [...documents, ...site.flat()];
  const unknown = { etag: null, isPublished: false, suspectUntilMs: 0 };
  const objects = new Map<string, PublishedObject>([
    ...removedKeys.map((key) => [key, { ...unknown, digest: null, isPublished: true }] as const),
    ...removeKeys.map((key) => [key, { ...unknown, digest: null }] as const),
    ...planned.map(({ key }) => [key, { ...unknown, digest: "any" }] as const),
  ]);
  return publish(
    { ...ALONE, store },
    {
      documents,
      site,
      objects,
      groups: new Map(),
      wantedGroups: NO_GROUPS,
      isAudit: options.isAudit ?? true,
      auditsAll: false,
      generation: 1,
      nowMs: 1,
      maxRemovalShare,
    },
  );
}
