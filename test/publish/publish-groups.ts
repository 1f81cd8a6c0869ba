import type { PublishedObject } from "../../src/model/publication.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { NO_GROUPS, type WantedGroups } from "../../src/publish/object-groups.ts";
import {
  publish,
  type PublishDependencies,
  type PublishPlan,
  type PublishResult,
} from "../../src/publish/publish.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { ALONE } from "./publish-all.ts";

/** Changes to a publish without time limits and other writers. */
export interface GroupOptions extends Partial<Omit<PublishDependencies, "store">> {
  readonly store?: ObjectStore;
  readonly plan?: Partial<PublishPlan>;
  readonly wanted?: Partial<WantedGroups>;
}

/** The two objects of a group. */
export function keysOf(id: string): readonly string[] {
  return [`${id}/1.svg`, `${id}/2.svg`];
}

/** One publish of groups alone, with objects of one byte each. `drawn` are the groups that were drawn, in order. */
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

/** A store with the objects of these groups. */
export async function storeWith(ids: readonly string[]): Promise<ObjectStore> {
  const store = createMemoryStore();
  for (const key of ids.flatMap(keysOf)) await store.write(key, BYTE);
  return store;
}
