import { commit } from "../../src/publish/commit.ts";
import type { Advance, CommitDependencies, ComputeAdvance } from "../../src/publish/generation.ts";
import type { State } from "../../src/model/state.ts";
import type { PublishResult } from "../../src/publish/publish.ts";
import { NO_GROUPS } from "../../src/publish/object-groups.ts";
import { textDocuments } from "./text-documents.ts";
import { type Stores, writerOver } from "./writers.ts";

/* Another model of the program: each commit publishes one text in every object. */

/** All objects but the list. `guest` and `m/guest.svg` exist only while the text is "old". */
export const TEXT_KEYS: readonly string[] = [
  "page",
  "guest",
  "index.html",
  "m/badge.svg",
  "m/guest.svg",
];

/** The state keeps the text as the address of the website. The list counts the generations. */
function toAdvance(state: State, text: string, nowMs: number, isSiteLater: boolean): Advance {
  const isOld = text === "old";
  const ids = isOld ? ["badge", "guest"] : ["badge"];
  return {
    state: { ...state, baseUrl: text },
    documents: textDocuments({
      page: text,
      ...(isOld ? { guest: text } : {}),
      list: state.publication.generation + 1,
    }),
    site: isSiteLater ? "later" : [textDocuments({ "index.html": text })],
    groups: {
      ...NO_GROUPS,
      signatures: new Map(ids.map((id) => [id, text])),
      keysOf: (id) => [`m/${id}.svg`],
      build: async (id) => textDocuments({ [`m/${id}.svg`]: text }),
    },
    settle: async () => ({}),
    nowMs,
  };
}

/** A commit of the text; its repairs publish the text of the newest state. */
export function publishText(
  text: string,
  stores: Stores,
  {
    nowMs = 1,
    isSiteLater = false,
    ...deps
  }: Partial<CommitDependencies> & {
    readonly nowMs?: number;
    readonly isSiteLater?: boolean;
  } = {},
): Promise<PublishResult> {
  const repair: ComputeAdvance = async (state) =>
    toAdvance(state, state.baseUrl ?? "", nowMs, isSiteLater);
  return commit(
    { ...writerOver(stores, () => Promise.resolve()), ...deps },
    async (state) => toAdvance(state, text, nowMs, isSiteLater),
    repair,
  );
}
