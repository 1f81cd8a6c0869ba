import type { PublishedObject } from "../../src/model/publication.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { NO_GROUPS, type WantedGroups } from "../../src/publish/groups.ts";
import { publish } from "../../src/publish/publish.ts";
import type {
  PublishDependencies,
  PublishPlan,
  PublishResult,
} from "../../src/publish/publishing.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { ALONE } from "./publish-all.ts";

/** What may be otherwise than in a publish that has all the time there is, and nobody beside it. */
export interface GroupOptions extends Partial<Omit<PublishDependencies, "store">> {
  readonly store?: ObjectStore;
  readonly plan?: Partial<PublishPlan>;
  readonly wanted?: Partial<WantedGroups>;
}

/** The two objects of a group. */
export function keysOf(id: string): readonly string[] {
  return [`${id}/1.svg`, `${id}/2.svg`];
}

/** One publish of groups alone, with objects of one byte each; tells which were drawn, in this order. */
export async function publishGroups(
  groups: ReadonlyMap<string, PublishedObject>,
  { store = createMemoryStore(), plan = {}, wanted = {}, ...deps }: GroupOptions,
): Promise<PublishResult & { readonly drawn: readonly string[] }> {
  const drawn: string[] = [];
  const wantedGroups: WantedGroups = {
    ...NO_GROUPS,
    keysOf,
    build: async (id) => {
      drawn.push(id);
      return keysOf(id).map((key) => ({ key, ...BYTE }));
    },
    ...wanted,
  };
  const result = await publish(
    { ...ALONE, store, ...deps },
    {
      documents: [],
      site: [],
      objects: new Map(),
      groups,
      wantedGroups,
      isAudit: false,
      auditsAll: false,
      generation: 1,
      nowMs: 1,
      maxRemovalShare: 1,
      ...plan,
    },
  );
  return { ...result, drawn };
}

const BYTE = { body: new Uint8Array([1]), contentType: "image/svg+xml", cacheControl: "" };

/** A store in which the objects of these groups stand. */
export async function storeWith(ids: readonly string[]): Promise<ObjectStore> {
  const store = createMemoryStore();
  for (const key of ids.flatMap(keysOf)) await store.write(key, BYTE);
  return store;
}
