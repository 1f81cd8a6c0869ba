import type { Catalogue, Endpoint, Service } from "../../model/service/catalogue.ts";
import {
  type EndpointResult,
  type FailureCode,
  type Outcome,
  REFUSING_STATUSES,
  type Trace,
} from "../../model/probe-outcome.ts";
import type { State } from "../../model/state.ts";
import { DAY_MS } from "../../model/time.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { failingShare, isChronic } from "./response-baseline.ts";
import { countWalls } from "./sample-codes.ts";
import { isCriticalOf } from "./views.ts";

/** Source: docs/services/catalogue.md, "Audit". */
export const AUDIT_FINDINGS = [
  "unproven",
  "chronic",
  "redirects-elsewhere",
  "wall",
  "certificate-ends",
  "national-certificate",
] as const;
export type AuditFindingKind = (typeof AUDIT_FINDINGS)[number];

/** One thing that the operator should check. */
export interface AuditFinding {
  readonly kind: AuditFindingKind;
  readonly slug: string;
  readonly url: string;
  /** The verdict of the service rests on it. */
  readonly isCritical: boolean;
  /** What was measured, in English. */
  readonly what: string;
  /** Lines for the endpoint's entry in the catalogue, or a comment if the operator has to decide. Empty: nothing to change. */
  readonly proposal: readonly string[];
}

/** A network on which several services depend. */
export interface SharedNetwork {
  readonly network: string;
  /** Services with a critical endpoint there. */
  readonly slugs: readonly string[];
}

export type CatalogueAudit =
  /** There are fewer than two runs. */
  | { readonly kind: "too-early"; readonly runs: number; readonly spanMs: number }
  | {
      readonly kind: "audited";
      readonly runs: number;
      readonly spanMs: number;
      readonly endpoints: number;
      /** Critical endpoints that have never answered, or in whose place only walls have. */
      readonly unreached: number;
      readonly findings: readonly AuditFinding[];
      readonly networks: readonly SharedNetwork[];
    };

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
 * Catalogue entries that are wrong, or soon will be, by the runs of up to seven days. Critical endpoints come first, then in the order
 * of `AUDIT_FINDINGS` and of the catalogue.
 *
 * @param networkOf gives the name of the network of an address.
 */
export function auditCatalogue(
  catalogue: Catalogue,
  { history, evidence }: State,
  networkOf: (address: string) => string,
  nowMs: number,
): CatalogueAudit {
  const runs = history.runs.length;
  const spanMs = (history.runs.at(-1)?.atMs ?? 0) - (history.runs[0]?.atMs ?? 0);
  if (runs < MIN_RUNS) return { kind: "too-early", runs, spanMs };
  const isEarly = spanMs < MIN_SPAN_MS;
  const seen = catalogue.services.flatMap((service) => {
    const results = new Map(
      evidence.get(service.slug)?.endpoints.map(({ url, result }) => [url, result]),
    );
    return service.endpoints.map((endpoint): Seen => {
      const { url } = endpoint;
      const samples = history.endpoints.get(url) ?? "";
      return {
        service,
        endpoint,
        samples,
        isProven: history.proven.has(url),
        result: results.get(url),
      };
    });
  });
  const findings = seen.flatMap((one) => [
    ...(isEarly && !isLasting(one) ? [] : findDead(one)),
    ...findAnswer(one, nowMs),
  ]);
  return {
    kind: "audited",
    runs,
    spanMs,
    endpoints: seen.length,
    unreached: seen.filter((one) => isCriticalIn(one) && !one.isProven).length,
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

function isCriticalIn({ service, endpoint }: Seen): boolean {
  return isCriticalOf(service, endpoint);
}

function isLasting({ result }: Seen): boolean {
  return result?.outcome.kind === "failed" && LASTING.has(result.outcome.code);
}

function found(
  seen: Seen,
  kind: AuditFindingKind,
  what: string,
  proposal: readonly string[],
): AuditFinding {
  const { slug } = seen.service;
  return { kind, slug, url: seen.endpoint.url, isCritical: isCriticalIn(seen), what, proposal };
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
  const trace = traceOf(seen.result?.outcome);
  if (trace === undefined) return [];
  return [
    ...findRedirect(seen, trace),
    ...findWall(seen, trace),
    ...findCertificate(seen, trace, nowMs),
  ];
}

function traceOf(outcome: Outcome | undefined): Trace | undefined {
  return outcome?.kind === "ok" ? outcome.trace : undefined;
}

function findRedirect(seen: Seen, { url, redirects }: Trace): readonly AuditFinding[] {
  const [from, to] = [new URL(seen.endpoint.url), new URL(url)];
  if (redirects === 0 || registrableDomainOf(from.hostname) === registrableDomainOf(to.hostname))
    return [];
  const what = `leads to another site: ${to.origin}/`;
  return [
    found(seen, "redirects-elsewhere", what, [`url: ${to.origin}/`, `# or location: ${to.host}`]),
  ];
}

function findWall(seen: Seen, { httpStatus, wall }: Trace): readonly AuditFinding[] {
  if (wall !== undefined) {
    const what = `is answered by a wall against robots (${wall}): nothing is known of the service behind it`;
    return [
      found(seen, "wall", what, [
        "# ask its owner to let the runner in, or name an endpoint without it",
      ]),
    ];
  }
  if (httpStatus === undefined || !REFUSING_STATUSES.has(httpStatus)) return [];
  if (seen.endpoint.expect?.includes(httpStatus) === true) return [];
  const what = `answers ${httpStatus}: a wall is healthy while the service behind it may not be`;
  return [
    found(seen, "wall", what, [
      `expect: [200, ${httpStatus}]`,
      `# or, if this is a refusal of the region: denied: { status: ${httpStatus}, body: "…" }`,
    ]),
  ];
}

function findCertificate(
  seen: Seen,
  { certExpiresAtMs, isNationalIssuer, tlsVerified }: Trace,
  nowMs: number,
): readonly AuditFinding[] {
  const leftMs = certExpiresAtMs === undefined ? Infinity : certExpiresAtMs - nowMs;
  const days = Math.floor(leftMs / DAY_MS);
  return [
    ...(leftMs < CERTIFICATE_ENDS_MS
      ? [found(seen, "certificate-ends", `the certificate ends in ${days} days`, [])]
      : []),
    ...(isNationalIssuer === true && tlsVerified !== true
      ? [
          found(
            seen,
            "national-certificate",
            "the chain names the national authority, whose root was not given: --extra-ca would verify it",
            [],
          ),
        ]
      : []),
  ];
}

function addressOf(result: EndpointResult | undefined): string | undefined {
  const outcome = result?.outcome;
  return outcome === undefined || outcome.kind === "skipped" ? undefined : outcome.trace.address;
}

function sharedNetworks(
  all: readonly Seen[],
  networkOf: (address: string) => string,
): readonly SharedNetwork[] {
  const slugsOf = new Map<string, Set<string>>();
  for (const { service, endpoint, result } of all) {
    const address = addressOf(result);
    if (address === undefined || !isCriticalOf(service, endpoint)) continue;
    const network = networkOf(address);
    slugsOf.set(network, (slugsOf.get(network) ?? new Set()).add(service.slug));
  }
  return [...slugsOf]
    .filter(([, slugs]) => slugs.size >= MIN_SHARED)
    .map(([network, slugs]) => ({ network, slugs: [...slugs] }))
    .toSorted((a, b) => b.slugs.length - a.slugs.length);
}
