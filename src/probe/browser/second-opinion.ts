import type { Endpoint, Service } from "../../model/service/catalogue.ts";
import { mayDependOnClient } from "../../model/failures.ts";
import { sumOf } from "../../model/lists.ts";
import type { BrowserView, EndpointResult, Outcome } from "../../model/probe-outcome.ts";
import { MINUTE_MS } from "../../model/time.ts";
import { type ConnectToRules, portFor } from "../network/connect-to.ts";
import type { AskBrowser, BrowserOpinion, BrowserTarget } from "./browser-opinion.ts";

/** Runs, of which one asks about an endpoint that does not change. Source: docs/probe/browser.md, "When". */
const TURNS = 3;
const TURN_MS = 5 * MINUTE_MS;

/** An opinion stands until its next turn, and one more that was missed. */
const OPINION_FRESH_MS = 20 * MINUTE_MS;

/** What a browser is asked about: an endpoint as the probe has just found it. */
export interface Question {
  readonly service: Pick<Service, "isAbroad">;
  readonly endpoint: Pick<Endpoint, "url" | "isCritical">;
  readonly result: EndpointResult;
  /** Of the last run. */
  readonly earlier: EndpointResult | undefined;
}

/** Whether a browser is asked about an endpoint at all: filters are for services abroad, and critical endpoints stand for theirs. */
export function mayBeFiltered(
  { isAbroad }: Question["service"],
  { isCritical }: Question["endpoint"],
): boolean {
  return isAbroad && isCritical;
}

/**
 * Whether a browser is asked now: about each critical endpoint abroad in its turn, and in each run about one that fails, has recovered, or of
 * which browser and probe think differently. Pure.
 */
export function isOpinionDue(question: Question, startMs: number): boolean {
  const { service, endpoint, result, earlier } = question;
  if (!mayBeFiltered(service, endpoint) || lastHop(result.outcome) === undefined) return false;
  const standing = standingView(result, earlier, startMs);
  if (standing === undefined || result.outcome.kind === "failed" || !standing.isOpen) return true;
  // The sum spreads the endpoints over the turns.
  const sum = sumOf(Array.from(endpoint.url, (char) => char.codePointAt(0) ?? 0));
  return (Math.floor(startMs / TURN_MS) + sum) % TURNS === 0;
}

/** The opinion of the last run, as long as the probe finds the same. */
export function standingView(
  { outcome }: EndpointResult,
  earlier: EndpointResult | undefined,
  nowMs: number,
): BrowserView | undefined {
  const view = earlier?.browser;
  if (view === undefined || earlier?.outcome.kind !== outcome.kind) return undefined;
  return Math.abs(nowMs - view.atMs) <= OPINION_FRESH_MS ? view : undefined;
}

/**
 * Whether a browser finds otherwise than the probe. A connection that is not accepted depends on no ClientHello, and a conversation that
 * breaks in HTTP, after a handshake, may be a fault of the client that stands for the browser, so these contradict nothing.
 */
export function isContradicted(
  { outcome }: Pick<EndpointResult, "outcome">,
  browser: BrowserView | undefined,
): boolean {
  if (browser === undefined) return false;
  if (browser.isOpen) return outcome.kind === "failed" && mayDependOnClient(outcome.code);
  return outcome.kind === "ok" && (browser.stage === "tls" || browser.stage === "body");
}

/** Where the probe ended, if a browser can be asked the same: over TLS, at a known address. */
function lastHop(outcome: Outcome): Pick<BrowserTarget, "url" | "address"> | undefined {
  if (outcome.kind !== "ok" && outcome.kind !== "failed") return undefined;
  const { url, address } = outcome.trace;
  if (address === undefined || !url.startsWith("https:")) return undefined;
  return { url: new URL(url), address };
}

export interface OpinionDependencies {
  readonly ask: AskBrowser;
  readonly connectTo: ConnectToRules;
  /** Start of the run. */
  readonly startMs: number;
  /** Wait before a second question; undefined: there is none. */
  readonly confirmMs: number | undefined;
  readonly wait: (ms: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** An error, or a refusal, in place of an answer that the probe did not get says nothing of the service. */
function viewOf(
  opinion: BrowserOpinion | undefined,
  outcome: Outcome,
  atMs: number,
): BrowserView | undefined {
  if (opinion === undefined) return undefined;
  if (opinion.kind === "fails") return { isOpen: false, stage: opinion.stage, atMs };
  return outcome.kind === "ok" || opinion.status < 400 ? { isOpen: true, atMs } : undefined;
}

/**
 * What a browser gets, asked twice before it contradicts the probe: a box that leaks lets single connections through, and a single packet
 * can be lost. Undefined: it could not be asked.
 */
export async function askForOpinion(
  { result, earlier }: Question,
  { ask, connectTo, startMs, confirmMs, wait, signal }: OpinionDependencies,
): Promise<BrowserView | undefined> {
  const hop = lastHop(result.outcome);
  if (hop === undefined) return undefined;
  const target = { ...hop, port: portFor(connectTo, hop.url) };
  const see = async (): Promise<BrowserView | undefined> =>
    viewOf(await ask(target, signal), result.outcome, startMs);
  const first = await see();
  const isNews = isContradicted(result, first) && earlier?.browser?.isOpen !== first?.isOpen;
  if (!isNews || confirmMs === undefined) return first;
  await wait(confirmMs);
  // Only what was seen twice contradicts the probe.
  const second = await see();
  return isContradicted(result, second) ? first : second;
}
