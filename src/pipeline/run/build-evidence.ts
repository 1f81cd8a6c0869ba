import { isCongested } from "../../services/history/response-baseline.ts";
import type { NetworkNameOf, Measurement } from "./measurement.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { AnchorEvidence, RunEvidence, ServiceEvidence } from "../../model/service/evidence.ts";
import type { History } from "../../model/service/history.ts";
import type { EndpointResult, Outcome } from "../../model/probe-outcome.ts";
import { firstAnswers } from "../../probe/anchors.ts";

/** First answers of the anchors at the start, by URL: response times are compared with these. */
export function anchorAnswers({ rounds: [start] }: Measurement): ReadonlyMap<string, Outcome> {
  return start === undefined ? new Map() : firstAnswers(start);
}

/** The network of each endpoint, by URL, if the run connected to an address or tried to. */
export function networksOf(
  { measured }: Measurement,
  networkOf: NetworkNameOf,
): ReadonlyMap<string, string> {
  return new Map(
    [...measured].flatMap(([url, { attempts }]) => {
      const address = attempts.map(addressOf).find((one) => one !== undefined);
      return address === undefined ? [] : [[url, networkOf(address)] as const];
    }),
  );
}

function addressOf(outcome: Outcome): string | undefined {
  return outcome.kind === "skipped" ? undefined : outcome.trace.address;
}

/** Whether the runner was congested, so that response times of this run are not used. */
export function isCongestedRun(history: History, measurement: Measurement): boolean {
  return isCongested(history, anchorAnswers(measurement), measurement.lagMs);
}

/** The results of one service, as they are stored and shown by `explain`. */
export function serviceEvidence(
  service: Service,
  results: Measurement["results"],
  runAtMs: number,
): ServiceEvidence {
  const endpoints = service.endpoints.flatMap(({ url }) => {
    const result = results.get(url);
    return result === undefined ? [] : [{ url, result }];
  });
  return { runAtMs, endpoints };
}

/** The facts about the runner itself. */
export function runEvidence(
  measurement: Measurement,
  startedAtMs: number,
  durationMs: number,
  isCongestedNow: boolean,
): RunEvidence {
  const { connectivity, lagMs } = measurement;
  return {
    startedAtMs,
    durationMs,
    validity: connectivity.state === "offline" ? "offline" : "valid",
    connectivity,
    isCongested: isCongestedNow,
    eventLoopLagMs: Math.round(lagMs),
    anchors: anchorEvidence(measurement),
  };
}

/** Every round probes the same anchors, in the same order. */
function anchorEvidence({ rounds }: Measurement): readonly AnchorEvidence[] {
  const anchors = rounds[0]?.anchors ?? [];
  return anchors.map(({ anchor }, index) => ({
    ...anchor,
    rounds: rounds.map((round) => ({
      phase: round.phase,
      tries: round.anchors[index]?.tries ?? [],
    })),
  }));
}

/** Of all results, those of the endpoints of these services. */
export function resultsOfServices(
  services: readonly Service[],
  results: ReadonlyMap<string, EndpointResult>,
): ReadonlyMap<string, EndpointResult> {
  const urls = services.flatMap(({ endpoints }) => endpoints.map(({ url }) => url));
  return new Map(
    urls.flatMap((url) => {
      const result = results.get(url);
      return result === undefined ? [] : [[url, result] as const];
    }),
  );
}
