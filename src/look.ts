import { EventEmitter, once, setMaxListeners } from "node:events";
import { responseStats, slowThresholdMs } from "./history/stats.ts";
import { lastState } from "./history/track.ts";
import { openWay, type Way, type WayDependencies } from "./look-anchors.ts";
import {
  believe,
  checkAll,
  type CheckDependencies,
  type Checks,
  type CheckTarget,
} from "./look-monitors.ts";
import type { Service } from "./model/catalogue.ts";
import type { Connectivity } from "./model/connectivity.ts";
import type { Emit } from "./model/event.ts";
import type { History } from "./model/history.ts";
import type { EndpointResult } from "./model/outcome.ts";
import type { AnchorRound } from "./probe/anchors.ts";
import type { Background } from "./probe/confirm.ts";
import { createPool, type Pool } from "./probe/pool.ts";
import { survey } from "./probe/survey.ts";

/** What is to be looked at in one run. */
export interface Sights {
  readonly services: readonly Service[];
  readonly targets: readonly CheckTarget[];
}

/** The name of the network that carries the traffic of an address. */
export type NetworkOf = (address: string) => string;

/** What looking touches that is not a value: network and clocks. */
export interface LookDependencies extends WayDependencies, CheckDependencies {
  readonly networkOf: NetworkOf;
  /** Ends early, without an error, when the signal comes. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Starts to watch the event loop; the function it returns tells how late the loop typically was, milliseconds, and ends the watch. */
  readonly watchLag: () => () => number;
}

export interface LookOptions {
  /** Time of the run, milliseconds since the epoch. */
  readonly startMs: number;
  readonly concurrency: number;
  readonly perHost: number;
  readonly confirmDelaysMs: readonly number[];
  /** When a failure of a service that is in doubt is tried once more, after the first try. Absent: never. */
  readonly doubtDelayMs?: number;
  /** The whole run must have probed by then; what is not reached is skipped. */
  readonly deadlineMs: number;
  /** Ends the probing; what was published stands. */
  readonly stop: AbortSignal;
}

/** What a run saw of some services, before anything is concluded from it. */
export interface Sighting {
  readonly services: readonly Service[];
  /** Of the endpoints of these services, by URL. */
  readonly results: ReadonlyMap<string, EndpointResult>;
  /** Of all endpoints that the run has measured so far, those of other services too. */
  readonly measured: ReadonlyMap<string, EndpointResult>;
  /** Of the anchors, so far. */
  readonly rounds: readonly AnchorRound[];
  /** `offline`: nothing of this counts. */
  readonly connectivity: Connectivity;
  readonly lagMs: number;
}

/** A run that is looking. None of its promises rejects. */
export interface Look {
  /**
   * Services of which everything is known when each endpoint was probed once; undefined where nothing else is waited for, or nothing of
   * this counts.
   */
  readonly settled: Promise<Sighting | undefined>;
  /** All services that are not in `settled`, when the last of them is confirmed. */
  readonly rest: Promise<Sighting>;
  /**
   * Of the monitors, by id; undefined when none was to be checked, or the runner was offline by then. They may take minutes
   * more than the services, which must not wait for them.
   */
  readonly checks: Promise<Checks>;
}

/** Tries the anchors, and begins with the services and monitors; gives up at once when the runner is offline. */
export async function look(
  deps: LookDependencies,
  options: LookOptions,
  { services, targets }: Sights,
  history: History,
): Promise<Look> {
  const endpoints = services.reduce((sum, service) => sum + service.endpoints.length, 0);
  deps.emit({ event: "run-started", atMs: options.startMs, services: services.length, endpoints });
  const deadline = new AbortController();
  const signal = AbortSignal.any([options.stop, deadline.signal]);
  // Hundreds of probes listen to the same two signals: that is no leak.
  setMaxListeners(0, options.stop, signal);
  const pool = createPool({ concurrency: options.concurrency, perHost: options.perHost });
  const way = openWay(deps, pool, options.stop);
  // Two, as the first pass is judged before the end.
  const lags = { early: deps.watchLag(), late: deps.watchLag() };
  const timer = setTimeout(() => deadline.abort("deadline"), options.deadlineMs);
  const found = await way.look("start", () => ({ lagMs: 0, results: [] }));
  if (found.state === "offline") {
    clearTimeout(timer);
    lags.early();
    const nothing = { results: new Map(), measured: new Map() };
    const seen = { services, ...nothing, rounds: way.rounds(), connectivity: found };
    const rest = Promise.resolve({ ...seen, lagMs: lags.late() });
    return { settled: NOTHING, rest, checks: NOTHING };
  }
  const firstPass = watchFirstPass(endpoints, deps.emit);
  const surveyed = surveyAll(deps, options, services, { history, pool, signal }, firstPass.emit);
  const looking: Looking = { deps, services, endpoints, way, deadline, lags, firstPass };
  const early = lookEarly(looking);
  const checked = early.then(({ isOffline }) =>
    isOffline ? undefined : checkAll(deps, targets, signal),
  );
  const rest = lookToEnd(looking, surveyed, early);
  const checks = Promise.all([rest, checked]).then(([{ connectivity }, verdicts]) => {
    clearTimeout(timer);
    if (connectivity.state === "offline") return undefined;
    return believe(deps, way, targets, verdicts, options.stop);
  });
  return { settled: early.then(({ settled }) => settled), rest, checks };
}

const NOTHING = Promise.resolve(undefined);

interface Looking {
  readonly deps: LookDependencies;
  readonly services: readonly Service[];
  readonly endpoints: number;
  readonly way: Way;
  readonly deadline: AbortController;
  readonly lags: Readonly<Record<"early" | "late", () => number>>;
  readonly firstPass: FirstPass;
}

interface Early {
  readonly isOffline: boolean;
  readonly settled?: Sighting | undefined;
  /** Of an early end. */
  readonly connectivity?: Connectivity;
}

/** What is known when each endpoint was probed once. Where that is everything, the end has come and there is no middle. */
async function lookEarly(looking: Looking): Promise<Early> {
  const { services, endpoints, way, deadline, lags, firstPass } = looking;
  await firstPass.isOver;
  const lagMs = lags.early();
  if (firstPass.results.size === endpoints) return { isOffline: false };
  const connectivity = await way.look("middle", () => ({
    lagMs,
    results: firstPass.results.values(),
  }));
  if (connectivity.state === "offline") {
    // Nothing that is still to come from an offline runner would count.
    deadline.abort("deadline");
    return { isOffline: true, connectivity };
  }
  const results = new Map(firstPass.results);
  const isKnown = (service: Service): boolean =>
    service.endpoints.every(({ url }) => results.has(url));
  const known = services.filter(isKnown);
  if (known.length === 0 || known.length === services.length) return { isOffline: false };
  const seen = { services: known, results: resultsOf(known, results), rounds: way.rounds() };
  return { isOffline: false, settled: { ...seen, measured: results, connectivity, lagMs } };
}

async function lookToEnd(
  { deps, services, way, deadline, lags }: Looking,
  surveyed: Promise<ReadonlyMap<string, EndpointResult>>,
  earlier: Promise<Early>,
): Promise<Sighting> {
  const results = await surveyed;
  const early = await earlier;
  const lagMs = lags.late();
  const skipped = [...results.values()].filter(({ outcome }) => outcome.kind === "skipped").length;
  if (deadline.signal.aborted && !early.isOffline)
    deps.emit({ event: "deadline-reached", skipped });
  const surroundings = () => ({ lagMs, results: results.values() });
  const connectivity = early.connectivity ?? (await way.look("end", surroundings));
  if (connectivity.state === "offline") deadline.abort("deadline");
  const left = services.filter((service) => early.settled?.services.includes(service) !== true);
  const seen = { services: left, results: resultsOf(left, results), rounds: way.rounds() };
  return { ...seen, measured: results, connectivity, lagMs };
}

function resultsOf(
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

function surveyAll(
  deps: LookDependencies,
  { confirmDelaysMs, doubtDelayMs }: LookOptions,
  services: readonly Service[],
  { history, pool, signal }: { history: History; pool: Pool; signal: AbortSignal },
  emit: Emit,
): Promise<ReadonlyMap<string, EndpointResult>> {
  return survey(services, {
    probe: deps.probe,
    pool,
    backgroundOf: rememberBackgrounds(history),
    confirmDelaysMs,
    ...(doubtDelayMs === undefined ? {} : { doubtDelayMs }),
    signal,
    sleep: deps.sleep,
    now: deps.now,
    emit,
  });
}

type FirstPass = ReturnType<typeof watchFirstPass>;

/**
 * Services first: monitors begin when each endpoint was probed once, and share the time of the confirmations.
 */
function watchFirstPass(endpoints: number, emit: Emit) {
  const results = new Map<string, EndpointResult>();
  const seen = new Set<string>();
  const over = new EventEmitter();
  const isOver = endpoints === 0 ? Promise.resolve() : once(over, "over");
  const watch: Emit = (event) => {
    emit(event);
    if (event.event !== "endpoint-measured" && event.event !== "confirming") return;
    if (event.event === "endpoint-measured") results.set(event.url, event.result);
    seen.add(event.url);
    if (seen.size === endpoints) over.emit("over");
  };
  return { isOver, emit: watch, results };
}

/** A seven-day median takes thousands of steps, so each is computed once. */
function rememberBackgrounds(history: History): (url: string) => Background {
  const known = new Map<string, Background>();
  return (url) => {
    const background = known.get(url) ?? backgroundOf(history, url);
    known.set(url, background);
    return background;
  };
}

function backgroundOf(history: History, url: string): Background {
  const track = history.endpoints.get(url) ?? "";
  const { medianMs, samples } = responseStats(track, history.runs);
  return { lastState: lastState(track), slowMs: slowThresholdMs(medianMs, samples) };
}
