import { findLeftOut } from "../../services/history/views.ts";
import type { Catalogue } from "../../model/catalogue.ts";
import { type ObjectStore, StoreError } from "../../model/store.ts";
import type { Check } from "../output/doctor-table.ts";
import { loadState, StateError } from "../../state/state-file.ts";

const NAME = "endpoints that count";

/** Endpoints that the runs so far leave out, most likely because of a wrong entry in the catalogue. */
export async function checkLeftOut(catalogue: Catalogue, stateStore: ObjectStore): Promise<Check> {
  try {
    const { state } = await loadState(stateStore, () => undefined);
    const leftOut = findLeftOut(catalogue, state.history);
    if (state.history.runs.length === 0) return { name: NAME, result: "ok", detail: "no run yet" };
    if (leftOut.length === 0) return { name: NAME, result: "ok", detail: "all of them" };
    const urls = leftOut.map(({ url, why }) => `${url} (${why})`).join(", ");
    const detail = `not counted: ${urls}. Run catalogue audit for what to change.`;
    return { name: NAME, result: "warn", detail };
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof StateError)) throw error;
    return { name: NAME, result: "warn", detail: `unknown: ${error.message}` };
  }
}
