import type { Advance } from "../../src/generation.ts";
import type { Document } from "../../src/model/snapshot.ts";
import type { State } from "../../src/model/state.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { expectedBadges, toyBadges } from "./toy-badges.ts";

/* A toy of the program: its state counts commits, and each of its documents shows a part of the count. */

/** The documents that belong to a count. */
export type DocumentsOf = (count: number) => readonly Document[];

/** Commits that the state counts. */
export function countOf(state: State): number {
  return state.history.updatedAtMs ?? 0;
}

/** What a commit makes of a state whose next count is this one. */
export function advanceTo(state: State, count: number, documentsOf: DocumentsOf): Advance {
  return {
    state: { ...state, history: { ...state.history, updatedAtMs: count } },
    documents: documentsOf(count),
    site: [],
    groups: toyBadges(count),
    settle: async () => state.monitors,
    nowMs: count,
  };
}

/** What a reader should find at a count, badges included: text by key. */
export function expectedAt(
  count: number,
  documentsOf: DocumentsOf,
): Readonly<Record<string, string | undefined>> {
  const documents = documentsOf(count).map(
    ({ key, body }) => [key, Buffer.from(body).toString()] as const,
  );
  return { ...Object.fromEntries(documents), ...expectedBadges(count) };
}

/** What a reader does find: text by key, undefined where there is no object. Throws what the store throws. */
export async function readTexts(
  store: ObjectStore,
  keys: readonly string[],
): Promise<Readonly<Record<string, string | undefined>>> {
  const entries = keys.map(async (key) => {
    const found = await store.read(key);
    return [key, found && Buffer.from(found.body).toString()] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
