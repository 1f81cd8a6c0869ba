import type { Endpoint, Service } from "../../model/service/catalogue.ts";
import type { CheckClass, UnknownReason } from "../../model/service/history.ts";
import type {
  EndpointScope,
  ExperimentStep,
  ServiceScope,
} from "../../model/service/interference.ts";
import type { EndpointResult } from "../../model/probe-outcome.ts";
import type { Evidence, RawEvidence, Vantages } from "../../contract/evidence.ts";
import { type Document, toJsonDocument } from "../../model/service/snapshot.ts";
import { HOUR_MS, toUnixSeconds } from "../../model/time.ts";
import type { CitedEvidence, Vantage, VantagesState } from "../../model/service/vantage.ts";
import type { VerdictCode } from "../../contract/codes/verdict.ts";
import { concludeExperiment } from "./decide-scope.ts";
import type { VantageView } from "./endpoint-views.ts";

/* The public evidence of each service, outside the API. Source: docs/services/evidence.md. */

const FOLDER = "evidence/v1";

export function evidenceKey(slug: string): string {
  return `${FOLDER}/${slug}.json`;
}

/** The catalogue allows no service with this slug. */
export const VANTAGES_KEY: string = evidenceKey("vantages");

export function rawEvidenceKey(vantageId: string): string {
  return `${FOLDER}/raw/${vantageId}.json`;
}

/** What the evidence of a service is built from. */
export interface EvidenceInput {
  readonly service: Service;
  readonly code: VerdictCode;
  /** Why nothing is known of it. */
  readonly unknown: UnknownReason | null;
  /** Time of the last check; null: never checked. */
  readonly checkedAtMs: number | null;
  readonly scope: ServiceScope;
  readonly resultOf: (url: string) => EndpointResult | undefined;
  readonly viewsOf: (endpoint: Endpoint) => readonly VantageView[];
  readonly networkOf: (address: string) => string;
  /** The worst check class of an endpoint, by its URL, in each of the last 48 half hours. */
  readonly halfHoursOf: (url: string) => readonly (CheckClass | null)[];
}

type EndpointEvidence = Evidence["endpoints"][number];
type StepEvidence = NonNullable<EndpointEvidence["experiment"]>["steps"][number];

/** The document about one service. */
export function buildEvidence(input: EvidenceInput): Document {
  const { service, code, unknown, checkedAtMs, scope } = input;
  return toJsonDocument(evidenceKey(service.slug), {
    slug: service.slug,
    checkedAt: checkedAtMs === null ? null : toUnixSeconds(checkedAtMs),
    verdict: code,
    unknown,
    scope: scope.scope,
    blockedBy: scope.endpoints.map(blockedBy).find((by) => by !== null) ?? null,
    endpoints: service.endpoints.map((endpoint, index) =>
      describeEndpoint(endpoint, scope.endpoints[index], input),
    ),
  } satisfies Evidence);
}

/**
 * What the document says, without what changes in every run: times, addresses, milliseconds. The document is written again only when
 * this changes.
 */
export function signatureOfEvidence(input: EvidenceInput): string {
  const { service, code, unknown, scope } = input;
  const parts = service.endpoints.map((endpoint, index) => [
    describeOutcome(input.resultOf(endpoint.url)),
    withoutRuns(scope.endpoints[index]),
    input.viewsOf(endpoint).map((view) => withoutTimes(describeView(view))),
    input.halfHoursOf(endpoint.url),
  ]);
  return JSON.stringify([code, unknown, scope.scope, parts]);
}

function withoutRuns(scope: EndpointScope | undefined): unknown {
  return scope?.basis === undefined ? scope : { ...scope, basis: { ...scope.basis, runs: 0 } };
}

function withoutTimes(view: ReturnType<typeof describeView>): unknown {
  return { ...view, seen: { ...view.seen, connectMs: 0 } };
}

/** What says that an endpoint is blocked, if anything does. */
function blockedBy(scope: EndpointScope | undefined): "page" | "experiment" | null {
  if (scope?.isClaimed === true) return "experiment";
  return scope?.finding === "block-evidence" ? "page" : null;
}

function describeClaim(scope: EndpointScope | undefined): EndpointEvidence["claim"] {
  if (scope?.basis === undefined) return null;
  const { by, networks, runs, isUnicast } = scope.basis;
  return { by, networks, runs, unicast: isUnicast };
}

function describeEndpoint(
  endpoint: Endpoint,
  scope: EndpointScope | undefined,
  { resultOf, viewsOf, networkOf, halfHoursOf }: EvidenceInput,
): EndpointEvidence {
  const { url, what, isCritical, refuses = [] } = endpoint;
  const result = resultOf(url);
  return {
    url,
    what,
    critical: isCritical,
    fence: refuses.includes("abroad"),
    refuses,
    halfHours: halfHoursOf(url),
    scope: scope?.scope ?? "unknown",
    row: scope?.row ?? null,
    blockedBy: blockedBy(scope),
    claim: describeClaim(scope),
    moscow: describeMoscow(result, networkOf),
    experiment: describeExperiment(result?.experiment ?? []),
    vantages: viewsOf(endpoint).map(describeView),
  };
}

function describeStep(step: ExperimentStep): StepEvidence {
  if (step.kind !== "neighbour") return step;
  const { kind, address, isConnected } = step;
  return { kind, address, answer: isConnected ? "answered" : "unreachable" };
}

/** What the runner found, without what differs from one probe to the next. */
function describeOutcome(
  result: EndpointResult | undefined,
): Omit<EndpointEvidence["moscow"], "ms" | "address" | "network"> {
  if (result === undefined || result.outcome.kind === "skipped")
    return { result: "unknown", stage: null, code: null, status: null, wall: null, browser: null };
  const { outcome, outvotedBy } = result;
  const { stage, code } = outcome.kind === "failed" ? outcome : { stage: null, code: null };
  const found = stage !== null && result.mayBeRefused === true ? "refused" : outcome.kind;
  const { httpStatus: status = null, wall = null } = outcome.trace;
  const view = result.browser;
  const browser = view === undefined ? null : { opens: view.isOpen, stage: view.stage ?? null };
  const told = outvotedBy === undefined ? found : "outvoted";
  return { result: told, stage, code, status, wall, browser };
}

function describeMoscow(
  result: EndpointResult | undefined,
  networkOf: (address: string) => string,
): EndpointEvidence["moscow"] {
  const found = describeOutcome(result);
  if (result === undefined || result.outcome.kind === "skipped")
    return { ...found, ms: null, address: null, network: null };
  const { address, timings } = result.outcome.trace;
  const network = address === undefined ? null : networkOf(address);
  return { ...found, ms: Math.round(timings.totalMs), address: address ?? null, network };
}

function describeView({ vantage, result, says, isCalibrated, isCutByName }: VantageView) {
  const { code, sameAddress = null, seen: { steps = [], ...seen } = {} } = result;
  return {
    ...describeVantage(vantage),
    line: vantage.line ?? null,
    result: code,
    says,
    calibrated: isCalibrated,
    sameAddress,
    cutByName: isCutByName,
    seen,
    experiment: describeExperiment(steps),
  };
}

function describeExperiment(steps: readonly ExperimentStep[]): EndpointEvidence["experiment"] {
  if (steps.length === 0) return null;
  return { cutBy: concludeExperiment(steps), steps: steps.map(describeStep) };
}

function describeVantage({ id, kind, country, asn, network }: Vantage) {
  return { id, kind, country, asn, network };
}

export type VantageStanding = ReturnType<typeof standingsOf>[number];

/**
 * Whether each vantage answers, in the order of their file, and when it was last heard: by the hour while it answers, so that a quiet run
 * writes nothing.
 */
export function standingsOf({ vantages, asks, heard }: VantagesState) {
  const believed = new Set(asks.map(({ id }) => id));
  return vantages.map((vantage) => {
    const known = heard.get(vantage.id);
    const isHeard = known !== undefined && believed.has(known.askId);
    const exactMs = known?.heardAtMs ?? null;
    return {
      vantage,
      isHeard,
      heardAtMs: isHeard && exactMs !== null ? exactMs - (exactMs % HOUR_MS) : exactMs,
      connectivity: known?.connectivity ?? null,
      isWhiteList: known?.isWhiteList ?? null,
    };
  });
}

/** The document about the vantages. */
export function buildVantages(standings: readonly VantageStanding[]): Document {
  return toJsonDocument(VANTAGES_KEY, {
    vantages: standings.map(({ vantage, isHeard, heardAtMs, connectivity, isWhiteList }) => ({
      ...describeVantage(vantage),
      publicKey: vantage.publicKey,
      answers: isHeard,
      heardAt: heardAtMs === null ? null : toUnixSeconds(heardAtMs),
      connectivity,
      whiteList: isWhiteList,
    })),
  } satisfies Vantages);
}

/** The answer of a vantage as it was signed, with the URLs that its results are about. */
export function buildRawEvidence(
  vantageId: string,
  { askId, atMs, urls, signed }: CitedEvidence,
): Document {
  return toJsonDocument(rawEvidenceKey(vantageId), {
    ask: askId,
    heardAt: toUnixSeconds(atMs),
    urls,
    jws: { payload: signed.payload, protected: signed.protected, signature: signed.signature },
  } satisfies RawEvidence);
}
