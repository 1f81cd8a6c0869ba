import * as z from "zod";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { FRESH_MS, MINUTE_MS, SECOND_MS } from "../model/time.ts";
import type { Check } from "./check.ts";
import { LIST_KEY } from "../services/snapshot/api-documents.ts";

const NAME = "none without a runner";

const LIST = z.object({
  updated: z.number(),
  services: z.array(z.object({ code: z.string() })),
});

type List = z.infer<typeof LIST>;

/**
 * Whether the verdicts become `none` when runs stop. A timer with `run` alone does not publish that: if its machine is gone, the last
 * documents stay. It can be seen only after the runs have stopped for a while.
 */
export async function checkFreshness(publicStore: ObjectStore, nowMs: number): Promise<Check> {
  try {
    const found = await publicStore.read(LIST_KEY);
    return checkStateFreshness(found && parseList(found.body), nowMs);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { name: NAME, result: "warn", detail: `unknown: ${error.message}` };
  }
}

function parseList(body: Uint8Array): List | undefined {
  try {
    return LIST.safeParse(JSON.parse(Buffer.from(body).toString())).data;
  } catch {
    return undefined;
  }
}

/** @param list as published; undefined: there is none, or it is not ours. */
export function checkStateFreshness(list: List | undefined, nowMs: number): Check {
  if (list === undefined) return { name: NAME, result: "ok", detail: "nothing is published yet" };
  const ageMs = nowMs - list.updated * SECOND_MS;
  const age = `the last valid run is ${Math.max(0, Math.floor(ageMs / MINUTE_MS))} min old`;
  if (ageMs <= FRESH_MS) {
    const detail = `${age}. If runs stop, a second timer with refresh, watch or an intake has to publish that: docs/operations.md, "When the runner is gone".`;
    return { name: NAME, result: "ok", detail };
  }
  if (list.services.every(({ code }) => code === "none"))
    return { name: NAME, result: "ok", detail: `${age}, and that is published` };
  const detail = `${age}, and so are the published verdicts, because only run publishes here. Start the runs again. Add a second timer with refresh, watch or an intake.`;
  return { name: NAME, result: "warn", detail };
}
