import type { EndpointResult, FailedOutcome } from "../model/probe-outcome.ts";
import type { State } from "../model/state.ts";
import type { Baseline } from "../probe/confirm-change.ts";
import { responseStats, slowThresholdMs } from "../services/history/response-baseline.ts";
import { lastState } from "../services/history/sample-codes.ts";

/** What a probe is compared with, by URL. Each is computed once, because a seven-day median takes thousands of steps. */
export function createBaselines({
  history,
  evidence,
}: Pick<State, "history" | "evidence">): (url: string) => Baseline {
  const cache = new Map<string, Baseline>();
  const failures = failuresIn(evidence);
  return (url) => {
    const failure = failures.get(url);
    const known = failure === undefined ? {} : { failure };
    const baseline = cache.get(url) ?? { ...baselineOf(history, url), ...known };
    cache.set(url, baseline);
    return baseline;
  };
}

function baselineOf(history: State["history"], url: string): Baseline {
  const track = history.endpoints.get(url) ?? "";
  const { medianMs, sampleCount } = responseStats(track, history.runs);
  return { lastState: lastState(track), slowMs: slowThresholdMs(medianMs, sampleCount) };
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
