import type { VerdictChange } from "../../src/model/service/verdict-change.ts";

/** A change of a verdict, with what a test does not care about filled in. */
export function changeOf(
  change: Pick<VerdictChange, "slug" | "atMs" | "code"> & Partial<VerdictChange>,
): VerdictChange {
  return { seq: 1, before: "ok", scope: "none", isSurge: false, live: false, ...change };
}
