/**
 * The one place where the simulation meets the program: what a run does with the shipped functions. It follows
 * `src/look.ts` and `src/run.ts`, with the world's clock in place of the machine's.
 */
import { isCongested, responseStats, slowThresholdMs } from "../../src/history/stats.ts";
import { fold } from "../../src/history/fold.ts";
import { lastState } from "../../src/history/track.ts";
import type { Catalogue } from "../../src/model/catalogue.ts";
import { type Connectivity, FINE } from "../../src/model/connectivity.ts";
import type { AnchorPhase } from "../../src/model/evidence.ts";
import { EMPTY_HISTORY, type History } from "../../src/model/history.ts";
import type { EndpointResult, Outcome } from "../../src/model/outcome.ts";
import { NO_REPORTS } from "../../src/model/reports.ts";
import { SECOND_MS } from "../../src/model/time.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { type AnchorRound, firstAnswers, probeAnchors } from "../../src/probe/anchors.ts";
import { type Background, measureEndpoint } from "../../src/probe/confirm.ts";
import { assessConnectivity } from "../../src/probe/connectivity.ts";
import type { Pool } from "../../src/probe/pool.ts";
import { decide } from "../../src/verdict/decide.ts";
import { signalsOf } from "../../src/verdict/signals.ts";
import type { Cast, Site, Subject } from "./sites.ts";
import type { World } from "./world.ts";

/** As `--confirm` is by default. */
export const CONFIRM_MS: readonly number[] = [20, 60, 100].map((seconds) => seconds * SECOND_MS);
export const DOUBT_MS = 160 * SECOND_MS;
/** As `--concurrency` is by default. */
const AT_ONCE = 64;
/** Less than this is never slow, so that no median has to be found: the least that `slowThresholdMs` gives. */
const NEVER_SLOW_MS = 2_000;
/** Time between two rows of first probes: what one takes on average. */
const ROW_MS = 250;
/** Both tries of an anchor are made at once; a millisecond apart they are two throws of the dice. */
const SECOND_TRY_MS = 1;
/** From the last answer to the documents in the store. */
export const PUBLISH_MS = 2 * SECOND_MS;

/** Told of each publish: when it can be read, and what it says of the service at a place of the catalogue. */
export type OnPublish = (atMs: number, verdictOf: (subject: number) => Verdict) => void;

export interface Runner {
  /** One run. `onPublish` is called for each of its publishes, in their order. */
  readonly run: (startMs: number, onPublish: OnPublish) => Promise<void>;
  /** What the last run knew: of an offline one, what it saw before it gave up. */
  readonly seen: () => Seen;
  /** Milliseconds of this machine that folding has taken so far. */
  readonly foldingMs: () => number;
}

/** What a run knew when it published. */
export interface Seen {
  readonly history: History;
  readonly connectivity: Connectivity;
  /** By URL. */
  readonly results: ReadonlyMap<string, EndpointResult>;
}

/** When the first probe of a site begins in a run. */
export function firstProbeAt(site: Site, startMs: number): number {
  return startMs + ROW_MS * (1 + Math.floor(site.index / AT_ONCE));
}

/** @param clock of this machine, only to tell what folding costs. */
export function createRunner(
  catalogue: Catalogue,
  cast: Cast,
  world: World,
  clock: () => number,
): Runner {
  let history: History = EMPTY_HISTORY;
  let foldingMs = 0;
  let connectivity: Connectivity = FINE;
  let results: ReadonlyMap<string, EndpointResult> = new Map();
  const never = new AbortController().signal;
  const sites = cast.sites.filter(({ service }) => service >= 0);
  const networks = new Map(sites.map(({ url, place }) => [url, place.network]));
  const measure = createMeasure(world, cast, () => history);

  function tryAnchors(phase: AnchorPhase, atMs: number): Promise<AnchorRound> {
    const probe = ({ url }: { readonly url: string }, attempt: number): Promise<Outcome> => {
      const site = cast.anchors.get(url);
      if (site === undefined) throw new RangeError(`no anchor ${url}`);
      return Promise.resolve(world.probe(site, atMs + attempt * SECOND_TRY_MS));
    };
    const pool: Pool = (_, task) => task();
    return probeAnchors(phase, catalogue.anchors, { probe, pool }, never);
  }

  function foldIn(
    startMs: number,
    rounds: readonly AnchorRound[],
    measured: ReadonlyMap<string, EndpointResult>,
  ): void {
    results = measured;
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
    const tell = (atMs: number): void => {
      onPublish(atMs + PUBLISH_MS, (subject) => verdictOf(subject, startMs, atMs + PUBLISH_MS));
    };
    const rounds = [await tryAnchors("start", startMs)];
    const isOffline = (measured: ReadonlyMap<string, EndpointResult>): boolean => {
      connectivity = assessConnectivity(rounds, { lagMs: 0, results: measured.values() });
      return connectivity.state === "offline";
    };
    results = new Map();
    if (isOffline(results)) return tell(startMs);
    const all = new Map<string, EndpointResult>();
    const settled = new Map<string, EndpointResult>();
    const passMs = { first: startMs, last: startMs };
    for (const { sites: own } of cast.subjects) {
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
      if (isOffline(settled)) return tell(passMs.first);
      foldIn(startMs, rounds, settled);
      tell(passMs.first);
      for (const url of settled.keys()) all.delete(url);
    }
    rounds.push(await tryAnchors("end", passMs.last));
    if (!isOffline(new Map([...settled, ...all]))) foldIn(startMs, rounds, all);
    tell(passMs.last);
  }

  function verdictOf(subject: number, nowMs: number, publishMs: number): Verdict {
    const service = catalogue.services[subject];
    if (service === undefined) throw new RangeError(`no service ${subject}`);
    const record = history.services.get(service.slug);
    const isSurging = world.isSurging(subject, publishMs);
    const signals = signalsOf(service, record, { ...NO_REPORTS, isSurging }, nowMs);
    return decide(signals, record?.sinceMs ?? null).verdict;
  }

  return { run, seen: () => ({ history, connectivity, results }), foldingMs: () => foldingMs };
}

/** Whether no other endpoint of the service fails with its only critical one. */
export function failsAlone({ sites, main }: Subject, world: World, atMs: number): boolean {
  const isSole = sites.filter(({ isCritical }) => isCritical).length === 1;
  return isSole && !sites.some((one) => one !== main && world.probe(one, atMs).kind === "failed");
}

interface Measured {
  readonly result: EndpointResult;
  readonly doneMs: number;
  /** It had to be confirmed. */
  readonly waited: boolean;
}

/** Measures one site after another, each on a clock of its own, so that they happen at once. */
function createMeasure(world: World, { subjects }: Cast, historyNow: () => History) {
  let site: Site | undefined;
  let clockMs = 0;
  let lastMs = 0;
  let waited = false;
  const isAlone = (): boolean => {
    const subject = subjects[site?.service ?? -1];
    return subject?.main === site && subject !== undefined && failsAlone(subject, world, clockMs);
  };
  const dependencies = {
    probe: (): Promise<Outcome> => {
      if (site === undefined) throw new RangeError("no site to probe");
      const outcome = world.probe(site, clockMs);
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
      backgroundOf(historyNow(), asked.url, () => lastMs),
      dependencies,
    );
    return { result, doneMs: clockMs, waited };
  };
}

/** The threshold of slowness is looked up only for an answer that could be slow: it takes a median over seven days. */
function backgroundOf(history: History, url: string, lastMs: () => number): Background {
  const track = history.endpoints.get(url) ?? "";
  return {
    lastState: lastState(track),
    get slowMs() {
      if (lastMs() <= NEVER_SLOW_MS) return NEVER_SLOW_MS;
      const { medianMs, samples } = responseStats(track, history.runs);
      return slowThresholdMs(medianMs, samples);
    },
  };
}
