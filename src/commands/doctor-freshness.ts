import type { ObjectStore } from "../model/store.ts";
import { StoreError } from "../model/store.ts";
import { FRESH_MS, MINUTE_MS } from "../model/time.ts";
import type { Check } from "../render/checks.ts";
import { loadState, StateError } from "../state.ts";

const NAME = "none without a runner";

/**
 * Whether somebody publishes that the checks have grown old. A timer with `run` alone does not: when its machine is gone, the last
 * documents stand for ever. It can be seen only after the runs have stopped for a while.
 */
export async function checkFreshness(store: ObjectStore, nowMs: number): Promise<Check> {
  try {
    const { state } = await loadState(store, () => undefined);
    return judgeFreshness(
      state.history.runs.at(-1)?.atMs,
      [...state.verdicts.codes.values()],
      nowMs,
    );
  } catch (error) {
    if (!(error instanceof StateError || error instanceof StoreError)) throw error;
    return { name: NAME, result: "warn", detail: `not known: ${error.message}` };
  }
}

/**
 * @param lastRunMs time of the last valid run; undefined: none yet.
 * @param codes of all services, as they were published last.
 */
export function judgeFreshness(
  lastRunMs: number | undefined,
  codes: readonly string[],
  nowMs: number,
): Check {
  if (lastRunMs === undefined)
    return { name: NAME, result: "ok", detail: "there was no valid run yet" };
  const ageMs = nowMs - lastRunMs;
  const age = `the last valid run is ${Math.max(0, Math.floor(ageMs / MINUTE_MS))} min old`;
  if (ageMs <= FRESH_MS)
    return {
      name: NAME,
      result: "ok",
      detail: `${age}. Should runs stop, a second timer with refresh, watch or an intake has to publish that: docs/operating.md, "When the runner is gone".`,
    };
  if (codes.every((code) => code === "none"))
    return { name: NAME, result: "ok", detail: `${age}, and that is published` };
  return {
    name: NAME,
    result: "warn",
    detail: `${age}, and what is published still speaks as of it: nothing but run publishes here. Start the runs again, and a second timer with refresh, watch or an intake beside them.`,
  };
}
