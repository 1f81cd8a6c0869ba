import type { Line } from "../../model/service/choices.ts";
import type { Endpoint, Service } from "../../model/service/catalogue.ts";
import { mapValues } from "../../model/lists.ts";
import type { State } from "../../model/state.ts";
import type { Baseline } from "../../probe/confirm-change.ts";
import { toNeighbours } from "../../probe/experiment.ts";
import {
  isLongFailing,
  responseStats,
  slowThresholdMs,
} from "../../services/history/response-baseline.ts";
import { isAnyDecided, lastState } from "../../services/history/sample-codes.ts";
import { mayRefuse } from "../../services/history/suspicion.ts";
import { resultsIn } from "../publish/judge-scopes.ts";

/* What earlier runs know of the endpoints. */

/** What a probe is compared with, by URL. Each is computed once, because a seven-day median takes thousands of steps. */
export function createBaselines(
  { history, evidence }: Pick<State, "history" | "evidence">,
  line: Line,
): (endpoint: Endpoint) => Baseline {
  const cache = new Map<string, Baseline>();
  const results = resultsIn(evidence.values());
  return (endpoint) => {
    const outcome = results.get(endpoint.url)?.outcome;
    const known = cache.get(endpoint.url);
    const baseline = known ?? {
      ...baselineOf(history, endpoint, line),
      ...(outcome?.kind === "failed" && { failure: outcome }),
    };
    cache.set(endpoint.url, baseline);
    return baseline;
  };
}

function baselineOf(history: State["history"], endpoint: Endpoint, line: Line): Baseline {
  const track = history.endpoints.get(endpoint.url) ?? "";
  const { medianMs, sampleCount } = responseStats(track, history.runs);
  return {
    lastState: lastState(track),
    isLongFailing: isLongFailing(track, history.runs),
    isSilenceVague: mayRefuse(endpoint, track, line) && isAnyDecided(track),
    slowMs: slowThresholdMs(medianMs, sampleCount),
  };
}

/** The endpoints that answered in the last run. */
export function neighboursIn(services: readonly Service[], evidence: State["evidence"]) {
  const results = resultsIn(evidence.values());
  return services.flatMap(({ endpoints }) =>
    endpoints.flatMap((target) => toNeighbours(target, results.get(target.url)?.outcome)),
  );
}

/** Where an endpoint was seen: by a control that was asked about its failure, or by the runner when it still resolved. */
export function createSeenAddresses({
  evidence,
  vantages,
}: Pick<State, "evidence" | "vantages">): (url: string) => string | undefined {
  const own = mapValues(resultsIn(evidence.values()), ({ outcome, attempts }) => {
    const traces = [outcome, ...attempts].flatMap((one) =>
      one.kind === "skipped" || one.trace.redirects > 0 ? [] : [one.trace.address],
    );
    return traces.find((address) => address !== undefined);
  });
  const controls = vantages.vantages.filter(({ kind }) => kind === "control");
  return (url) => {
    const results = controls.map(({ id }) => vantages.heard.get(id)?.results.get(url));
    const answered = results.find((one) => one?.code === "ok" && one.address !== undefined);
    return answered?.address ?? own.get(url);
  };
}
