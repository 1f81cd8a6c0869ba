import type { Service } from "../../model/service/catalogue.ts";
import type { Connectivity } from "../../model/service/connectivity.ts";
import type { EndpointResult, Outcome } from "../../model/probe-outcome.ts";
import type { Line } from "../../model/service/vantage.ts";
import type { RunExperiment } from "../../probe/experiment.ts";
import type { AnchorRound } from "../../probe/anchors.ts";
import type { ConnectivityDependencies } from "./measure-anchors.ts";
import type { CheckDependencies, Checks, MonitorTarget } from "./measure-monitors.ts";

/** What one run measures. */
export interface MeasureTargets {
  readonly services: readonly Service[];
  readonly monitors: readonly MonitorTarget[];
}

/** The name of the network that carries the traffic of an address. */
export type NetworkNameOf = (address: string) => string;

/** The network and the clocks that measuring uses. */
export interface MeasureDependencies extends ConnectivityDependencies, CheckDependencies {
  readonly networkOf: NetworkNameOf;
  /** The runner's own. */
  readonly line: Line;
  /** The wall clock. Absent: the command was given a time. */
  readonly latestMs?: () => number;
  /** Compares failures with other connections. Absent: no experiments. */
  readonly experiment?: RunExperiment;
  /** Called with the last outcome of each endpoint, by URL, as soon as each was probed once. Must not throw. */
  readonly onFirstPass?: (outcomes: ReadonlyMap<string, Outcome>) => void;
  /** Ends early, without an error, when the signal is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Starts to measure the delay of the event loop; the returned function stops and gives the typical delay, milliseconds. */
  readonly watchLag: () => () => number;
}

export interface MeasureOptions {
  /** Time of the run, milliseconds since the epoch. */
  readonly startMs: number;
  readonly concurrency: number;
  readonly perHost: number;
  readonly confirmDelaysMs: readonly number[];
  /** Delay after the first try of one more try, for a failure of a service that is in doubt. Absent: no such try. */
  readonly doubtDelayMs?: number;
  /** Probes that have not ended so many milliseconds after the measurement began are skipped. */
  readonly deadlineMs: number;
  /** Ends the probing; generations that were published stay. */
  readonly stop: AbortSignal;
}

/** The results of a run for some of its services, before they are folded. */
export interface Measurement {
  readonly services: readonly Service[];
  /** Of the endpoints of these services, by URL. */
  readonly results: ReadonlyMap<string, EndpointResult>;
  /** Of all endpoints that the run has measured so far, including those of other services. */
  readonly measured: ReadonlyMap<string, EndpointResult>;
  /** Probes of the anchors so far. */
  readonly rounds: readonly AnchorRound[];
  /** `offline`: none of these results counts. */
  readonly connectivity: Connectivity;
  readonly lagMs: number;
}

/** A run that is measuring. None of its promises rejects. */
export interface RunningMeasurement {
  /**
   * Services whose results are final after the first pass, in which each endpoint is probed once. Undefined if these are all
   * services or none, or if the runner is offline.
   */
  readonly firstPass: Promise<Measurement | undefined>;
  /** All services that are not in `firstPass`, after the last confirmation. */
  readonly remaining: Promise<Measurement>;
  /**
   * Results of the monitors, by id; undefined if none was to be checked, or the runner was offline at the end. They may take
   * minutes longer than the services, which do not wait for them.
   */
  readonly checks: Promise<Checks>;
}
