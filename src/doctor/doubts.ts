import { countCongested } from "../services/history/response-baseline.ts";
import { findLeftOut, whyUnknown } from "../services/history/views.ts";
import type { Catalogue } from "../model/service/catalogue.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import type { State } from "../model/state.ts";
import { describeCongestion, isOftenCongested } from "../cli/output/congestion-text.ts";
import type { Check } from "./check.ts";
import { loadState, StateError } from "../state/state-file.ts";

const NAME = "endpoints that count";

/** Endpoints that the runs so far leave out, with the verdicts that rest on them, and how often the runner itself was slow. */
export async function checkLeftOut(
  catalogue: Catalogue,
  stateStore: ObjectStore,
): Promise<readonly Check[]> {
  try {
    const { state } = await loadState(stateStore);
    return [checkEndpoints(catalogue, state), checkCongestion(state)];
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof StateError)) throw error;
    return [{ name: NAME, result: "warn", detail: `unknown: ${error.message}` }];
  }
}

function checkEndpoints(catalogue: Catalogue, { history }: State): Check {
  if (history.runs.length === 0) return { name: NAME, result: "ok", detail: "no run yet" };
  const leftOut = findLeftOut(catalogue, history);
  const unknown = catalogue.services.flatMap((service) => {
    const why = whyUnknown(service, history);
    return why === null ? [] : [`${service.slug} (${why})`];
  });
  if (leftOut.length + unknown.length === 0)
    return { name: NAME, result: "ok", detail: "all of them" };
  const urls = leftOut.map(({ slug, url, why }) => `${url} of ${slug} (${why})`).join(", ");
  const parts = [
    ...(leftOut.length === 0 ? [] : [`not counted: ${urls}`]),
    ...(unknown.length === 0 ? [] : [`so nothing is known of ${unknown.join(", ")}`]),
  ];
  const detail = `${parts.join("; ")}. Run catalogue audit: it says what to change.`;
  return { name: NAME, result: "warn", detail };
}

function checkCongestion({ history }: State): Check {
  const congestion = countCongested(history.runs);
  const name = "own speed";
  return isOftenCongested(congestion)
    ? { name, result: "warn", detail: describeCongestion(congestion) }
    : {
        name,
        result: "ok",
        detail: `this machine was slow in ${congestion.congested} of ${congestion.of} runs of the last day`,
      };
}
