import { EventEmitter, once, setMaxListeners } from "node:events";
import { isCongested, responseStats, slowThresholdMs } from "./history/stats.ts";
import { lastState } from "./history/track.ts";
import { concludeChecks } from "./checks/conclude.ts";
import type { Catalogue, Service } from "./model/catalogue.ts";
import type { Emit } from "./model/event.ts";
import type { AnchorEvidence, RunEvidence, ServiceEvidence } from "./model/evidence.ts";
import type { History } from "./model/history.ts";
import type { CheckVerdict, Monitor, MonitorWarning } from "./model/monitor.ts";
import type { EndpointResult } from "./model/outcome.ts";
import { SECOND_MS } from "./model/time.ts";
import {
  judgeAnchors,
  probeAnchors,
  type AnchorOutcome,
  type AnchorReport,
} from "./probe/anchors.ts";
import type { Background } from "./probe/confirm.ts";
import { createPool, type Pool } from "./probe/pool.ts";
import type { Probe } from "./probe/probe.ts";
import { survey } from "./probe/survey.ts";

/** A monitor, and what its record says of it before this run. */
export type CheckTarget = Monitor & {
  /** What the last run that decided it found. */
  readonly lastState: "healthy" | "failing" | "unknown";
  /** It was healthy once, as far as its record remembers. */
  readonly wasHealthy: boolean;
  /** Of its last healthy check. */
  readonly warning?: MonitorWarning;
};

/** What is to be looked at in one run. */
export interface Sights {
  readonly services: readonly Service[];
  readonly targets: readonly CheckTarget[];
}

/** Checks monitors, apart from the services. Never rejects. What is not done when the signal comes is skipped. */
export type CheckMonitors = (
  targets: readonly CheckTarget[],
  signal: AbortSignal,
  told: {
    readonly onProgress: (done: number) => void;
    /** A sentence about what went wrong with the checking itself. */
    readonly onWarning: (message: string) => void;
  },
) => Promise<ReadonlyMap<string, CheckVerdict>>;

/** What looking touches that is not a value: network and clocks. */
export interface LookDependencies {
  readonly checkMonitors: CheckMonitors;
  readonly catalogue: Catalogue;
  readonly probe: Probe;
  readonly emit: Emit;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Starts to watch the event loop; the function it returns tells how late the loop typically was, milliseconds. */
  readonly watchLag: () => () => number;
}

export interface LookOptions {
  /** Time of the run, milliseconds since the epoch. */
  readonly startMs: number;
  readonly concurrency: number;
  readonly perHost: number;
  readonly confirmDelaysMs: readonly number[];
  /** The whole run must have probed by then; what is not reached is skipped. */
  readonly deadlineMs: number;
  /** Ends the probing; what was published stands. */
  readonly stop: AbortSignal;
}

/** What one run saw, before anything is concluded from it. */
export interface Sighting {
  readonly results: ReadonlyMap<string, EndpointResult>;
  readonly before: readonly AnchorOutcome[];
  readonly after: readonly AnchorOutcome[];
  readonly isOffline: boolean;
  readonly domesticFailing: readonly string[];
  readonly isForeignPathDown: boolean;
  readonly lagMs: number;
  /**
   * Of the monitors, by id; undefined when none was to be checked, or the runner was offline by then. They may take minutes
   * more than the services, which must not wait for them. Never rejects.
   */
  readonly checks: Promise<ReadonlyMap<string, CheckVerdict> | undefined>;
}

/** Probes the anchors, the services, and the anchors again; gives up at once when the runner is offline. */
export async function look(
  deps: LookDependencies,
  options: LookOptions,
  { services, targets }: Sights,
  history: History,
): Promise<Sighting> {
  const endpoints = services.reduce((sum, service) => sum + service.endpoints.length, 0);
  deps.emit({ event: "run-started", atMs: options.startMs, services: services.length, endpoints });
  const deadline = new AbortController();
  const signal = AbortSignal.any([options.stop, deadline.signal]);
  // Hundreds of probes listen to the same two signals: that is no leak.
  setMaxListeners(0, options.stop, signal);
  const pool = createPool({ concurrency: options.concurrency, perHost: options.perHost });
  const readLag = deps.watchLag();
  const timer = setTimeout(() => deadline.abort("deadline"), options.deadlineMs);
  const before = await probeAnchors(deps.catalogue.anchors, deps.probe, pool, options.stop);
  const first = reportAnchors(deps.emit, "before", before);
  if (first.isOffline) {
    clearTimeout(timer);
    const checks = Promise.resolve(undefined);
    return { results: new Map(), before, after: [], ...first, lagMs: readLag(), checks };
  }
  const firstPass = watchFirstPass(endpoints, deps.emit);
  const verdicts = firstPass.isOver.then(() => check(deps, targets, signal));
  const surveyed = survey(services, {
    probe: deps.probe,
    pool,
    backgroundOf: rememberBackgrounds(history),
    confirmDelaysMs: options.confirmDelaysMs,
    signal,
    sleep: deps.sleep,
    now: deps.now,
    emit: firstPass.emit,
  });
  const both = Promise.all([surveyed, verdicts]).finally(() => clearTimeout(timer));
  const results = await surveyed;
  const skipped = [...results.values()].filter(({ outcome }) => outcome.kind === "skipped").length;
  if (deadline.signal.aborted) deps.emit({ event: "deadline-reached", skipped });
  const lagMs = readLag();
  const after = await probeAnchors(deps.catalogue.anchors, deps.probe, pool, options.stop);
  const report = reportAnchors(deps.emit, "after", after);
  // Nothing that is still to come from an offline runner would count.
  if (report.isOffline) deadline.abort("deadline");
  const checks = both.then(([, checked]) =>
    believe(deps, pool, options, targets, checked, [...before, ...after]),
  );
  return { results, before, after, ...report, lagMs, checks };
}

/** Checks that went on for long after the services need anchors of their own. */
async function believe(
  deps: LookDependencies,
  pool: Pool,
  { stop }: LookOptions,
  targets: readonly CheckTarget[],
  verdicts: ReadonlyMap<string, CheckVerdict> | undefined,
  earlier: readonly AnchorOutcome[],
): Promise<ReadonlyMap<string, CheckVerdict> | undefined> {
  if (verdicts === undefined || stop.aborted) return undefined;
  const anchors = await probeAnchors(deps.catalogue.anchors, deps.probe, pool, stop);
  const { isOffline, domesticFailing } = reportAnchors(deps.emit, "monitors", anchors);
  if (!isOffline) return concludeChecks(targets, verdicts, [...earlier, ...anchors], deps.emit);
  deps.emit({ event: "run-offline", domesticFailing });
  return undefined;
}

/** Thousands of verdicts a second need no line each in a log. */
const PROGRESS_EVERY_MS = SECOND_MS;

/** Services first: monitors begin when each endpoint was probed once, and share the time of the confirmations. */
function watchFirstPass(endpoints: number, emit: Emit) {
  const seen = new Set<string>();
  const over = new EventEmitter();
  const isOver = endpoints === 0 ? Promise.resolve() : once(over, "over");
  const watch: Emit = (event) => {
    emit(event);
    if (event.event !== "endpoint-measured" && event.event !== "confirming") return;
    seen.add(event.url);
    if (seen.size === endpoints) over.emit("over");
  };
  return { isOver, emit: watch };
}

async function check(
  { checkMonitors, emit, now }: LookDependencies,
  targets: readonly CheckTarget[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, CheckVerdict> | undefined> {
  if (targets.length === 0) return undefined;
  const startedMs = now();
  const total = targets.length;
  let toldMs = startedMs;
  emit({ event: "monitors-started", monitors: total });
  const verdicts = await checkMonitors(targets, signal, {
    onProgress: (done) => {
      if (done < total && now() - toldMs < PROGRESS_EVERY_MS) return;
      toldMs = now();
      emit({ event: "monitors-checked", done, total });
    },
    onWarning: (message) => emit({ event: "monitors-disturbed", message }),
  });
  emit({
    event: "monitors-finished",
    ...countVerdicts(verdicts),
    durationMs: Math.round(now() - startedMs),
  });
  return verdicts;
}

function reportAnchors(
  emit: Emit,
  phase: "before" | "after" | "monitors",
  outcomes: readonly AnchorOutcome[],
): AnchorReport {
  const report = judgeAnchors(outcomes);
  const { domesticFailing, foreignFailing } = report;
  emit({ event: "anchors-probed", phase, domesticFailing, foreignFailing });
  return report;
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

/** Whether response times of this run mean nothing. */
export function isCongestedRun(history: History, seen: Sighting): boolean {
  return isCongested(
    history,
    new Map(seen.before.map(({ anchor, outcome }) => [anchor.url, outcome])),
    seen.lagMs,
  );
}

/** What the run saw of one service. */
export function serviceEvidence(
  service: Service,
  seen: Sighting,
  runAtMs: number,
): ServiceEvidence {
  const endpoints = service.endpoints.flatMap(({ url }) => {
    const result = seen.results.get(url);
    return result === undefined ? [] : [{ url, result }];
  });
  return { runAtMs, endpoints };
}

/** What the run saw of the runner itself. */
export function runEvidence(
  seen: Sighting,
  startedAtMs: number,
  durationMs: number,
  isCongestedNow: boolean,
): RunEvidence {
  const after = new Map(seen.after.map(({ anchor, outcome }) => [anchor.url, outcome]));
  const anchors = seen.before.map(({ anchor, outcome }): AnchorEvidence => {
    const later = after.get(anchor.url);
    return {
      url: anchor.url,
      scope: anchor.scope,
      before: outcome,
      ...(later === undefined ? {} : { after: later }),
    };
  });
  return {
    startedAtMs,
    durationMs,
    validity: seen.isOffline ? "offline" : "valid",
    isForeignPathDown: seen.isForeignPathDown,
    isCongested: isCongestedNow,
    eventLoopLagMs: Math.round(seen.lagMs),
    anchors,
  };
}

/** How many monitors ended in each way. */
export function countVerdicts(
  verdicts: ReadonlyMap<string, CheckVerdict>,
): Readonly<Record<CheckVerdict["kind"], number>> {
  const counts = { healthy: 0, failing: 0, refused: 0, skipped: 0 };
  for (const { kind } of verdicts.values()) counts[kind] += 1;
  return counts;
}
