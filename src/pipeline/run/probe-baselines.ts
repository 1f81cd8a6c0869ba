import type { Endpoint } from "../../model/service/catalogue.ts";
import type { Line } from "../../model/service/vantage.ts";
import type { EndpointResult, FailedOutcome } from "../../model/probe-outcome.ts";
import type { State } from "../../model/state.ts";
import type { Baseline } from "../../probe/confirm-change.ts";
import {
  isLongFailing,
  responseStats,
  slowThresholdMs,
} from "../../services/history/response-baseline.ts";
import { isAnyDecided, lastState } from "../../services/history/sample-codes.ts";
import { mayRefuse } from "../../services/history/suspicion.ts";

/** What a probe is compared with, by URL. Each is computed once, because a seven-day median takes thousands of steps. */
export function createBaselines(
  { history, evidence }: Pick<State, "history" | "evidence">,
  line: Line,
): (endpoint: Endpoint) => Baseline {
  const cache = new Map<string, Baseline>();
  const failures = failuresIn(evidence);
  return (endpoint) => {
    const { url } = endpoint;
    const failure = failures.get(url);
    const known = failure === undefined ? {} : { failure };
    const baseline = cache.get(url) ?? { ...baselineOf(history, endpoint, line), ...known };
    cache.set(url, baseline);
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

type Evidence = State["evidence"];

function resultsIn(evidence: Evidence): readonly (readonly [string, EndpointResult])[] {
  return [...evidence.values()].flatMap(({ endpoints }) =>
    endpoints.map(({ url, result }) => [url, result] as const),
  );
}

/** The endpoints that failed in the last run, by URL. */
function failuresIn(evidence: Evidence): ReadonlyMap<string, FailedOutcome> {
  return new Map(
    resultsIn(evidence).flatMap(([url, { outcome }]) =>
      outcome.kind === "failed" ? [[url, outcome] as const] : [],
    ),
  );
}

/** The addresses that answered in the last run. */
export function addressesOf(evidence: Evidence): readonly string[] {
  const addresses = resultsIn(evidence).flatMap(([, { outcome }]) =>
    outcome.kind === "ok" || outcome.kind === "denied" ? [outcome.trace.address] : [],
  );
  return [...new Set(addresses.filter((address) => address !== undefined))];
}

/** Where an endpoint was seen: by a control that was asked about its failure, or by the runner when it still resolved. */
export function createSeenAddresses({
  evidence,
  vantages,
}: Pick<State, "evidence" | "vantages">): (url: string) => string | undefined {
  const own = new Map(
    resultsIn(evidence).map(([url, { outcome, attempts }]) => {
      const traces = [outcome, ...attempts].flatMap((one) =>
        one.kind === "skipped" || one.trace.redirects > 0 ? [] : [one.trace.address],
      );
      return [url, traces.find((address) => address !== undefined)] as const;
    }),
  );
  const controls = vantages.vantages.filter(({ kind }) => kind === "control");
  return (url) => {
    const results = controls.map(({ id }) => vantages.heard.get(id)?.results.get(url));
    const answered = results.find((one) => one?.code === "ok" && one.address !== undefined);
    return answered?.address ?? own.get(url);
  };
}
