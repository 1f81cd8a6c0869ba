import type { Line } from "../../model/service/choices.ts";
import type { Connectivity } from "../../model/service/connectivity.ts";
import type { EndpointResult, Outcome } from "../../model/probe-outcome.ts";
import type { OpinionDependencies } from "../../probe/browser/second-opinion.ts";
import { type AnchorRound, firstAnswers } from "../../probe/anchors.ts";
import type { Catalogue, Endpoint, Service } from "../../model/service/catalogue.ts";
import type { CheckResult, Monitor } from "../../model/monitor/monitor.ts";
import type { CheckObserver, CheckTarget } from "../../monitors/checks/check-target.ts";
import type { KnownMonitor } from "../../monitors/checks/conclude.ts";
import type { NetworkNameOf, PublishSetup } from "../publish/publish-setup.ts";
import type { SurveyDependencies } from "../../probe/probe-services.ts";
import { isCongested } from "../../services/history/response-baseline.ts";
import type { RunEvidence, ServiceEvidence } from "../../model/service/evidence.ts";
import type { History } from "../../model/service/history.ts";

/** A monitor to check, with what its record says before this run. */
export type MonitorTarget = Monitor & KnownMonitor & Required<Pick<CheckTarget, "wasHealthy">>;

/** Checks monitors. Never rejects. A check that has not ended when the signal is aborted is skipped, which it is in `leftMs` at the latest. */
export type CheckMonitors = (
  targets: readonly MonitorTarget[],
  signal: AbortSignal,
  observer: CheckObserver,
  leftMs: number,
) => Promise<ReadonlyMap<string, CheckResult>>;

/** Check results by id; undefined: none was to be checked, or the runner was offline at the end, so that no check counts. */
export type Checks = ReadonlyMap<string, CheckResult> | undefined;

export interface MeasureDependencies
  extends
    Pick<PublishSetup, "emit" | "now" | "networkOf" | "latestMs">,
    Pick<SurveyDependencies, "probe" | "experiment" | "sleep"> {
  readonly catalogue: Catalogue;
  readonly checkMonitors: CheckMonitors;
  readonly line: Line;
  /** Asks as a browser would. Absent: only the probe is asked. */
  readonly browser?: Pick<OpinionDependencies, "ask" | "connectTo">;
  /** Called with the last outcome of each endpoint, by URL, as soon as each was probed once. Must not throw. */
  readonly onFirstPass?: (outcomes: ReadonlyMap<string, Outcome>) => void;
  /** Starts to measure the delay of the event loop; the returned function stops and gives the typical delay, milliseconds. */
  readonly watchLag: () => () => number;
}

export interface MeasureOptions extends Pick<
  SurveyDependencies,
  "confirmDelaysMs" | "doubtDelayMs"
> {
  /** Time of the run, milliseconds since the epoch. */
  readonly startMs: number;
  readonly concurrency: number;
  readonly perHost: number;
  /** Probes that have not ended so many milliseconds after the measurement began are skipped. */
  readonly deadlineMs: number;
  /** Ends the probing; generations that were published stay. */
  readonly stop: AbortSignal;
}

/** The results of a run for some of its services, before they are folded. */
export interface Measurement {
  readonly services: readonly Service[];
  /** By URL: all that the run has measured so far, including endpoints of other services. */
  readonly measured: ReadonlyMap<string, EndpointResult>;
  readonly rounds: readonly AnchorRound[];
  /** `offline`: none of these results counts. */
  readonly connectivity: Connectivity;
  readonly lagMs: number;
}

/** A run that is measuring. None of its promises rejects. */
export interface RunningMeasurement {
  /** Services that need no confirmation. Undefined if these are all services or none, or if the runner is offline. */
  readonly firstPass: Promise<Measurement | undefined>;
  /** All services that are not in `firstPass`, after the last confirmation. */
  readonly remaining: Promise<Measurement>;
  readonly checks: Promise<Checks>;
}

/** First answers of the anchors at the start, by URL: response times are compared with these. */
export function anchorAnswers({ rounds: [start] }: Measurement): ReadonlyMap<string, Outcome> {
  return start === undefined ? new Map() : firstAnswers(start);
}

/** The network of each endpoint, by URL, if the run connected to an address or tried to. */
export function networksOf({ measured }: Measurement, networkOf: NetworkNameOf) {
  return new Map(
    [...measured].flatMap(([url, { attempts }]) => {
      const [address] = attempts.flatMap((one) =>
        one.kind === "skipped" ? [] : (one.trace.address ?? []),
      );
      return address === undefined ? [] : [[url, networkOf(address)] as const];
    }),
  );
}

/** Of all results, those of these endpoints. */
export function resultsOf(
  endpoints: readonly Pick<Endpoint, "url">[],
  results: ReadonlyMap<string, EndpointResult>,
): ServiceEvidence["endpoints"] {
  return endpoints.flatMap(({ url }) => {
    const result = results.get(url);
    return result === undefined ? [] : [{ url, result }];
  });
}

/** The facts about the runner itself. If it was congested, by a comparison with the history, response times of this run are not used. */
export function runEvidence(
  measurement: Measurement,
  history: History,
  startedAtMs: number,
  durationMs: number,
): RunEvidence {
  const { connectivity, lagMs, rounds } = measurement;
  return {
    startedAtMs,
    durationMs,
    validity: connectivity.state === "offline" ? "offline" : "valid",
    connectivity,
    isCongested: isCongested(history, anchorAnswers(measurement), lagMs),
    eventLoopLagMs: Math.round(lagMs),
    // Every round probes the same anchors, in the same order.
    anchors: (rounds[0]?.anchors ?? []).map(({ anchor }, index) => ({
      ...anchor,
      rounds: rounds.map(({ phase, anchors }) => ({ phase, tries: anchors[index]?.tries ?? [] })),
    })),
  };
}

/** The results of the services of a measurement, by URL. */
export function resultsByUrl(measurement: Measurement): ReadonlyMap<string, EndpointResult> {
  const endpoints = measurement.services.flatMap((service) => service.endpoints);
  const results = resultsOf(endpoints, measurement.measured);
  return new Map(results.map(({ url, result }) => [url, result]));
}
