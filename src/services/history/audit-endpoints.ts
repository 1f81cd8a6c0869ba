import type { Catalogue, Endpoint, Service } from "../../model/service/catalogue.ts";
import type { FailureCode } from "../../model/failures.ts";
import {
  type EndpointResult,
  type Outcome,
  REFUSING_STATUSES,
  type Trace,
} from "../../model/probe-outcome.ts";
import { FREEZE_SHOWN_BYTES, tooSmallBody } from "../../model/service/freeze.ts";
import type { State } from "../../model/state.ts";
import { DAY_MS } from "../../model/time.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { failingShare, isChronic } from "./response-baseline.ts";
import { countWalls } from "./sample-codes.ts";

/** Source: docs/services/catalogue.md, "Audit". */
export const AUDIT_FINDINGS = [
  "unproven",
  "chronic",
  "redirects-elsewhere",
  "wall",
  "certificate-ends",
  "national-certificate",
  "small-answers",
] as const;
export type AuditFindingKind = (typeof AUDIT_FINDINGS)[number];

/** One thing that the operator should check. */
export type AuditFinding = ReturnType<typeof found>;

export type CatalogueAudit = ReturnType<typeof auditCatalogue>;

/** A shorter history describes the hour, not the catalogue: only what cannot pass by itself is told from it. */
const MIN_SPAN_MS = DAY_MS;
const MIN_RUNS = 2;
/** A name that does not exist, another site, the certificate of a stranger: an entry that is wrong in two runs is wrong. */
const LASTING: ReadonlySet<FailureCode> = new Set([
  "dns-nxdomain",
  "dns-no-answer",
  "redirect-unexpected",
  "cert-wrong-host",
  "cert-self-signed",
  "cert-unknown-issuer",
]);
/** Certificates are usually renewed some 30 days before they end, so one this close to its end was forgotten. */
const CERTIFICATE_ENDS_MS = 14 * DAY_MS;
/** Services with a critical endpoint in one network from which on the audit lists it. */
const MIN_SHARED = 3;

/**
 * Catalogue entries that are wrong, or soon will be, by the runs of up to seven days; `too-early` before there are two. Critical endpoints
 * come first, then in the order of `AUDIT_FINDINGS` and of the catalogue.
 *
 * @param networkOf gives the name of the network of an address.
 */
export function auditCatalogue(
  catalogue: Catalogue,
  { history, evidence }: State,
  networkOf: (address: string) => string,
  nowMs: number,
) {
  const runs = history.runs.length;
  const spanMs = (history.runs.at(-1)?.atMs ?? 0) - (history.runs[0]?.atMs ?? 0);
  if (runs < MIN_RUNS) return { kind: "too-early" as const, runs, spanMs };
  const isEarly = spanMs < MIN_SPAN_MS;
  const byService = catalogue.services.map((service) => {
    const probed = evidence.get(service.slug)?.endpoints ?? [];
    const results = new Map(probed.map(({ url, result }) => [url, result]));
    return service.endpoints.map((endpoint): Seen => {
      const { url } = endpoint;
      const samples = history.endpoints.get(url) ?? "";
      const isProven = history.proven.has(url);
      return { service, endpoint, samples, isProven, result: results.get(url) };
    });
  });
  const seen = byService.flat();
  const findings = [
    ...seen.flatMap((one) => [
      ...(isEarly && !isLasting(one) ? [] : findDead(one)),
      ...findAnswer(one, nowMs),
    ]),
    ...byService.flatMap(findSmall),
  ];
  return {
    kind: "audited" as const,
    runs,
    spanMs,
    endpoints: seen.length,
    /** Critical endpoints that have never answered, or in whose place only walls have. */
    unreached: seen.filter(({ endpoint, isProven }) => endpoint.isCritical && !isProven).length,
    findings: findings.toSorted((a, b) => rankOf(a) - rankOf(b)),
    networks: sharedNetworks(seen, networkOf),
  };
}

/** An endpoint, its samples of seven days, and the result of the last run. */
interface Seen {
  readonly service: Service;
  readonly endpoint: Endpoint;
  readonly samples: string;
  readonly isProven: boolean;
  readonly result: EndpointResult | undefined;
}

function rankOf({ kind, isCritical }: AuditFinding): number {
  return AUDIT_FINDINGS.indexOf(kind) + (isCritical ? 0 : AUDIT_FINDINGS.length);
}

function isLasting({ result }: Seen): boolean {
  return result?.outcome.kind === "failed" && LASTING.has(result.outcome.code);
}

/**
 * @param what what was measured, in English.
 * @param proposal lines for the endpoint's entry in the catalogue, or a comment if the operator has to decide. Empty: nothing to change.
 */
function found(
  { service: { slug }, endpoint: { url, isCritical } }: Seen,
  kind: AuditFindingKind,
  what: string,
  proposal: readonly string[],
) {
  return { kind, slug, url, isCritical, what, proposal };
}

/** Endpoints that never answer, or hardly ever. */
function findDead(seen: Seen): readonly AuditFinding[] {
  const { decided, ratio } = failingShare(seen.samples);
  if (decided === 0) return [];
  const why = describeLast(seen.result);
  const { walled } = countWalls(seen.samples);
  // What only a wall has answered is told as a wall.
  if (!seen.isProven && walled === decided) return [];
  if (!seen.isProven)
    return [found(seen, "unproven", `never healthy in ${decided} runs; ${why}`, propose(seen))];
  if (!isChronic(seen.samples)) return [];
  const share = `failed in ${(100 * ratio).toFixed(0)} % of ${decided} runs`;
  return [found(seen, "chronic", `${share}; ${why}`, propose(seen))];
}

function describeLast(result: EndpointResult | undefined): string {
  const outcome = result?.outcome;
  if (outcome?.kind !== "failed") return "the last run did not decide";
  const { httpStatus } = outcome.trace;
  return `last: ${outcome.code}${httpStatus === undefined ? "" : `, status ${httpStatus}`}`;
}

const ISSUER: ReadonlySet<FailureCode> = new Set(["cert-unknown-issuer", "cert-self-signed"]);
const REDIRECTS: ReadonlySet<FailureCode> = new Set(["redirect-loop", "redirect-too-many"]);

/** The catalogue line with which the last answer would be healthy; if there is none, a comment for the operator. */
function propose({ endpoint, result }: Seen): readonly string[] {
  const outcome = result?.outcome;
  if (outcome?.kind !== "failed") return [];
  const { code, trace } = outcome;
  if (ISSUER.has(code) && endpoint.trust === "public") return ["trust: national"];
  if (REDIRECTS.has(code)) return ["redirects: answer"];
  if (code === "http-unexpected-status" && trace.httpStatus !== undefined)
    return [`expect: [${[...(endpoint.expect ?? [200]), trace.httpStatus].join(", ")}]`];
  if (code === "http-legal-refusal") return ["denied: { status: 451 }"];
  return [`# replace or remove ${endpoint.url}`];
}

/** Findings from a healthy answer of the last run. */
function findAnswer(seen: Seen, nowMs: number): readonly AuditFinding[] {
  const outcome = seen.result?.outcome;
  if (outcome?.kind !== "ok") return [];
  return [
    ...findRedirect(seen, outcome.trace),
    ...findWall(seen, outcome.trace),
    ...findCertificate(seen, outcome.trace, nowMs),
  ];
}

function findRedirect(seen: Seen, { url, redirects }: Trace): readonly AuditFinding[] {
  const [from, to] = [new URL(seen.endpoint.url), new URL(url)];
  if (redirects === 0 || registrableDomainOf(from.hostname) === registrableDomainOf(to.hostname))
    return [];
  const what = `leads to another site: ${to.origin}/`;
  const proposal = [`url: ${to.origin}/`, `# or location: ${to.host}`];
  return [found(seen, "redirects-elsewhere", what, proposal)];
}

function findWall(seen: Seen, { httpStatus, wall }: Trace): readonly AuditFinding[] {
  if (wall !== undefined) {
    const what = `is answered by a wall against robots (${wall}): nothing is known of the service behind it`;
    const proposal = ["# ask its owner to let the runner in, or name an endpoint without it"];
    return [found(seen, "wall", what, proposal)];
  }
  if (httpStatus === undefined || !REFUSING_STATUSES.has(httpStatus)) return [];
  if (seen.endpoint.expect?.includes(httpStatus) === true) return [];
  const what = `answers ${httpStatus}: a wall is healthy while the service behind it may not be`;
  const proposal = [
    `expect: [200, ${httpStatus}]`,
    `# or, if this is a refusal of the region: denied: { status: ${httpStatus}, body: "…" }`,
  ];
  return [found(seen, "wall", what, proposal)];
}

function findCertificate(seen: Seen, trace: Trace, nowMs: number): readonly AuditFinding[] {
  const { certExpiresAtMs = Infinity, isNationalIssuer, tlsVerified } = trace;
  const leftMs = certExpiresAtMs - nowMs;
  const ends = `the certificate ends in ${Math.floor(leftMs / DAY_MS)} days`;
  const isUnverified = isNationalIssuer === true && tlsVerified !== true;
  const national =
    "the chain names the national authority, whose root was not given: --extra-ca would verify it";
  return [
    ...(leftMs < CERTIFICATE_ENDS_MS ? [found(seen, "certificate-ends", ends, [])] : []),
    ...(isUnverified ? [found(seen, "national-certificate", national, [])] : []),
  ];
}

/** The endpoint that sends most of a service abroad, if that is too little to show a freeze. */
function findSmall(seen: readonly Seen[]): readonly AuditFinding[] {
  // Only the last run is known: one that usually answers, and did not then, may be the one that sends more.
  if (seen.some(({ isProven, result }) => isProven && !ANSWERS.has(result?.outcome.kind)))
    return [];
  const outcomes = seen.flatMap(({ endpoint, result }) =>
    result === undefined ? [] : [[endpoint.url, result.outcome] as const],
  );
  const body = seen[0] && tooSmallBody(seen[0].service, outcomes);
  const largest = seen.find(({ endpoint }) => endpoint.url === body?.url);
  if (body === undefined || largest === undefined) return [];
  const what = `sends ${body.bytes} bytes, the most of its service: a freeze after some kilobytes would not show`;
  const proposal = `# add an endpoint that sends ${FREEZE_SHOWN_BYTES} bytes or more without cookies`;
  return [found(largest, "small-answers", what, [proposal])];
}

const ANSWERS: ReadonlySet<Outcome["kind"] | undefined> = new Set(["ok", "denied"]);

/** The networks on which several services depend, each with the services that have a critical endpoint there. */
function sharedNetworks(all: readonly Seen[], networkOf: (address: string) => string) {
  const slugsOf = new Map<string, Set<string>>();
  for (const { service, endpoint, result } of all) {
    if (!endpoint.isCritical || result === undefined || result.outcome.kind === "skipped") continue;
    const { address } = result.outcome.trace;
    if (address === undefined) continue;
    const network = networkOf(address);
    slugsOf.set(network, (slugsOf.get(network) ?? new Set()).add(service.slug));
  }
  return [...slugsOf]
    .filter(([, slugs]) => slugs.size >= MIN_SHARED)
    .map(([network, slugs]) => ({ network, slugs: [...slugs] }))
    .toSorted((a, b) => b.slugs.length - a.slugs.length);
}
