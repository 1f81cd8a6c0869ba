import { levelOf, indexOfLevel } from "../../src/model/response-level.ts";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import type { Expectation } from "../../src/probe/answer/classify-response.ts";
import { type Cause, failureAt, type NetworkEvent } from "./events.ts";
import { DENIED, FAILED, healthyAt, classifyPage, WALLED } from "./outcomes.ts";
import type { Page } from "./pages.ts";
import { chanceAt } from "./random.ts";
import type { Site } from "./sites.ts";

/** Adjacent response levels differ by 14 %. */
const LEVELS_PER_FOLD = 63 / Math.log(4_000);
/** Share of the answers that take twice as long as usual: a lost packet, a cold cache. */
const HICCUP_RATIO = 0.01;

const NO_RULES: Expectation = {};

/** The simulated Internet from the runner's point of view. Time only advances. */
export interface NetworkModel {
  /** Prepares for probes in [fromMs, toMs). */
  readonly advance: (fromMs: number, toMs: number) => void;
  /** The outcome of a probe that begins at the time, which must be in the interval of the last `advance`. */
  readonly probe: (site: Site, atMs: number) => Outcome;
  /** The noise nearest to the runner that affected any of the sites in the interval; undefined: none did. */
  readonly noiseOn: (sites: readonly Site[], fromMs: number, toMs: number) => Cause | undefined;
  /** All events that affected any of the sites in the interval, sorted by name. */
  readonly causesOn: (sites: readonly Site[], fromMs: number, toMs: number) => readonly Cause[];
  /** Whether an event of the cause is active at the time. */
  readonly isOn: (cause: Cause, atMs: number) => boolean;
  /** Whether users report about a service at the time. */
  readonly isSurging: (subject: number, atMs: number) => boolean;
}

/** Applies events to the sites. The same seed gives the same outcomes for any number and order of probes. */
export function createNetworkModel(
  sites: readonly Site[],
  all: readonly NetworkEvent[],
  seed: number,
): NetworkModel {
  const events = all.toSorted((a, b) => a.startMs - b.startMs);
  const onSite: NetworkEvent[][] = sites.map(() => []);
  const usual = sites.map(({ usualMs }) => indexOfLevel(levelOf(usualMs)) ?? 0);
  const classified = new Map<Page, Map<Expectation, Outcome | undefined>>();
  let running: NetworkEvent[] = [];
  let next = 0;

  function begin(event: NetworkEvent): void {
    running.push(event);
    if (event.effect.kind === "none") return;
    for (const index of event.sites) {
      const own = onSite[index];
      const place = own?.findIndex(({ layer }) => layer > event.layer) ?? -1;
      own?.splice(place === -1 ? own.length : place, 0, event);
    }
  }

  function end(event: NetworkEvent): void {
    if (event.effect.kind === "none") return;
    for (const index of event.sites) {
      const own = onSite[index];
      const place = own?.indexOf(event) ?? -1;
      if (place !== -1) own?.splice(place, 1);
    }
  }

  function advance(fromMs: number, toMs: number): void {
    for (const event of running) if (event.endMs <= fromMs) end(event);
    running = running.filter(({ endMs }) => endMs > fromMs);
    for (
      let event = events[next];
      event !== undefined && event.startMs < toMs;
      event = events[next]
    ) {
      next += 1;
      if (event.endMs > fromMs) begin(event);
    }
  }

  function healthy(site: Site, atMs: number, slower: number): Outcome {
    const jitter = chanceAt(seed, site.index, atMs, 1) + chanceAt(seed, site.index, atMs, 2) - 1;
    const hiccup = chanceAt(seed, site.index, atMs, 3) < HICCUP_RATIO ? 6 : 0;
    return healthyAt((usual[site.index] ?? 0) + slower + 3 * jitter + hiccup);
  }

  /** A healthy page meets the rules of its endpoint, so it is classified without them. */
  function classify(site: Site, page: Page, isGenuine: boolean): Outcome | undefined {
    const rules = isGenuine ? site.rules : NO_RULES;
    const known = classified.get(page) ?? new Map<Expectation, Outcome | undefined>();
    classified.set(page, known);
    if (!known.has(rules)) known.set(rules, classifyPage(page, rules));
    return known.get(rules);
  }

  function probe(site: Site, atMs: number): Outcome {
    const own = onSite[site.index];
    if (own === undefined || own.length === 0) return healthy(site, atMs, 0);
    let slower = 0;
    let isDenied = false;
    let takesMs = 0;
    for (const event of own) {
      if (event.startMs > atMs || event.endMs <= atMs) continue;
      const failure = failureAt(event, atMs, chanceAt(seed, site.index, atMs, event.startMs));
      if (failure !== undefined) return FAILED[failure];
      const { effect } = event;
      if (effect.kind === "page") {
        const outcome = classify(site, effect.page, event.isGenuine);
        if (outcome !== undefined) return outcome;
      }
      if (effect.kind === "wall") return WALLED;
      if (effect.kind === "denied") isDenied = true;
      if (effect.kind === "slower")
        slower = Math.max(slower, LEVELS_PER_FOLD * Math.log(effect.factor));
      if (effect.kind === "takes") takesMs = effect.ms;
    }
    if (isDenied) return DENIED;
    if (takesMs > 0) return healthyAt(LEVELS_PER_FOLD * Math.log(takesMs / 5));
    return healthy(site, atMs, slower);
  }

  const isIn = (event: NetworkEvent, fromMs: number, toMs: number): boolean => {
    return event.startMs <= toMs && event.endMs > fromMs;
  };

  return {
    advance,
    probe,
    noiseOn(asked, fromMs, toMs) {
      let found: NetworkEvent | undefined;
      for (const { index } of asked) {
        for (const event of onSite[index] ?? []) {
          const isNoise = !event.isGenuine && isIn(event, fromMs, toMs);
          if (isNoise && rankOf(event) < rankOf(found)) found = event;
        }
      }
      return found?.cause;
    },
    causesOn(asked, fromMs, toMs) {
      const on = asked.flatMap(({ index }) => onSite[index] ?? []);
      const met = on.filter((event) => isIn(event, fromMs, toMs)).map(({ cause }) => cause);
      return [...new Set(met)].toSorted();
    },
    isOn: (cause, atMs) =>
      running.some((event) => event.cause === cause && isIn(event, atMs, atMs)),
    isSurging: (subject, atMs) =>
      running.some((event) => event.subjects.includes(subject) && isIn(event, atMs, atMs)),
  };
}

/** A failure explains a false outage better than slowness. */
function rankOf(event: NetworkEvent | undefined): number {
  if (event === undefined) return Number.POSITIVE_INFINITY;
  return event.layer + (event.effect.kind === "fail" ? 0 : 10);
}
