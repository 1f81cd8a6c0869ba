/**
 * The one place where the simulation meets the program: what a run does with the shipped functions. It follows
 * `src/look.ts` and `src/run.ts`, with the world's clock in place of the machine's.
 */
import { isCongested, responseStats, slowThresholdMs } from "../../src/history/stats.ts";
import { fold } from "../../src/history/fold.ts";
import { lastState } from "../../src/history/track.ts";
import type { Catalogue } from "../../src/model/catalogue.ts";
import { FINE } from "../../src/model/connectivity.ts";
import { EMPTY_HISTORY, type History } from "../../src/model/history.ts";
import type { EndpointResult, Outcome } from "../../src/model/outcome.ts";
import { NO_REPORTS } from "../../src/model/reports.ts";
import { SECOND_MS } from "../../src/model/time.ts";
import type { Verdict } from "../../src/model/verdict.ts";
import { type AnchorOutcome, judgeAnchors, probeAnchors } from "../../src/probe/anchors.ts";
import { type Background, measureEndpoint } from "../../src/probe/confirm.ts";
import { decide } from "../../src/verdict/decide.ts";
import { signalsOf } from "../../src/verdict/signals.ts";
import type { Cast, Site } from "./sites.ts";
import type { World } from "./world.ts";

/** As `--confirm` is by default. */
const CONFIRM_MS: readonly number[] = [20, 60, 100].map((seconds) => seconds * SECOND_MS);
/** As `--concurrency` is by default. */
const AT_ONCE = 64;
/** Less than this is never slow, so that no median has to be found: the least that `slowThresholdMs` gives. */
const NEVER_SLOW_MS = 2_000;
/** Time between two rows of first probes: what one takes on average. */
const ROW_MS = 250;
/** From the last answer to the documents in the store. */
const PUBLISH_MS = 2 * SECOND_MS;

/** Told of each publish: when it can be read, and what it says of the service at a place of the catalogue. */
export type OnPublish = (atMs: number, verdictOf: (subject: number) => Verdict) => void;

export interface Runner {
  /** One run. `onPublish` is called for each of its publishes, in their order. */
  readonly run: (startMs: number, onPublish: OnPublish) => Promise<void>;
  /** Milliseconds of this machine that folding has taken so far. */
  readonly foldingMs: () => number;
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
  const never = new AbortController().signal;
  const sites = cast.sites.filter(({ service }) => service >= 0);

  const measure = createMeasure(world, () => history);

  function probeAllAnchors(atMs: number): Promise<readonly AnchorOutcome[]> {
    const probe = ({ url }: { readonly url: string }): Promise<Outcome> => {
      const site = cast.anchors.get(url);
      if (site === undefined) throw new RangeError(`no anchor ${url}`);
      return Promise.resolve(world.probe(site, atMs));
    };
    return probeAnchors(catalogue.anchors, probe, (_, task) => task(), never);
  }

  async function run(startMs: number, onPublish: OnPublish): Promise<void> {
    const before = await probeAllAnchors(startMs);
    const tell = (atMs: number): void => {
      onPublish(atMs, (subject) => verdictOf(subject, startMs, atMs));
    };
    const first = judgeAnchors(before);
    if (first.isOffline) return tell(startMs + PUBLISH_MS);
    const results = new Map<string, EndpointResult>();
    let endMs = startMs;
    for (const site of sites) {
      const { result, doneMs } = await measure(site, firstProbeAt(site, startMs));
      results.set(site.url, result);
      endMs = Math.max(endMs, doneMs);
    }
    const second = judgeAnchors(await probeAllAnchors(endMs));
    if (second.isOffline) return tell(endMs + PUBLISH_MS);
    const anchors = new Map(before.map(({ anchor, outcome }) => [anchor.url, outcome]));
    const congested = isCongested(history, anchors, 0);
    const connectivity = second.isForeignPathDown
      ? { ...FINE, state: "abroad-cut" as const }
      : FINE;
    const record = { atMs: startMs, isCongested: congested, connectivity, results, anchors };
    const beganMs = clock();
    history = fold(history, record, catalogue);
    foldingMs += clock() - beganMs;
    tell(endMs + PUBLISH_MS);
  }

  function verdictOf(subject: number, nowMs: number, publishMs: number): Verdict {
    const service = catalogue.services[subject];
    if (service === undefined) throw new RangeError(`no service ${subject}`);
    const record = history.services.get(service.slug);
    const isSurging = world.isSurging(subject, publishMs);
    const signals = signalsOf(service, record, { ...NO_REPORTS, isSurging }, nowMs);
    return decide(signals, record?.sinceMs ?? null).verdict;
  }

  return { run, foldingMs: () => foldingMs };
}

/** Measures one site after another, each on a clock of its own, so that they happen at once. */
function createMeasure(world: World, historyNow: () => History) {
  let site: Site | undefined;
  let clockMs = 0;
  let lastMs = 0;
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
    onWait: () => undefined,
  };

  return async function measure(
    asked: Site,
    atMs: number,
  ): Promise<{ readonly result: EndpointResult; readonly doneMs: number }> {
    site = asked;
    clockMs = atMs;
    const result = await measureEndpoint(
      backgroundOf(historyNow(), asked.url, () => lastMs),
      dependencies,
    );
    return { result, doneMs: clockMs };
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
