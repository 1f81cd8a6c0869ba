import type { Anchor, Service } from "../model/service/catalogue.ts";
import type { Connectivity } from "../model/service/connectivity.ts";
import type { BrowserView, EndpointResult, Outcome, Trace } from "../model/probe-outcome.ts";
import { MINUTE_MS, SECOND_MS } from "../model/time.ts";
import type {
  Ask,
  AskedEndpoint,
  Seen,
  VantageEvidence,
  VantageResult,
} from "../model/service/vantage.ts";
import { type AnchorRound, isUnreachable, probeAnchors } from "../probe/anchors.ts";
import { createGuard } from "../probe/network/address-guard.ts";
import { assessConnectivity } from "../probe/assess-connectivity.ts";
import {
  createExperiment,
  type Neighbour,
  type RunExperiment,
  toNeighbours,
} from "../probe/experiment.ts";
import { FREEZE_SHOWN_BYTES } from "../model/service/freeze.ts";
import { askForOpinion, type OpinionDependencies } from "../probe/browser/second-opinion.ts";
import { probeServices, type SurveyDependencies } from "../probe/probe-services.ts";
import { createProbe, type ProbeTarget } from "../probe/probe.ts";
import type { AskBrowser } from "../probe/browser/browser-opinion.ts";
import { withAddress } from "../probe/network/connect-to.ts";
import { buildProbeDependencies, type ProbeConfig } from "../probe/probe-config.ts";
import { digestUrls } from "./exchange.ts";

/** Why an address is not one of the public internet. */
const refusalOf = createGuard([]);

/** A failure is probed once more: the runner waits two minutes for a new one, and a single lost packet must not count. */
const CONFIRM_DELAYS_MS = [5 * SECOND_MS] as const;

/** As long as the runner waits for its next ask. */
const KEPT_MS = 5 * MINUTE_MS;

/** Anchors that are not on a white list: fewer could be down by themselves. */
const MIN_UNLISTED = 2;

/** The signal ends the probes: what is not probed by then is skipped. */
export interface AnswerDependencies extends Pick<
  SurveyDependencies,
  "networkOf" | "now" | "pool" | "probe" | "signal" | "sleep"
> {
  readonly vantageId: string;
  /** Probes an endpoint at an address. Undefined: the address may not be connected to. */
  readonly probeAt: (
    endpoint: ProbeTarget,
    address: string,
    signal: AbortSignal,
  ) => Promise<Outcome> | undefined;
  readonly experiment: RunExperiment;
  readonly browser: Pick<OpinionDependencies, "ask" | "connectTo">;
  /** Hosts that tell whether the vantage is online. */
  readonly anchors: readonly Anchor[];
  /** Hosts that a network which lets only listed sites through would not let through. */
  readonly unlisted: readonly Anchor[];
  readonly wallMs: () => number;
}

/**
 * Whether an answer that its store did not take may be put once more. What was measured while the line was down, or is older than an ask
 * becomes, is measured again.
 */
export function mayPutAgain(
  { askId, connectivity }: Pick<VantageEvidence, "askId" | "connectivity">,
  ageMs: number,
  ask: Pick<Ask, "id">,
): boolean {
  return askId === ask.id && connectivity !== "offline" && ageMs < KEPT_MS;
}

/** Probes what an ask names, and the vantage's own connection before and after. Never throws. */
export async function answerAsk(ask: Ask, deps: AnswerDependencies): Promise<VantageEvidence> {
  const { anchors, unlisted, pool, probe, signal } = deps;
  const survey = (phase: "start" | "end"): Promise<AnchorRound> =>
    probeAnchors(phase, [...anchors, ...unlisted], { probe, pool }, signal);
  const before = await survey("start");
  const urls = ask.endpoints.map(({ url }) => url);
  const answer = (connectivity: Connectivity, results: VantageEvidence["results"]) => ({
    vantage: deps.vantageId,
    askId: ask.id,
    urls: digestUrls(urls),
    atMs: deps.wallMs(),
    connectivity: connectivity.state,
    isWhiteList: detectWhiteList(before, deps),
    results,
  });
  const start = assess([before], deps, []);
  if (start.state === "offline")
    return answer(
      start,
      urls.map(() => ({ code: "skipped", ms: 0 })),
    );
  const measured = await measureAsked(ask, deps);
  const results = await Promise.all(
    ask.endpoints.map(async (endpoint): Promise<VantageResult> => {
      const found = measured.get(endpoint.url);
      const result = toResult(found);
      const address = ask.failing.get(endpoint.url) ?? null;
      if (result.code !== "ok" || address === null) return result;
      return { ...result, ...(await trySameAddress(endpoint, address, result, deps)) };
    }),
  );
  return answer(assess([before, await survey("end")], deps, measured.values()), results);
}

/** Probes the endpoints of an ask, with experiments if the runner wants them of this place. */
function measureAsked(ask: Ask, deps: AnswerDependencies): ReturnType<typeof probeServices> {
  const { probe, pool, signal, sleep, now, networkOf, experiment } = deps;
  // Experiments come some seconds after the first attempts, so they know what those have reached.
  const neighbours: Neighbour[] = [];
  return probeServices([toService(ask.endpoints)], {
    probe,
    pool,
    ...(ask.experimenters.includes(deps.vantageId)
      ? { experiment, askBrowser: askBrowserOf(ask, deps) }
      : {}),
    neighbours,
    networkOf,
    backgroundOf: () => ({ lastState: "unknown", slowMs: Number.POSITIVE_INFINITY }),
    confirmDelaysMs: CONFIRM_DELAYS_MS,
    signal,
    sleep,
    now,
    emit: (event) => {
      if (event.event !== "endpoint-measured") return;
      const target = ask.endpoints.find(({ url }) => url === event.url);
      if (target !== undefined) neighbours.push(...toNeighbours(target, event.result.outcome));
    },
  });
}

/** A place has no state, so it asks about each of these endpoints in each answer. */
function askBrowserOf(
  { browsers }: Ask,
  { browser, wallMs, signal }: AnswerDependencies,
): NonNullable<SurveyDependencies["askBrowser"]> {
  const asked = new Set(browsers);
  const [confirmMs] = CONFIRM_DELAYS_MS;
  return async (service, endpoint, result, wait) => {
    if (!asked.has(endpoint.url)) return undefined;
    const deps = { ...browser, startMs: wallMs(), confirmMs, wait, signal };
    return askForOpinion({ service, endpoint, result, earlier: undefined }, deps);
  };
}

/** The survey takes services; which endpoint belongs to which is of no use here. */
function toService(endpoints: readonly AskedEndpoint[]): Service {
  return {
    slug: "ask",
    name: "ask",
    aliases: [],
    category: "ask",
    annotations: [],
    isAbroad: false,
    endpoints: endpoints.map((one) => ({ ...one, what: one.url, isCritical: true })),
  };
}

function assess(
  rounds: readonly AnchorRound[],
  { unlisted }: AnswerDependencies,
  results: Iterable<EndpointResult>,
): Connectivity {
  const listed = rounds.map((round) => ({ ...round, anchors: listedIn(round, unlisted) }));
  return assessConnectivity(listed, { lagMs: 0, results });
}

function listedIn({ anchors }: AnchorRound, unlisted: readonly Anchor[]): AnchorRound["anchors"] {
  return anchors.filter(({ anchor }) => !unlisted.includes(anchor));
}

/** Listed anchors answer and unlisted ones do not. Null: too few anchors to tell. */
function detectWhiteList(round: AnchorRound, { unlisted }: AnswerDependencies): boolean | null {
  if (unlisted.length < MIN_UNLISTED) return null;
  const listed = listedIn(round, unlisted);
  const others = round.anchors.filter((one) => !listed.includes(one));
  const isListedUp = listed.filter(isUnreachable).length * 2 < listed.length;
  return isListedUp && others.every(isUnreachable);
}

function toResult(found: EndpointResult | undefined): VantageResult {
  if (found === undefined || found.outcome.kind === "skipped") return { code: "skipped", ms: 0 };
  const { outcome, experiment: steps = [], browser } = found;
  const { address, timings } = outcome.trace;
  return {
    code: outcome.kind === "failed" ? outcome.code : outcome.kind,
    ms: Math.round(timings.totalMs),
    ...(address === undefined ? {} : { address }),
    seen: {
      ...seenIn(outcome.trace),
      ...(browser === undefined ? {} : { browser: endOf(browser) }),
      ...(steps.length === 0 ? {} : { steps }),
    },
  };
}

function endOf({ isOpen, stage }: BrowserView): NonNullable<Seen["browser"]> {
  return isOpen || stage === undefined || stage === "dns" ? "opens" : stage;
}

function seenIn({ httpStatus, wall, bodyBytes, certKey }: Trace): Seen {
  return {
    ...(httpStatus === undefined ? {} : { status: httpStatus }),
    ...(wall === undefined ? {} : { wall: true }),
    ...(bodyBytes >= FREEZE_SHOWN_BYTES ? { large: true } : {}),
    ...(certKey === undefined ? {} : { key: certKey }),
  };
}

/** The endpoint at the runner's address, which counts only with the answer that the place got itself. */
async function trySameAddress(
  endpoint: AskedEndpoint,
  address: string,
  { address: ownAddress, seen: own }: VantageResult,
  { probeAt, pool, signal }: AnswerDependencies,
): Promise<Pick<VantageResult, "sameAddress" | "seen">> {
  const outcome = await pool(new URL(endpoint.url).host, async () =>
    probeAt({ ...endpoint, asksKey: true }, address, signal),
  );
  if (outcome === undefined || outcome.kind === "skipped")
    return ownAddress === address ? { sameAddress: "works" } : {};
  if (outcome.kind === "failed") {
    const isReached = outcome.stage !== "tcp" && outcome.stage !== "dns";
    return { sameAddress: isReached ? "fails" : "unreachable" };
  }
  const { tcpMs: connectMs } = outcome.trace.timings;
  // Of an address on this machine or in its network the time tells nothing of distance.
  const hasDistance = connectMs !== undefined && refusalOf(address) === undefined;
  const seen = { ...seenIn(outcome.trace), ...(hasDistance ? { connectMs } : {}) };
  const isSame = seen.status === own?.status && seen.wall === own?.wall;
  return isSame ? { sameAddress: "works", seen } : {};
}

type PlaceProbes = Pick<AnswerDependencies, "probe" | "probeAt" | "experiment" | "browser">;

/**
 * The probes for the next answer. A line at home gets another address every day, and its own ones are neither connected to nor signed,
 * so they are looked up for each answer; otherwise the probes stay, with what they have learnt.
 */
export function createPlaceProbes(
  config: ProbeConfig,
  findOwnAddresses: () => readonly string[],
  askBrowser: AskBrowser,
): () => PlaceProbes {
  let { ownAddresses } = config;
  let probes = buildPlaceProbes(config, askBrowser);
  return () => {
    const found = findOwnAddresses();
    if (found.join() !== ownAddresses.join())
      probes = buildPlaceProbes({ ...config, ownAddresses: found }, askBrowser);
    ownAddresses = found;
    return probes;
  };
}

function buildPlaceProbes(config: ProbeConfig, ask: AskBrowser): PlaceProbes {
  const dependencies = buildProbeDependencies(config);
  return {
    probe: createProbe(dependencies),
    experiment: createExperiment(dependencies),
    browser: { ask, connectTo: dependencies.connectTo },
    probeAt: (endpoint, address, signal) => {
      // The ask is only as trustworthy as its store, so its addresses have to pass the guard like those of a resolver.
      if (dependencies.addressRules.refusalOf(address) !== undefined) return undefined;
      const connectTo = withAddress(dependencies.connectTo, new URL(endpoint.url), address);
      return createProbe({ ...dependencies, connectTo })(endpoint, 0, signal);
    },
  };
}
