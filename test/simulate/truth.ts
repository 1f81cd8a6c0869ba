import { accessOf } from "../../src/model/service/catalogue.ts";
import type { CheckClass } from "../../src/model/service/history.ts";
import { DAY_MS, FRESH_MS, MINUTE_MS, PERSISTENT_MS } from "../../src/model/time.ts";
import type { VerdictCode } from "../../src/contract/codes/verdict.ts";
import { decide } from "../../src/services/verdict/decide.ts";
import type { Signals } from "../../src/services/verdict/signals.ts";
import { failureAt, type NetworkEvent } from "./events.ts";
import { FAILED } from "./outcomes.ts";
import {
  MIN_BASELINE_SAMPLES,
  slowThresholdMs,
} from "../../src/services/history/response-baseline.ts";
import { isAuthenticatedServerError, isBlockEvidence } from "../../src/model/outcome-rules.ts";
import type { Topology, Site, Subject } from "./sites.ts";

/** The correct verdict of a service in an interval. */
export interface TrueSpan {
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  readonly code: VerdictCode;
  readonly live: boolean;
  readonly checkClass: CheckClass;
  /** A critical endpoint is down, whether or not the runner can know it. */
  readonly isDown: boolean;
  /** Noise makes the usual answer so slow that both codes are right. */
  readonly isNearlySlow: boolean;
}

/** An interval in which a service was down without a break. */
export interface TrueOutage {
  readonly fromMs: number;
  readonly toMs: number;
  /** The runner could not detect it, because its own network was down for a part of the time. */
  readonly isHidden: boolean;
  /** It shows only as maintenance pages with a 200. */
  readonly isWorks: boolean;
}

/** The truth about one service. */
export interface Truth {
  /** Ascending, without gaps. */
  readonly spans: readonly TrueSpan[];
  readonly outages: readonly TrueOutage[];
  /** The wall of its owner stands between the service and the runner, so `none` is right at any time. */
  readonly isBehindWall: boolean;
}

/** From this ratio of failures on, the service is down; below, it is `partial`. */
const DOWN_RATIO = 0.9;

/** The truth about each service, from the genuine events and the intervals in which the runner could not know it. */
export function findTruth(
  topology: Topology,
  events: readonly NetworkEvent[],
  startMs: number,
  endMs: number,
): readonly Truth[] {
  // Steps and evenings are not genuine, but they change the response time, on which `slow` depends.
  const lasting = events.filter(({ isGenuine, cause }) => isGenuine || SLOWING.has(cause));
  const blind = events.filter(({ cause }) => cause === "offline" || cause === "runner-stopped");
  const cuts = events.filter(({ cause }) => cause === "abroad-cut");
  const halves = events.filter(({ cause }) => cause === "half");
  const bySubject = topology.subjects.map((): NetworkEvent[] => []);
  for (const event of lasting.toSorted(byPrecedence)) {
    const met = new Set(event.sites.map((index) => topology.sites[index]?.service ?? -1));
    for (const subject of met) bySubject[subject]?.push(event);
  }
  return topology.subjects.map((subject) => {
    const own = bySubject[subject.index] ?? [];
    const hiding = subject.main.place.isAbroad ? [...blind, ...cuts] : blind;
    const critical = subject.sites.filter(({ isCritical }) => isCritical).map(({ index }) => index);
    const cutOff = halves.filter(({ sites }) => critical.some((index) => sites.includes(index)));
    const walls = events.filter(({ cause, sites }) => {
      return cause === "refusal" && subject.sites.some(({ index }) => sites.includes(index));
    });
    const stale = [...hiding.filter(({ cause }) => cause !== "runner-stopped"), ...cutOff];
    const spans = spansOf(subject, own, stale, startMs, endMs);
    return {
      spans,
      outages: outagesOf(spans, [...hiding, ...walls], own),
      isBehindWall: walls.length > 0,
    };
  });
}

/** The span at a time; the nearest one outside of all. */
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
  events: readonly NetworkEvent[],
  stale: readonly NetworkEvent[],
  startMs: number,
  endMs: number,
): readonly TrueSpan[] {
  const edges = [...events, ...stale.map(afterFresh)].flatMap((event) => edgesOf(event));
  const inside = edges.filter((at) => at > startMs && at < endMs);
  const sorted = [...new Set([startMs, ...inside, endMs])].toSorted((a, b) => a - b);
  const spans: TrueSpan[] = [];
  // An outage that began before the network trouble stays known. Source: docs/services/verdicts.md, "Held failures".
  let began: { readonly group: CheckClass; readonly atMs: number } | undefined;
  for (const [index, fromMs] of sorted.entries()) {
    const toMs = sorted[index + 1];
    if (toMs === undefined) break;
    const found = classAt(subject, events, fromMs);
    const isNearlySlow = isNearlySlowAt(subject, events, fromMs);
    const group = groupOf(found.checkClass);
    if (began?.group !== group) began = { group, atMs: fromMs };
    // Only outages and `partial` age.
    const isAgeing = group === "failing" || group === "partial";
    const oldAtMs = isAgeing ? began.atMs + PERSISTENT_MS : toMs;
    const { atMs: beganMs } = began;
    const isKnown = (event: NetworkEvent): boolean =>
      event.cause !== "offline" && group === "failing" && beganMs <= event.startMs;
    const isFresh = !stale.some((event) => isOn(afterFresh(event), fromMs) && !isKnown(event));
    const isSurging = events.some((event) => event.cause === "surge" && isOn(event, fromMs));
    const add = (from: number, to: number): void => {
      if (from >= to) return;
      const isOld = from >= oldAtMs;
      const at = { fromMs: from, toMs: to, isOld, isFresh, isSurging, isNearlySlow };
      spans.push(toSpan(subject, found, at));
    };
    const middle = Math.min(toMs, Math.max(fromMs, oldAtMs));
    add(fromMs, middle);
    add(middle, toMs);
  }
  return spans;
}

/** A run is fresh for 15 minutes: only after that `none` is correct. */
function afterFresh(event: NetworkEvent): NetworkEvent {
  return { ...event, startMs: Math.min(event.endMs, event.startMs + FRESH_MS) };
}

function edgesOf({ startMs, endMs, effect }: NetworkEvent): readonly number[] {
  if (effect.kind !== "in-turn") return [startMs, endMs];
  const turns = Math.ceil((endMs - startMs) / effect.turnMs);
  return [...Array.from({ length: turns }, (_, turn) => startMs + turn * effect.turnMs), endMs];
}

function isOn({ startMs, endMs }: NetworkEvent, atMs: number): boolean {
  return startMs <= atMs && atMs < endMs;
}

interface Found {
  readonly checkClass: CheckClass;
  readonly isBlocked: boolean;
}

type DeadState = "server-error" | "failing" | "blocked";
type SiteState = "healthy" | "slow" | "denied" | "some-fail" | DeadState;

/** By definition, one dead critical endpoint makes the service unusable. */
function classAt(subject: Subject, events: readonly NetworkEvent[], atMs: number): Found {
  const on = events.filter((event) => isOn(event, atMs));
  const critical = subject.sites
    .filter(({ isCritical }) => isCritical)
    .map((site) => stateAt(site, on, atMs));
  // A minor endpoint that never works does not count, as in the program.
  const passing = on.filter(({ cause }) => cause !== "lasting");
  const minor = subject.sites
    .filter(({ isCritical }) => !isCritical)
    .map((site) => stateAt(site, passing, atMs));
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

/** The order in which the model applies events: of two failures at once, the first one is visible. */
function byPrecedence(one: NetworkEvent, other: NetworkEvent): number {
  return one.layer - other.layer || one.startMs - other.startMs;
}

/** The state by the first event that makes a site dead; if none does, the worst state of all events. */
function stateAt(site: Site, events: readonly NetworkEvent[], atMs: number): SiteState {
  let worst: keyof typeof RANK = "healthy";
  const own = events.filter(({ sites }) => sites.includes(site.index));
  const thresholdMs = slowThresholdMs(usualMsOf(site, own, atMs), MIN_BASELINE_SAMPLES);
  for (const event of own) {
    const state = effectAt(event, atMs, thresholdMs);
    if (isDead(state)) return state;
    if (RANK[state] > RANK[worst]) worst = state;
  }
  return worst;
}

const SLOWING: ReadonlySet<NetworkEvent["cause"]> = new Set(["latency-step", "slow-evening"]);

/** As far below the threshold as a slow service stays slow. */
const NEARLY = 0.9;

/** Whether an evening or a new step brings the usual answer of a critical site near the threshold. */
function isNearlySlowAt(
  { sites }: Subject,
  events: readonly NetworkEvent[],
  atMs: number,
): boolean {
  return sites.some((site) => {
    if (!site.isCritical) return false;
    const own = events.filter((event) => event.sites.includes(site.index) && isOn(event, atMs));
    const factors = own.map(({ effect }) => (effect.kind === "slower" ? effect.factor : 1));
    const nowMs = site.usualMs * Math.max(1, ...factors);
    const thresholdMs = slowThresholdMs(usualMsOf(site, own, atMs), MIN_BASELINE_SAMPLES);
    return nowMs > NEARLY * thresholdMs;
  });
}

/** The response time of a site with the latency steps that have lasted for a day; the largest one counts, as in the model. */
function usualMsOf({ usualMs }: Site, events: readonly NetworkEvent[], atMs: number): number {
  const factors = events.map(({ effect, startMs }) =>
    effect.kind === "slower" && atMs - startMs >= DAY_MS ? effect.factor : 1,
  );
  return usualMs * Math.max(1, ...factors);
}

const RANK: Readonly<Record<Exclude<SiteState, DeadState>, number>> = {
  healthy: 0,
  slow: 1,
  denied: 2,
  "some-fail": 3,
};

function effectAt(event: NetworkEvent, atMs: number, slowAboveMs: number): SiteState {
  const { effect } = event;
  switch (effect.kind) {
    case "takes":
      return effect.ms > slowAboveMs ? "slow" : "healthy";
    case "denied":
      return "denied";
    case "page":
      return "failing";
    case "slower":
    case "wall":
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

/** `failing` and `server-error` are one outage with one beginning. */
function groupOf(checkClass: CheckClass): CheckClass {
  return checkClass === "server-error" ? "failing" : checkClass;
}

function toSpan(
  { service }: Subject,
  { checkClass, isBlocked }: Found,
  at: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly isOld: boolean;
    readonly isFresh: boolean;
    readonly isSurging: boolean;
    readonly isNearlySlow: boolean;
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
  const { code, live } = decide(signals, at.fromMs);
  const { isNearlySlow } = at;
  return { fromMs: at.fromMs, toMs: at.toMs, code, live, checkClass, isDown, isNearlySlow };
}

/** A shorter break does not end an outage: two events of one service can nearly meet. */
const BREAK_MS: number = MINUTE_MS;

function outagesOf(
  spans: readonly TrueSpan[],
  hiding: readonly NetworkEvent[],
  events: readonly NetworkEvent[],
): readonly TrueOutage[] {
  const joined: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of spans.filter(({ isDown }) => isDown)) {
    const last = joined.at(-1);
    if (last !== undefined && fromMs - last.toMs < BREAK_MS) last.toMs = toMs;
    else joined.push({ fromMs, toMs });
  }
  return joined.map(({ fromMs, toMs }) => {
    const isIn = ({ cause, ...event }: NetworkEvent): boolean =>
      cause !== "lasting" && event.startMs < toMs && event.endMs > fromMs;
    const met = events.filter((event) => isIn(event) && isDead(effectAt(event, event.startMs, 0)));
    return {
      fromMs,
      toMs,
      isHidden: hiding.some(isIn),
      isWorks: met.every(({ effect }) => effect.kind === "page"),
    };
  });
}
