import type { Advance } from "../../src/publish/generation.ts";
import type { Document } from "../../src/model/service/snapshot.ts";
import type { State } from "../../src/model/state.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { expectedBadges, sampleBadges } from "../pipeline/sample-badges.ts";

/* A model of the program: its state counts commits, and each document shows a part of the count. */

/** The documents of a count. */
export type DocumentsOf = (count: number) => readonly Document[];

/** The number of commits in a state. */
export function countOf(state: State): number {
  return state.history.updatedAtMs ?? 0;
}

/** The advance to a count. */
export function advanceTo(state: State, count: number, documentsOf: DocumentsOf): Advance {
  return {
    state: { ...state, history: { ...state.history, updatedAtMs: count } },
    documents: documentsOf(count),
    site: [],
    groups: sampleBadges(count),
    settle: async () => ({}),
    nowMs: count,
  };
}

/** The expected texts by key at a count, with badges. */
export function expectedAt(
  count: number,
  documentsOf: DocumentsOf,
): Readonly<Record<string, string | undefined>> {
  const documents = documentsOf(count).map(
    ({ key, body }) => [key, Buffer.from(body).toString()] as const,
  );
  return { ...Object.fromEntries(documents), ...expectedBadges(count) };
}

/** The texts in the store by key; undefined where there is no object. Throws what the store throws. */
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
