import { checkAll } from "./measure-monitors.ts";
import { createBaselines, createSeenAddresses, neighboursIn } from "./past.ts";
import type {
  Checks,
  MeasureDependencies,
  Measurement,
  MeasureOptions,
  MonitorTarget,
  RunningMeasurement,
} from "./measurement.ts";
import type { Service } from "../../model/service/catalogue.ts";
import type { Connectivity } from "../../model/service/connectivity.ts";
import type { RunEvent } from "../../model/run-event.ts";
import type { EndpointResult, Outcome } from "../../model/probe-outcome.ts";
import type { State } from "../../model/state.ts";
import { createSignal } from "../../model/stopping.ts";
import type { AnchorPhase } from "../../model/service/evidence.ts";
import { concludeChecks } from "../../monitors/checks/conclude.ts";
import { type AnchorRound, clockAheadOf, probeAnchors } from "../../probe/anchors.ts";
import { assessConnectivity, type Surroundings } from "../../probe/assess-connectivity.ts";
import { askForOpinion, isOpinionDue } from "../../probe/browser/second-opinion.ts";
import { createPool, type Pool } from "../../probe/pool.ts";
import type { Probe } from "../../probe/probe.ts";
import { probeServices, type SurveyDependencies } from "../../probe/probe-services.ts";
import { StateError } from "../../state/state-file.ts";
import { type Results, resultsIn } from "../publish/judge-scopes.ts";
import { describeClock, REFUSED_CLOCK_MS } from "../../store/store-clock.ts";

/** What earlier runs know of the endpoints. */
type Past = Pick<State, "history" | "evidence" | "vantages">;

interface MeasureContext {
  readonly deps: MeasureDependencies;
  readonly services: readonly Service[];
  readonly endpoints: number;
  readonly anchors: ConnectivityCheck;
  readonly deadline: AbortController;
  /** Each stops a measurement of the event loop: the first pass is assessed before the end. */
  readonly stopLag: Readonly<Record<"firstPass" | "all", () => number>>;
}

const NO_RESULTS: Surroundings = { lagMs: 0, results: [] };

type ConnectivityCheck = ReturnType<typeof createConnectivityCheck>;

/**
 * The runner's own connectivity during one run.
 *
 * @param stop ends every probe; the deadline of the run does not, because the last round comes after it.
 */
function createConnectivityCheck(
  { catalogue, probe, emit }: MeasureDependencies,
  pool: Pool,
  stop: AbortSignal,
) {
  const rounds: AnchorRound[] = [];
  return {
    /**
     * Probes every anchor, assesses all rounds so far together, and logs the assessment. After the monitors it assesses that round
     * alone: the earlier rounds are minutes old.
     */
    probe: async (phase: AnchorPhase, surroundings = () => NO_RESULTS): Promise<Connectivity> => {
      const round = await probeAnchors(phase, catalogue.anchors, { probe, pool }, stop);
      rounds.push(round);
      const assessed = phase === "monitors" ? [round] : rounds;
      const connectivity = assessConnectivity(assessed, surroundings());
      emit({ event: "anchors-probed", phase, connectivity });
      return connectivity;
    },
    rounds: (): readonly AnchorRound[] => [...rounds],
  };
}

/** A run whose clock is wrong ends before it has measured anything. Throws `StateError`. */
function refuseWrongClock({ anchors, deps, stopLag }: MeasureContext, timer: NodeJS.Timeout): void {
  const nowMs = deps.latestMs?.();
  const [start] = anchors.rounds();
  if (nowMs === undefined || start === undefined) return;
  const aheadMs = clockAheadOf(start, nowMs) ?? 0;
  if (Math.abs(aheadMs) < REFUSED_CLOCK_MS) return;
  clearTimeout(timer);
  for (const stop of Object.values(stopLag)) stop();
  const off = describeClock(aheadMs, "those of the anchors");
  throw new StateError(
    `${off}. Set the clock (NTP): what is published carries its time, so nothing was measured.`,
  );
}

/** Probes the anchors, then starts to probe the services and monitors, unless the runner is offline. */
export async function measure(
  deps: MeasureDependencies,
  options: MeasureOptions,
  services: readonly Service[],
  monitors: readonly MonitorTarget[],
  past: Past,
): Promise<RunningMeasurement> {
  const endpoints = services.reduce((sum, service) => sum + service.endpoints.length, 0);
  deps.emit({ event: "run-started", atMs: options.startMs, services: services.length, endpoints });
  const deadline = new AbortController();
  const signal = AbortSignal.any([options.stop, deadline.signal]);
  const pool = createPool({ concurrency: options.concurrency, perHost: options.perHost });
  const anchors = createConnectivityCheck(deps, pool, options.stop);
  const stopLag = { firstPass: deps.watchLag(), all: deps.watchLag() };
  const context: MeasureContext = { deps, services, endpoints, anchors, deadline, stopLag };
  const endMs = deps.now() + options.deadlineMs;
  const timer = setTimeout(() => deadline.abort("deadline"), options.deadlineMs);
  const connectivity = await anchors.probe("start");
  if (connectivity.state === "offline") {
    clearTimeout(timer);
    return measureNothing(context, connectivity);
  }
  refuseWrongClock(context, timer);
  const firstPass = trackFirstPass(endpoints, deps);
  const probed = probeServices(services, {
    ...deps,
    ...options,
    probe: firstPass.probe,
    emit: firstPass.emit,
    pool,
    signal,
    neighbours: neighboursIn(services, past.evidence),
    seenAddressOf: createSeenAddresses(past),
    backgroundOf: createBaselines(past, deps.line),
    ...askBrowserOf(deps, options, past, signal),
  });
  void firstPass.isOver.then(() => deps.onFirstPass?.(firstPass.outcomes));
  const firstEnd = endFirstPass(context, firstPass);
  // Monitors begin after the first pass, and share the time of the confirmations.
  const checked = firstEnd.then(({ offline }) =>
    offline === undefined ? checkAll(deps, monitors, signal, endMs - deps.now()) : undefined,
  );
  const remaining = endMeasurement(context, probed, firstEnd);
  const checks = Promise.all([remaining, checked]).then(([end, results]) => {
    clearTimeout(timer);
    if (end.connectivity.state === "offline") return undefined;
    return confirmOnline(deps, anchors, monitors, results, options.stop);
  });
  return { firstPass: firstEnd.then(({ measurement }) => measurement), remaining, checks };
}

/** How a run asks as a browser would; nothing if it cannot. */
function askBrowserOf(
  { browser }: MeasureDependencies,
  { startMs, confirmDelaysMs: [confirmMs] }: MeasureOptions,
  { evidence }: Past,
  signal: AbortSignal,
): Pick<SurveyDependencies, "askBrowser"> {
  if (browser === undefined) return {};
  const earlierOf = resultsIn(evidence.values());
  return {
    askBrowser: async (service, endpoint, result, wait) => {
      const question = { service, endpoint, result, earlier: earlierOf.get(endpoint.url) };
      if (!isOpinionDue(question, startMs)) return undefined;
      const deps = { ...browser, startMs, confirmMs, wait, signal };
      return askForOpinion(question, deps);
    },
  };
}

function measureNothing(
  { services, anchors, stopLag }: MeasureContext,
  connectivity: Connectivity,
): RunningMeasurement {
  stopLag.firstPass();
  const rounds = anchors.rounds();
  const measurement = { services, measured: new Map(), rounds, connectivity, lagMs: stopLag.all() };
  return {
    firstPass: Promise.resolve(undefined),
    remaining: Promise.resolve(measurement),
    checks: Promise.resolve(undefined),
  };
}

interface FirstPassEnd {
  /** Absent if all services are complete, or none. */
  readonly measurement?: Measurement;
  /** Set if the runner is offline. */
  readonly offline?: Connectivity;
}

/** If every endpoint is final after the first pass, this is the end of the run, and the anchors are not probed in the middle. */
async function endFirstPass(
  { services, endpoints, anchors, deadline, stopLag }: MeasureContext,
  firstPass: FirstPass,
): Promise<FirstPassEnd> {
  await firstPass.isOver;
  const lagMs = stopLag.firstPass();
  if (firstPass.results.size === endpoints) return {};
  const connectivity = await anchors.probe("middle", () => ({
    lagMs,
    results: firstPass.results.values(),
  }));
  if (connectivity.state === "offline") {
    // No later result of an offline runner would count.
    deadline.abort("deadline");
    return { offline: connectivity };
  }
  const measured = new Map(firstPass.results);
  const complete = services.filter(({ endpoints }) =>
    endpoints.every(({ url }) => measured.has(url)),
  );
  if (complete.length === 0 || complete.length === services.length) return {};
  const rounds = anchors.rounds();
  return { measurement: { services: complete, measured, rounds, connectivity, lagMs } };
}

async function endMeasurement(
  { deps, services, anchors, deadline, stopLag }: MeasureContext,
  probed: Promise<Results>,
  firstEnd: Promise<FirstPassEnd>,
): Promise<Measurement> {
  const measured = await probed;
  const first = await firstEnd;
  const lagMs = stopLag.all();
  const skipped = [...measured.values()].filter(({ outcome }) => outcome.kind === "skipped").length;
  if (deadline.signal.aborted && first.offline === undefined)
    deps.emit({ event: "deadline-reached", skipped });
  const surroundings = () => ({ lagMs, results: measured.values() });
  const connectivity = first.offline ?? (await anchors.probe("end", surroundings));
  if (connectivity.state === "offline") deadline.abort("deadline");
  const remaining = services.filter((one) => first.measurement?.services.includes(one) !== true);
  const rounds = anchors.rounds();
  return { services: remaining, measured, rounds, connectivity, lagMs };
}

/** The checks that count. They may end minutes after the services, so the anchors are probed once more. */
async function confirmOnline(
  { emit }: MeasureDependencies,
  anchors: ConnectivityCheck,
  targets: readonly MonitorTarget[],
  results: Checks,
  stop: AbortSignal,
): Promise<Checks> {
  if (results === undefined || stop.aborted) return undefined;
  const { state, unreachable } = await anchors.probe("monitors");
  if (state !== "offline") return concludeChecks(targets, results, anchors.rounds(), emit);
  emit({ event: "run-offline", unreachable });
  return undefined;
}

type FirstPass = ReturnType<typeof trackFirstPass>;

/** Follows the first pass of a run over so many endpoints: each is probed once. Confirmations come after it. */
function trackFirstPass(
  endpoints: number,
  { emit, probe }: Pick<MeasureDependencies, "emit" | "probe">,
) {
  /** Final results so far, by URL. Endpoints that are to be confirmed have none yet. */
  const results = new Map<string, EndpointResult>();
  /** The last outcome so far, by URL. */
  const outcomes = new Map<string, Outcome>();
  const probed = new Set<string>();
  const [isOver, end] = createSignal<void>();
  if (endpoints === 0) end();
  return {
    isOver,
    /** Passes events on to the log, and reads from them which endpoints were probed. */
    emit: (event: RunEvent): void => {
      emit(event);
      if (event.event !== "endpoint-measured" && event.event !== "confirming") return;
      if (event.event === "endpoint-measured") results.set(event.url, event.result);
      probed.add(event.url);
      if (probed.size === endpoints) end();
    },
    /** Passes probes on, and notes their outcomes. */
    probe: async (...request: Parameters<Probe>): Promise<Outcome> => {
      const outcome = await probe(...request);
      outcomes.set(request[0].url, outcome);
      return outcome;
    },
    results,
    outcomes,
  };
}
