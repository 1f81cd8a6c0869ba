import type { Endpoint } from "../model/catalogue.ts";
import { FAILURES, type Outcome, type SkipReason, type Trace } from "../model/outcome.ts";
import {
  judgeAnswer,
  nextHop,
  targetsNamed,
  type Expectation,
  type Judgement,
  type NextHop,
} from "./classify.ts";
import { matchBody, matchLocationHost, type Fingerprints } from "./fingerprints.ts";
import type { HttpAnswer } from "./http.ts";
import { makeHop, startNotes, type HopDependencies, type HopNotes } from "./hop.ts";
import type { ProbeLimits } from "./limits.ts";
import { elapsedMs, type Effort, type Failure } from "./open-connection.ts";

/** What is probed: an endpoint, a monitor, or an anchor, which has no rules of its own. */
export interface ProbeTarget extends Pick<Endpoint, "url" | "trust">, Expectation {
  /** Bounds of its own, in place of those of the probe. */
  readonly limits?: ProbeLimits;
}

export interface ProbeDependencies extends HopDependencies {
  readonly fingerprints: Fingerprints;
  /** Why a URL may not be asked for, judged by its text before anything is looked up; absent: any may. */
  readonly refusalOfUrl?: (url: URL) => string | undefined;
}

/**
 * Measures a target once, on fresh connections: DNS → TCP → TLS → HTTP → body, following redirects. Never throws,
 * unless the URL cannot be parsed.
 *
 * @param attempt 0 for the first try of a run; later tries begin with another address if there is one.
 * @param signal ends the probe at once; its reason is the `SkipReason`.
 */
export type Probe = (target: ProbeTarget, attempt: number, signal: AbortSignal) => Promise<Outcome>;

export function createProbe(dependencies: ProbeDependencies): Probe {
  return async (target, attempt, signal) => {
    if (signal.aborted) return { kind: "skipped", reason: reasonOf(signal) };
    const { limits = dependencies.limits } = target;
    const outcome = await followRedirects(target, attempt, { ...dependencies, limits }, signal);
    // Whatever a probe that was cut short saw last, it is our own doing.
    return signal.aborted ? { kind: "skipped", reason: reasonOf(signal) } : outcome;
  };
}

function reasonOf(signal: AbortSignal): SkipReason {
  return signal.reason === "aborted" ? "aborted" : "deadline";
}

/** One hop of a redirect chain, and what the hops before it mean for it. */
interface Link {
  readonly url: URL;
  readonly startMs: number;
  readonly notes: HopNotes;
  /** URLs of the hops before it. */
  readonly visited: readonly string[];
  /** The weakest of the hops before it; a name reached over an open one may be anybody's. */
  readonly trail: Assurance;
}

/** What vouches for a hop: a root that we know, the name of the national authority alone, or nothing. */
type Assurance = "verified" | "national" | "open";

async function followRedirects(
  target: ProbeTarget,
  attempt: number,
  deps: ProbeDependencies,
  signal: AbortSignal,
): Promise<Outcome> {
  const startMs = performance.now();
  const effort: Effort = { attempt, deadlineMs: startMs + deps.limits.totalMs, signal };
  let link = firstLink(target.url, startMs);
  if (deps.refusalOfUrl?.(link.url) !== undefined) return conclude(link, refused("url-refused"));
  for (;;) {
    const end = await makeHop(link.url, target.trust, deps, effort, link.notes);
    if (end.kind === "skipped") return end;
    if (end.kind === "failed") return conclude(link, end);
    const isFirst = link.visited.length === 0;
    const next = nextHop(end, link.url, target, isAuthentic(link), isFirst);
    if (next.kind !== "follow")
      return conclude(link, judgeLast(end, next.kind, target, link, deps));
    const refusal = refuseRedirect(next.url, link, deps);
    if (refusal !== undefined) return conclude(link, refusal);
    link = nextLink(link, next.url);
  }
}

/** What an answer says that leads nowhere. */
function judgeLast(
  answer: HttpAnswer,
  kind: Exclude<NextHop["kind"], "follow">,
  target: ProbeTarget,
  link: Link,
  deps: ProbeDependencies,
): Judgement {
  if (kind === "refused") return refused("redirect-refused");
  const blockPage = isAuthentic(link) ? undefined : findBlockPage(answer, link.url, deps);
  if (kind === "final") return judgeAnswer(answer, target, isAuthentic(link), blockPage);
  if (blockPage !== undefined) return refused("http-block-page", blockPage);
  return refused(kind === "elsewhere" ? "redirect-unexpected" : "http-malformed");
}

function firstLink(url: string, startMs: number): Link {
  return { url: new URL(url), startMs, notes: startNotes(), visited: [], trail: "verified" };
}

function nextLink(link: Link, url: URL): Link {
  return {
    url,
    startMs: link.startMs,
    notes: startNotes(link.notes),
    visited: [...link.visited, link.url.href],
    trail: assuranceOf(link),
  };
}

/** Nobody in between can have written what this hop answers. */
function isAuthentic(link: Link): boolean {
  return assuranceOf(link) === "verified";
}

/** The weaker of this hop and those before it. */
function assuranceOf({ trail, notes }: Link): Assurance {
  if (notes.tlsVerified === true) return trail;
  return trail !== "open" && notes.isNationalIssuer === true ? "national" : "open";
}

/** By its text, or by the host it leads to: an endpoint that expects redirects must not take that of a filter for its own. */
function findBlockPage(
  answer: HttpAnswer,
  from: URL,
  { fingerprints }: ProbeDependencies,
): string | undefined {
  const inBody = matchBody(fingerprints, answer.body);
  if (inBody !== undefined) return inBody;
  return targetsNamed(answer, from)
    .map((to) => matchLocationHost(fingerprints, to))
    .find((id) => id !== undefined);
}

function refused(code: Failure["code"], fingerprint?: string): Failure {
  return { kind: "failed", code, ...(fingerprint === undefined ? {} : { fingerprint }) };
}

function refuseRedirect(to: URL, from: Link, deps: ProbeDependencies): Failure | undefined {
  const blockPage = isAuthentic(from) ? undefined : matchLocationHost(deps.fingerprints, to);
  if (blockPage !== undefined) return refused("http-block-page", blockPage);
  if (deps.refusalOfUrl?.(to) !== undefined) return refused("redirect-refused");
  if (to.href === from.url.href || from.visited.includes(to.href)) return refused("redirect-loop");
  if (from.visited.length >= deps.limits.redirects) return refused("redirect-too-many");
  return undefined;
}

function conclude(link: Link, end: Failure | { readonly kind: "ok" | "denied" }): Outcome {
  const trace = traceOf(link);
  if (end.kind !== "failed") return { kind: end.kind, trace };
  // Part by part: what a stage noted besides its failure has no place in an outcome.
  const { code, fingerprint } = end;
  const evidence = fingerprint === undefined ? {} : { fingerprint };
  return { kind: "failed", stage: FAILURES[code], code, ...evidence, trace };
}

function traceOf(link: Link): Trace {
  const { socket, timings, isNationalIssuer: _, ...seen } = link.notes;
  return {
    url: link.url.href,
    redirects: link.visited.length,
    ...seen,
    rawBytes: socket?.bytesRead ?? 0,
    tlsVerified: seen.tlsVerified === true ? isAuthentic(link) : seen.tlsVerified,
    ...(assuranceOf(link) === "national" ? { isNationalIssuer: true } : {}),
    timings: { ...timings, totalMs: elapsedMs(link.startMs) },
  };
}
