import { CookieJar } from "tough-cookie";
import type { Endpoint } from "../model/service/catalogue.ts";
import { FAILURES } from "../model/failures.ts";
import type { Outcome, SkipReason, Trace } from "../model/probe-outcome.ts";
import {
  classifyAnswer,
  matchesDenial,
  nextHop,
  targetsNamed,
  type Expectation,
  type AnswerClass,
  type NextHop,
} from "./answer/classify-response.ts";
import { findPattern, matchLocationHost, type Fingerprints } from "./answer/fingerprints.ts";
import { textOf } from "./answer/answer-text.ts";
import type { HttpResponse } from "./network/http.ts";
import {
  elapsedMs,
  type Failure,
  type Hop,
  type HopDependencies,
  sendRequest,
  type SendRequest,
  startNotes,
} from "./network/single-request.ts";
import type { ProbeLimits } from "./limits.ts";
import { SECOND_MS } from "../model/time.ts";
import { type Headers, valuesOf } from "./network/response-parser.ts";
import { findWall } from "./answer/walls.ts";

/** The target of a probe: an endpoint, a monitor, or an anchor, which has no rules of its own. */
export interface ProbeTarget extends Pick<Endpoint, "url" | "trust">, Expectation {
  readonly limits?: ProbeLimits;
  /** Called with the time of each server that tells it. */
  readonly onServerTime?: (serverMs: number) => void;
  /** The trace tells the key of the certificate. */
  readonly asksKey?: true;
}

export interface ProbeDependencies extends HopDependencies {
  /** Absent: over the network. */
  readonly send?: SendRequest;
  readonly fingerprints: Fingerprints;
  /** Why a URL may not be requested, decided by its text before any lookup; absent: every URL may be. */
  readonly refusalOfUrl?: (url: URL) => string | undefined;
}

/**
 * Measures a target once, on fresh connections: DNS → TCP → TLS → HTTP → body, following redirects. Throws only if the URL cannot be parsed.
 *
 * @param attempt later attempts than 0 begin with another address if there is one.
 * @param signal ends the probe at once; its reason is the `SkipReason`.
 */
export type Probe = (target: ProbeTarget, attempt: number, signal: AbortSignal) => Promise<Outcome>;

export function createProbe(dependencies: ProbeDependencies): Probe {
  return async (target, attempt, signal) => {
    if (signal.aborted) return { kind: "skipped", reason: reasonOf(signal) };
    const { limits = dependencies.limits } = target;
    const outcome = await followRedirects(target, attempt, { ...dependencies, limits }, signal);
    // An aborted probe failed because of us, so its last failure does not count.
    return signal.aborted ? { kind: "skipped", reason: reasonOf(signal) } : outcome;
  };
}

function reasonOf(signal: AbortSignal): SkipReason {
  return signal.reason === "aborted" ? "aborted" : "deadline";
}

/** One hop of a redirect chain, with the state of the hops before it. */
interface Link extends Hop {
  readonly deps: ProbeDependencies;
  readonly startMs: number;
  /** The value of `Cookie`; "": none. */
  readonly cookie: string;
  /** URLs and cookies of the hops before it: the same URL with another cookie has another answer. */
  readonly visited: readonly string[];
  /** The weakest assurance of the hops before it; anyone may have written an unencrypted redirect to this host. */
  readonly trail: Assurance;
}

/** Verified by a known root, only named as issued by the national authority, or open. */
type Assurance = "verified" | "national" | "open";

async function followRedirects(
  target: ProbeTarget,
  attempt: number,
  deps: ProbeDependencies,
  signal: AbortSignal,
): Promise<Outcome> {
  const startMs = performance.now();
  const { send = sendRequest } = deps;
  const cookies = createCookies();
  let link: Link = {
    url: new URL(target.url),
    trust: target.trust,
    ...(target.asksKey === true ? { asksKey: true } : {}),
    deps,
    attempt,
    deadlineMs: startMs + deps.limits.totalMs,
    signal,
    notes: startNotes(),
    startMs,
    cookie: "",
    visited: [],
    trail: "verified",
  };
  if (deps.refusalOfUrl?.(link.url) !== undefined) return conclude(link, refused("url-refused"));
  for (;;) {
    const headers: Record<string, string> = link.cookie === "" ? {} : { cookie: link.cookie };
    const end = await send(link, { method: "GET", headers });
    if (end.kind === "skipped") return end;
    if (end.kind === "failed") return conclude(link, end);
    if (target.onServerTime !== undefined) tellTime(end, target.onServerTime);
    const wall = wallIn(end, target, link);
    if (wall !== undefined) {
      link.notes.wall = wall;
      return conclude(link, { kind: "ok" });
    }
    const isFirst = link.visited.length === 0;
    const next = nextHop(end, link.url, target, isAuthentic(link), isFirst);
    if (next.kind !== "follow") return conclude(link, classifyLast(end, next.kind, target, link));
    cookies.take(end.headers, link.url);
    const to = nextLink(link, next.url, cookies.headerFor(next.url));
    const refusal = refuseRedirect(to, link);
    if (refusal !== undefined) return conclude(link, refusal);
    link = to;
  }
}

/** Of the cookies that one answer sets, and of those that one request sends: walls need some hundred. */
const MAX_COOKIE_CHARACTERS = 8_192;

/** The cookies of one probe, which are gone with it. Without an answer that sets one, nothing is made. */
function createCookies() {
  let jar: CookieJar | undefined;
  return {
    /** The value of `Cookie` for a request; "": none. */
    headerFor: (url: URL): string => {
      const text = jar?.getCookieStringSync(url.href) ?? "";
      return text.length > MAX_COOKIE_CHARACTERS ? "" : text;
    },
    /** Takes what an answer sets, as far as a browser would. */
    take: (headers: Headers, url: URL): void => {
      let left = MAX_COOKIE_CHARACTERS;
      for (const one of valuesOf(headers, "set-cookie")) {
        left -= one.length;
        if (left < 0) return;
        jar ??= new CookieJar();
        jar.setCookieSync(one, url.href, { ignoreError: true });
      }
    },
  };
}

/** The server's time: that of a cached answer is older by its `Age`. Source: RFC 9110, section 6.6.1; RFC 9111, section 5.1. */
function tellTime({ headers }: HttpResponse, tell: (serverMs: number) => void): void {
  const dateMs = Date.parse(valuesOf(headers, "date")[0] ?? "");
  const age = Number(valuesOf(headers, "age")[0] ?? 0);
  if (!Number.isNaN(dateMs) && Number.isSafeInteger(age) && age >= 0)
    tell(dateMs + age * SECOND_MS);
}

/** The wall that has answered, before its status is looked at. A refusal of the service itself does not count. */
function wallIn(answer: HttpResponse, { denied }: ProbeTarget, link: Link): string | undefined {
  if (!isAuthentic(link) || matchesDenial(answer, denied)) return undefined;
  return findWall(answer, link.url);
}

function classifyLast(
  answer: HttpResponse,
  kind: Exclude<NextHop["kind"], "follow">,
  target: ProbeTarget,
  link: Link,
): AnswerClass {
  if (kind === "refused") return refused("redirect-refused");
  const blockPage = isAuthentic(link) ? undefined : findBlockPage(answer, link);
  if (kind === "final") return classifyAnswer(answer, target, isAuthentic(link), blockPage);
  if (blockPage !== undefined) return refused("http-block-page", blockPage);
  return refused(kind === "elsewhere" ? "redirect-unexpected" : "http-malformed");
}

function keyOf({ url, cookie }: Link): string {
  return `${url.href} ${cookie}`;
}

function nextLink(link: Link, url: URL, cookie: string): Link {
  return {
    ...link,
    url,
    cookie,
    notes: startNotes(link.notes),
    visited: [...link.visited, keyOf(link)],
    trail: assuranceOf(link),
  };
}

/** Whether no third party can have written the response of this hop. */
function isAuthentic(link: Link): boolean {
  return assuranceOf(link) === "verified";
}

/** The weaker of this hop and those before it. */
function assuranceOf({ trail, notes }: Link): Assurance {
  if (notes.tlsVerified === true) return trail;
  return trail !== "open" && notes.isNationalIssuer === true ? "national" : "open";
}

/** By its text or the host of its redirect: an endpoint that expects redirects must not accept that of a filter. */
function findBlockPage(answer: HttpResponse, { url, deps }: Link): string | undefined {
  const { fingerprints } = deps;
  const text = textOf(answer);
  const inBody = text === "broken" ? undefined : findPattern(fingerprints.bodies, text);
  if (inBody !== undefined) return inBody;
  return targetsNamed(answer, url)
    .map((to) => matchLocationHost(fingerprints, to))
    .find((id) => id !== undefined);
}

function refused(code: Failure["code"], fingerprint?: string): Failure {
  return { kind: "failed", code, ...(fingerprint === undefined ? {} : { fingerprint }) };
}

function refuseRedirect(to: Link, from: Link): Failure | undefined {
  const { deps } = from;
  const blockPage = isAuthentic(from) ? undefined : matchLocationHost(deps.fingerprints, to.url);
  if (blockPage !== undefined) return refused("http-block-page", blockPage);
  if (deps.refusalOfUrl?.(to.url) !== undefined) return refused("redirect-refused");
  if (to.visited.includes(keyOf(to))) return refused("redirect-loop");
  if (from.visited.length >= deps.limits.redirects) return refused("redirect-too-many");
  return undefined;
}

function conclude(link: Link, end: AnswerClass): Outcome {
  const trace = traceOf(link);
  if (end.kind !== "failed") return { kind: end.kind, trace };
  // Copied field by field, so that other properties of a failed stage do not get into the outcome.
  const { code, fingerprint } = end;
  const evidence = fingerprint === undefined ? {} : { fingerprint };
  return { kind: "failed", stage: FAILURES[code].stage, code, ...evidence, trace };
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
