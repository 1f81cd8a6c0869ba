import * as z from "zod";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { FRESH_MS, MINUTE_MS, SECOND_MS } from "../model/time.ts";
import type { Check } from "../render/checks.ts";
import { LIST_KEY } from "../snapshot/documents.ts";

const NAME = "none without a runner";

/** As much of the list as matters here. */
const LIST = z.object({
  updated: z.number(),
  services: z.array(z.object({ code: z.string() })),
});

type List = z.infer<typeof LIST>;

/**
 * Whether somebody publishes that the checks have grown old. A timer with `run` alone does not: when its machine is gone, the last
 * documents stand for ever. It can be seen only after the runs have stopped for a while.
 */
export async function checkFreshness(publicStore: ObjectStore, nowMs: number): Promise<Check> {
  try {
    const found = await publicStore.read(LIST_KEY);
    return judgeFreshness(found && parseList(found.body), nowMs);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { name: NAME, result: "warn", detail: `not known: ${error.message}` };
  }
}

function parseList(body: Uint8Array): List | undefined {
  try {
    return LIST.safeParse(JSON.parse(Buffer.from(body).toString())).data;
  } catch {
    return undefined;
  }
}

/** @param list as it is published; undefined: there is none, or none of ours. */
export function judgeFreshness(list: List | undefined, nowMs: number): Check {
  if (list === undefined) return { name: NAME, result: "ok", detail: "nothing is published yet" };
  const ageMs = nowMs - list.updated * SECOND_MS;
  const age = `the last valid run is ${Math.max(0, Math.floor(ageMs / MINUTE_MS))} min old`;
  if (ageMs <= FRESH_MS) {
    const detail = `${age}. Should runs stop, a second timer with refresh, watch or an intake has to publish that: docs/operating.md, "When the runner is gone".`;
    return { name: NAME, result: "ok", detail };
  }
  if (list.services.every(({ code }) => code === "none"))
    return { name: NAME, result: "ok", detail: `${age}, and that is published` };
  const detail = `${age}, and what is published still speaks as of it: nothing but run publishes here. Start the runs again, and a second timer with refresh, watch or an intake beside them.`;
  return { name: NAME, result: "warn", detail };
}
