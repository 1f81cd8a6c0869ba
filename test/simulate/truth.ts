import { accessOf } from "../../src/model/catalogue.ts";
import type { CheckClass } from "../../src/model/history.ts";
import { FRESH_MS, MINUTE_MS, PERSISTENT_MS } from "../../src/model/time.ts";
import type { VerdictCode } from "../../src/model/verdict.ts";
import { decide } from "../../src/verdict/decide.ts";
import type { Signals } from "../../src/verdict/signals.ts";
import { failureAt, type WorldEvent } from "./events.ts";
import { FAILED } from "./outcomes.ts";
import { MIN_BASELINE_SAMPLES, slowThresholdMs } from "../../src/history/stats.ts";
import { isAuthenticatedServerError, isBlockEvidence } from "../../src/model/outcome.ts";
import type { Cast, Site, Subject } from "./sites.ts";

/** What is right to say of a service for a while. */
export interface TrueSpan {
  readonly fromMs: number;
  /** The first moment after it. */
  readonly toMs: number;
  readonly code: VerdictCode;
  readonly live: boolean;
  readonly checkClass: CheckClass;
  /** No critical endpoint can be used, whatever the runner knows of it. */
  readonly isDown: boolean;
}

/** A time in which a service was down without a break. */
export interface TrueOutage {
  readonly fromMs: number;
  readonly toMs: number;
  /** The runner could not see it: its own network was gone for a part of the time. */
  readonly isHidden: boolean;
  /** Pages of works with a 200 are all there is to see. */
  readonly isWorks: boolean;
}

/** The truth about one service. */
export interface Truth {
  /** Ascending, without a gap. */
  readonly spans: readonly TrueSpan[];
  readonly outages: readonly TrueOutage[];
}

/** Nearly every client fails: the service is down; fewer: it works for some. */
const DOWN_RATIO = 0.9;

/** The truth about each service from the genuine events, and from the times in which the runner knew nothing. */
export function findTruth(
  cast: Cast,
  events: readonly WorldEvent[],
  startMs: number,
  endMs: number,
): readonly Truth[] {
  // A step of latency is no news, but what is usual from then on decides what is slow.
  const lasting = events.filter(({ isGenuine, cause }) => isGenuine || cause === "latency-step");
  const blind = events.filter(({ cause }) => cause === "offline" || cause === "runner-stopped");
  const cuts = events.filter(({ cause }) => cause === "abroad-cut");
  const halves = events.filter(({ cause }) => cause === "half");
  const bySubject = cast.subjects.map((): WorldEvent[] => []);
  for (const event of lasting.toSorted(inOrderOfTheWorld)) {
    const met = new Set(event.sites.map((index) => cast.sites[index]?.service ?? -1));
    for (const subject of met) bySubject[subject]?.push(event);
  }
  return cast.subjects.map((subject) => {
    const own = bySubject[subject.index] ?? [];
    const hiding = subject.main.place.isAbroad ? [...blind, ...cuts] : blind;
    const critical = subject.sites.filter(({ isCritical }) => isCritical).map(({ index }) => index);
    const gone = halves.filter(({ sites }) => critical.some((index) => sites.includes(index)));
    const stale = [...hiding.filter(({ cause }) => cause !== "runner-stopped"), ...gone];
    const spans = spansOf(subject, own, stale, startMs, endMs);
    return { spans, outages: outagesOf(spans, hiding, own) };
  });
}

/** The span that holds at a time; the nearest one outside of all. */
export function spanAt({ spans }: Truth, atMs: number): TrueSpan {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((spans[middle]?.fromMs ?? 0) <= atMs) low = middle;
    else high = middle - 1;
  }
  const found = spans[low];
  if (found === undefined) throw new RangeError("a truth without spans");
  return found;
}

function spansOf(
  subject: Subject,
  events: readonly WorldEvent[],
  stale: readonly WorldEvent[],
  startMs: number,
  endMs: number,
): readonly TrueSpan[] {
  const edges = [...events, ...stale.map(afterFresh)].flatMap((event) => edgesOf(event));
  const inside = edges.filter((at) => at > startMs && at < endMs);
  const sorted = [...new Set([startMs, ...inside, endMs])].toSorted((a, b) => a - b);
  const spans: TrueSpan[] = [];
  // What was down before a part of the way was gone, and is, is no news: only failures that begin are held then. Source: docs/verdicts.md.
  let began: { readonly group: CheckClass; readonly atMs: number } | undefined;
  for (const [place, fromMs] of sorted.entries()) {
    const toMs = sorted[place + 1];
    if (toMs === undefined) break;
    const found = classAt(subject, events, fromMs);
    const group = groupOf(found.checkClass);
    if (began?.group !== group) began = { group, atMs: fromMs };
    // Only what is down or partly down grows old.
    const isAgeing = group === "failing" || group === "partial";
    const oldAtMs = isAgeing ? began.atMs + PERSISTENT_MS : toMs;
    const { atMs: beganMs } = began;
    const isKnown = (event: WorldEvent): boolean =>
      event.cause !== "offline" && group === "failing" && beganMs <= event.startMs;
    const isFresh = !stale.some((event) => isOn(afterFresh(event), fromMs) && !isKnown(event));
    const isSurging = events.some((event) => event.cause === "surge" && isOn(event, fromMs));
    const add = (from: number, to: number): void => {
      if (from >= to) return;
      const isOld = from >= oldAtMs;
      spans.push(tell(subject, found, { fromMs: from, toMs: to, isOld, isFresh, isSurging }));
    };
    const middle = Math.min(toMs, Math.max(fromMs, oldAtMs));
    add(fromMs, middle);
    add(middle, toMs);
  }
  return spans;
}

/** A run is fresh for a quarter of an hour: only then is it right to say that nothing is known. */
function afterFresh(event: WorldEvent): WorldEvent {
  return { ...event, startMs: Math.min(event.endMs, event.startMs + FRESH_MS) };
}

function edgesOf({ startMs, endMs, effect }: WorldEvent): readonly number[] {
  if (effect.kind !== "in-turn") return [startMs, endMs];
  const turns = Math.ceil((endMs - startMs) / effect.turnMs);
  return [...Array.from({ length: turns }, (_, turn) => startMs + turn * effect.turnMs), endMs];
}

function isOn({ startMs, endMs }: WorldEvent, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs;
}

interface Found {
  readonly checkClass: CheckClass;
  readonly isBlocked: boolean;
}

type DeadState = "server-error" | "failing" | "blocked";
type SiteState = "healthy" | "slow" | "denied" | "some-fail" | DeadState;

/** One critical endpoint that is dead makes the service unusable: that is what critical means. */
function classAt(subject: Subject, events: readonly WorldEvent[], atMs: number): Found {
  const on = events.filter((event) => isOn(event, atMs));
  const critical = subject.sites
    .filter(({ isCritical }) => isCritical)
    .map((site) => stateAt(site, on, atMs));
  // A side endpoint that never works is left out: it is a fact about the service, and no news.
  const news = on.filter(({ cause }) => cause !== "lasting");
  const minor = subject.sites
    .filter(({ isCritical }) => !isCritical)
    .map((site) => stateAt(site, news, atMs));
  const dead = critical.filter((state) => isDead(state));
  const isBlocked = critical.includes("blocked");
  if (dead.length > 0) {
    const isError = dead.every((state) => state === "server-error");
    return { checkClass: isError ? "server-error" : "failing", isBlocked };
  }
  if (critical.every((state) => state === "denied"))
    return { checkClass: "provider-denied", isBlocked };
  if (
    critical.includes("some-fail") ||
    minor.some((state) => state === "some-fail" || isDead(state))
  )
    return { checkClass: "partial", isBlocked };
  return { checkClass: critical.includes("slow") ? "slow" : "up", isBlocked };
}

function isDead(state: SiteState): state is DeadState {
  return state === "server-error" || state === "failing" || state === "blocked";
}

/** As the world plays them: of two events that fail at once, the one that it comes to first is seen. */
function inOrderOfTheWorld(one: WorldEvent, other: WorldEvent): number {
  return one.layer - other.layer || one.startMs - other.startMs;
}

/** What the first event does that makes a site dead; where none does, the worst that any does. */
function stateAt(site: Site, events: readonly WorldEvent[], atMs: number): SiteState {
  let worst: keyof typeof RANK = "healthy";
  const own = events.filter(({ sites }) => sites.includes(site.index));
  const thresholdMs = slowThresholdMs(usualMsOf(site, own), MIN_BASELINE_SAMPLES);
  for (const event of own) {
    const state = effectAt(event, atMs, thresholdMs);
    if (isDead(state)) return state;
    if (RANK[state] > RANK[worst]) worst = state;
  }
  return worst;
}

/** What the site takes with the steps of latency that are on; of several the largest counts, as in the world. */
function usualMsOf({ usualMs }: Site, events: readonly WorldEvent[]): number {
  const factors = events.map(({ effect }) => (effect.kind === "slower" ? effect.factor : 1));
  return usualMs * Math.max(1, ...factors);
}

const RANK: Readonly<Record<Exclude<SiteState, DeadState>, number>> = {
  healthy: 0,
  slow: 1,
  denied: 2,
  "some-fail": 3,
};

function effectAt(event: WorldEvent, atMs: number, slowAboveMs: number): SiteState {
  const { effect } = event;
  switch (effect.kind) {
    case "takes":
      return effect.ms > slowAboveMs ? "slow" : "healthy";
    case "denied":
      return "denied";
    case "page":
      return "failing";
    case "slower":
    case "none":
      return "healthy";
    case "fail":
      if (effect.ratio < DOWN_RATIO) return "some-fail";
      break;
    case "in-turn":
  }
  const failure = failureAt(event, atMs, 0);
  if (failure === undefined) return "healthy";
  const outcome = FAILED[failure];
  if (isBlockEvidence(outcome)) return "blocked";
  return isAuthenticatedServerError(outcome) ? "server-error" : "failing";
}

/** Failing and server-error are one thing with one beginning. */
function groupOf(checkClass: CheckClass): CheckClass {
  return checkClass === "server-error" ? "failing" : checkClass;
}

function tell(
  { service }: Subject,
  { checkClass, isBlocked }: Found,
  at: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly isOld: boolean;
    readonly isFresh: boolean;
    readonly isSurging: boolean;
  },
): TrueSpan {
  const isDown = checkClass === "failing" || checkClass === "server-error";
  const signals: Signals = {
    access: accessOf(service),
    hasProvider: service.annotations.some(({ kind }) => kind === "provider"),
    isBlocked,
    isSurging: at.isSurging,
    isOld: at.isOld,
    ...(at.isFresh ? { isFresh: true, checkClass } : { isFresh: false, checkClass }),
  };
  const { code, live } = decide(signals, at.fromMs).verdict;
  return { fromMs: at.fromMs, toMs: at.toMs, code, live, checkClass, isDown };
}

/** A break shorter than this is no end: two events of one service that nearly meet. */
const BREAK_MS: number = MINUTE_MS;

function outagesOf(
  spans: readonly TrueSpan[],
  hiding: readonly WorldEvent[],
  events: readonly WorldEvent[],
): readonly TrueOutage[] {
  const joined: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of spans.filter(({ isDown }) => isDown)) {
    const last = joined.at(-1);
    if (last !== undefined && fromMs - last.toMs < BREAK_MS) last.toMs = toMs;
    else joined.push({ fromMs, toMs });
  }
  return joined.map(({ fromMs, toMs }) => {
    const isIn = (event: WorldEvent): boolean => event.startMs < toMs && event.endMs > fromMs;
    const met = events.filter((event) => isIn(event) && isDead(effectAt(event, event.startMs, 0)));
    return {
      fromMs,
      toMs,
      isHidden: hiding.some(isIn),
      isWorks: met.every(({ effect }) => effect.kind === "page"),
    };
  });
}
