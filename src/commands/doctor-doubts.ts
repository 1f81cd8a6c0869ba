import { findLeftOut } from "../history/views.ts";
import type { Catalogue } from "../model/catalogue.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import type { Check } from "../render/checks.ts";
import { loadState, StateError } from "../state.ts";

const NAME = "endpoints that count";

/** Endpoints that the runs so far leave out: a wrong entry in the catalogue, more likely than not. */
export async function checkLeftOut(catalogue: Catalogue, stateStore: ObjectStore): Promise<Check> {
  try {
    const { state } = await loadState(stateStore, () => undefined);
    const leftOut = findLeftOut(catalogue, state.history);
    if (state.history.runs.length === 0)
      return { name: NAME, result: "ok", detail: "no run has looked yet" };
    if (leftOut.length === 0) return { name: NAME, result: "ok", detail: "every one does" };
    const urls = leftOut.map(({ url, why }) => `${url} (${why})`).join(", ");
    const detail = `not counted: ${urls}. Run catalogue audit for what to change.`;
    return { name: NAME, result: "warn", detail };
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof StateError)) throw error;
    return { name: NAME, result: "warn", detail: `not known: ${error.message}` };
  }
}
