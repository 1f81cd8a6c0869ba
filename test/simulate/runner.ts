/**
 * The only module of the simulation that calls the program. It repeats `src/pipeline/run/measure.ts` and `src/pipeline/run/run.ts`,
 * with the simulated clock.
 */
import {
  isCongested,
  isLongFailing,
  responseStats,
  slowThresholdMs,
} from "../../src/services/history/response-baseline.ts";
import { fold } from "../../src/services/history/fold.ts";
import { isAnyDecided, lastState, SLOW_MS } from "../../src/services/history/sample-codes.ts";
import { mayRefuse, settleRefusal } from "../../src/services/history/suspicion.ts";
import type { Catalogue, Endpoint } from "../../src/model/service/catalogue.ts";
import { type Connectivity, FINE } from "../../src/model/service/connectivity.ts";
import type { AnchorPhase } from "../../src/model/service/evidence.ts";
import { EMPTY_HISTORY, type History } from "../../src/model/service/history.ts";
import type { EndpointResult, Outcome } from "../../src/model/probe-outcome.ts";
import { NO_REPORTS } from "../../src/model/service/reports.ts";
import { SECOND_MS } from "../../src/model/time.ts";
import type { Verdict } from "../../src/contract/codes/verdict.ts";
import { type AnchorRound, firstAnswers, probeAnchors } from "../../src/probe/anchors.ts";
import { type Baseline, measureEndpoint } from "../../src/probe/confirm-change.ts";
import { assessConnectivity } from "../../src/probe/assess-connectivity.ts";
import type { Pool } from "../../src/probe/pool.ts";
import { decide } from "../../src/services/verdict/decide.ts";
import { signalsOf } from "../../src/services/verdict/signals.ts";
import type { Topology, Site, Subject } from "./sites.ts";
import type { NetworkModel } from "./network-model.ts";

/** Default of `confirm`. */
export const CONFIRM_MS: readonly number[] = [20, 60, 100].map((seconds) => seconds * SECOND_MS);
export const DOUBT_MS = 160 * SECOND_MS;
/** Default of `concurrency`. */
const AT_ONCE = 64;
/** Time between two batches of first probes: the average duration of a probe. */
const ROW_MS = 250;
/** Both attempts of an anchor are concurrent; a millisecond apart, their random numbers are independent. */
const SECOND_TRY_MS = 1;
/** From the last answer to the published documents. */
export const PUBLISH_MS = 2 * SECOND_MS;

/** Called for each publish with its time and the verdict of a service by its index in the catalogue. */
export type OnPublish = (atMs: number, verdictOf: (subject: number) => Verdict) => void;

export interface Runner {
  readonly run: (startMs: number, onPublish: OnPublish) => Promise<void>;
  /** Data of the last run; of an offline one, up to its end. */
  readonly seen: () => RunData;
  /** Time that folding has taken on this machine so far. */
  readonly foldingMs: () => number;
}

/** The data of a run when it published. */
export interface RunData {
  readonly history: History;
  readonly connectivity: Connectivity;
  /** By URL. */
  readonly results: ReadonlyMap<string, EndpointResult>;
}

/** When the first probe of a site begins in a run. */
export function firstProbeAt(site: Site, startMs: number): number {
  return startMs + ROW_MS * (1 + Math.floor(site.index / AT_ONCE));
}

/** @param clock the clock of this machine, only to measure the cost of folding. */
export function createRunner(
  catalogue: Catalogue,
  topology: Topology,
  model: NetworkModel,
  clock: () => number,
): Runner {
  let history: History = EMPTY_HISTORY;
  let foldingMs = 0;
  let connectivity: Connectivity = FINE;
  let results: ReadonlyMap<string, EndpointResult> = new Map();
  const never = new AbortController().signal;
  const sites = topology.sites.filter(({ service }) => service >= 0);
  const networks = new Map(sites.map(({ url, place }) => [url, place.network]));
  const endpoints = catalogue.services.flatMap((service) => service.endpoints);
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.url, endpoint]));
  const measure = createMeasure(model, topology, endpointOf, () => history);

  function tryAnchors(phase: AnchorPhase, atMs: number): Promise<AnchorRound> {
    const probe = ({ url }: { readonly url: string }, attempt: number): Promise<Outcome> => {
      const site = topology.anchors.get(url);
      if (site === undefined) throw new RangeError(`no anchor ${url}`);
      return Promise.resolve(model.probe(site, atMs + attempt * SECOND_TRY_MS));
    };
    const pool: Pool = (_, task) => task();
    return probeAnchors(phase, catalogue.anchors, { probe, pool }, never);
  }

  function foldIn(
    startMs: number,
    rounds: readonly AnchorRound[],
    measured: ReadonlyMap<string, EndpointResult>,
  ): void {
    results = new Map(
      [...measured].map(([url, result]) => {
        const endpoint = endpointOf.get(url);
        const samples = history.endpoints.get(url) ?? "";
        const isVague = endpoint !== undefined && mayRefuse(endpoint, samples, "hosting");
        return [url, isVague ? settleRefusal(result, samples, []) : result] as const;
      }),
    );
    const [start] = rounds;
    const anchors = start === undefined ? new Map() : firstAnswers(start);
    const congested = isCongested(history, anchors, 0);
    const record = {
      atMs: startMs,
      isCongested: congested,
      connectivity,
      results,
      anchors,
      networks,
    };
    const beganMs = clock();
    history = fold(history, record, catalogue);
    foldingMs += clock() - beganMs;
  }

  async function run(startMs: number, onPublish: OnPublish): Promise<void> {
    const publishAt = (atMs: number): void => {
      onPublish(atMs + PUBLISH_MS, (subject) => verdictOf(subject, startMs, atMs + PUBLISH_MS));
    };
    const rounds = [await tryAnchors("start", startMs)];
    const isOffline = (measured: ReadonlyMap<string, EndpointResult>): boolean => {
      connectivity = assessConnectivity(rounds, { lagMs: 0, results: measured.values() });
      return connectivity.state === "offline";
    };
    results = new Map();
    if (isOffline(results)) return publishAt(startMs);
    const all = new Map<string, EndpointResult>();
    const settled = new Map<string, EndpointResult>();
    const passMs = { first: startMs, last: startMs };
    for (const { sites: own } of topology.subjects) {
      const measured: Measured[] = [];
      for (const site of own) measured.push(await measure(site, firstProbeAt(site, startMs)));
      const isSettled = measured.every(({ waited }) => !waited);
      measured.forEach(({ result, doneMs, waited }, index) => {
        const url = own[index]?.url ?? "";
        all.set(url, result);
        if (isSettled) settled.set(url, result);
        passMs.last = Math.max(passMs.last, doneMs);
        if (!waited) passMs.first = Math.max(passMs.first, doneMs);
      });
    }
    if (settled.size < all.size) {
      rounds.push(await tryAnchors("middle", passMs.first));
      if (isOffline(settled)) return publishAt(passMs.first);
      foldIn(startMs, rounds, settled);
      publishAt(passMs.first);
      for (const url of settled.keys()) all.delete(url);
    }
    rounds.push(await tryAnchors("end", passMs.last));
    if (!isOffline(new Map([...settled, ...all]))) foldIn(startMs, rounds, all);
    publishAt(passMs.last);
  }

  function verdictOf(subject: number, nowMs: number, publishMs: number): Verdict {
    const service = catalogue.services[subject];
    if (service === undefined) throw new RangeError(`no service ${subject}`);
    const record = history.services.get(service.slug);
    const isSurging = model.isSurging(subject, publishMs);
    const signals = signalsOf(service, record, { ...NO_REPORTS, isSurging }, nowMs);
    return decide(signals, record?.sinceMs ?? null);
  }

  return { run, seen: () => ({ history, connectivity, results }), foldingMs: () => foldingMs };
}

/** Whether no other endpoint of the service fails. */
export function failsAlone(
  { sites }: Subject,
  site: Site,
  model: NetworkModel,
  atMs: number,
): boolean {
  return !sites.some((one) => one !== site && model.probe(one, atMs).kind === "failed");
}

interface Measured {
  readonly result: EndpointResult;
  readonly doneMs: number;
  /** It had to be confirmed. */
  readonly waited: boolean;
}

/** Measures the sites sequentially, each on its own simulated clock, so that they are concurrent in simulated time. */
function createMeasure(
  model: NetworkModel,
  { subjects }: Topology,
  endpointOf: ReadonlyMap<string, Endpoint>,
  historyNow: () => History,
) {
  let site: Site | undefined;
  let clockMs = 0;
  let lastMs = 0;
  let waited = false;
  const isAlone = (): boolean => {
    const subject = subjects[site?.service ?? -1];
    return subject !== undefined && site !== undefined && failsAlone(subject, site, model, clockMs);
  };
  const dependencies = {
    probe: (): Promise<Outcome> => {
      if (site === undefined) throw new RangeError("no site to probe");
      const outcome = model.probe(site, clockMs);
      lastMs = outcome.kind === "skipped" ? 0 : outcome.trace.timings.totalMs;
      clockMs += lastMs;
      return Promise.resolve(outcome);
    },
    sleep: (ms: number): Promise<void> => {
      clockMs += ms;
      return Promise.resolve();
    },
    now: () => clockMs,
    delaysMs: CONFIRM_MS,
    doubt: { delayMs: DOUBT_MS, isAlone },
    onWait: () => {
      waited = true;
    },
  };

  return async function measure(asked: Site, atMs: number): Promise<Measured> {
    site = asked;
    clockMs = atMs;
    waited = false;
    const result = await measureEndpoint(
      backgroundOf(historyNow(), asked.url, endpointOf.get(asked.url), () => lastMs),
      dependencies,
    );
    return { result, doneMs: clockMs, waited };
  };
}

/** Computes the slow threshold only for an answer that could be slow, because it takes a median over seven days. */
function backgroundOf(
  history: History,
  url: string,
  endpoint: Endpoint | undefined,
  lastMs: () => number,
): Baseline {
  const samples = history.endpoints.get(url) ?? "";
  const state = lastState(samples);
  return {
    lastState: state,
    isLongFailing: state === "failing" && isLongFailing(samples, history.runs),
    get isSilenceVague() {
      return (
        endpoint !== undefined && mayRefuse(endpoint, samples, "hosting") && isAnyDecided(samples)
      );
    },
    get slowMs() {
      if (lastMs() <= SLOW_MS) return SLOW_MS;
      const { medianMs, sampleCount } = responseStats(samples, history.runs);
      return slowThresholdMs(medianMs, sampleCount);
    },
  };
}
