import type { Catalogue, Endpoint, Service } from "../../model/catalogue.ts";
import {
  AUDIT_FINDINGS,
  type AuditFinding,
  type AuditFindingKind,
  type CatalogueAudit,
  type SharedNetwork,
} from "../../model/audit.ts";
import type { EndpointResult, FailureCode, Outcome, Trace } from "../../model/probe-outcome.ts";
import type { State } from "../../model/state.ts";
import { DAY_MS } from "../../model/time.ts";
import { failingShare, isChronic } from "./response-baseline.ts";
import { isCriticalOf } from "./views.ts";

/** A shorter history describes the hour, not the catalogue. */
const MIN_SPAN_MS = DAY_MS;
/** Certificates are usually renewed some 30 days before they end, so one this close to its end was forgotten. */
const CERTIFICATE_ENDS_MS = 14 * DAY_MS;
/** Statuses with which bot walls and sign-in pages answer. */
const WALL_STATUSES: ReadonlySet<number> = new Set([401, 403, 405, 406, 418, 429]);
/** Services with a critical endpoint in one network from which on the audit lists it. */
const MIN_SHARED = 3;

/**
 * Catalogue entries that are wrong, or soon will be, by the runs of up to seven days. Findings are in the order of
 * `AUDIT_FINDINGS`, then of the catalogue.
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
  if (spanMs < MIN_SPAN_MS) return { kind: "too-early", runs, spanMs };
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
  const addresses = sharedAddresses(seen);
  const findings = seen.flatMap((one) => [
    ...findDead(one),
    ...findAnswer(one, nowMs),
    ...findShared(one, addresses),
  ]);
  return {
    kind: "audited",
    runs,
    spanMs,
    endpoints: seen.length,
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

function rankOf({ kind }: AuditFinding): number {
  return AUDIT_FINDINGS.indexOf(kind);
}

function found(
  { service, endpoint }: Seen,
  kind: AuditFindingKind,
  what: string,
  proposal: readonly string[],
): AuditFinding {
  return { kind, slug: service.slug, url: endpoint.url, what, proposal };
}

/** Endpoints that never answer, or hardly ever. */
function findDead(seen: Seen): readonly AuditFinding[] {
  const { decided, ratio } = failingShare(seen.samples);
  if (decided === 0) return [];
  const why = describeLast(seen.result);
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
  if (redirects === 0 || siteOf(from.hostname) === siteOf(to.hostname)) return [];
  const what = `leads to another site: ${to.origin}/`;
  return [
    found(seen, "redirects-elsewhere", what, [`url: ${to.origin}/`, `# or location: ${to.host}`]),
  ];
}

/** The last two labels of a name. */
function siteOf(host: string): string {
  return host.split(".").slice(-2).join(".");
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
  if (httpStatus === undefined || !WALL_STATUSES.has(httpStatus)) return [];
  if (seen.endpoint.expect?.includes(httpStatus) === true) return [];
  if (seen.endpoint.redirects === "answer") return [];
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

/** Endpoints by address, for addresses that serve several services. */
function sharedAddresses(all: readonly Seen[]): ReadonlyMap<string, readonly Seen[]> {
  const byAddress = new Map<string, Seen[]>();
  for (const seen of all) {
    const address = addressOf(seen.result);
    if (address !== undefined) byAddress.set(address, [...(byAddress.get(address) ?? []), seen]);
  }
  return new Map(
    [...byAddress].filter(([, seen]) => new Set(seen.map(({ service }) => service.slug)).size > 1),
  );
}

function addressOf(result: EndpointResult | undefined): string | undefined {
  const outcome = result?.outcome;
  return outcome === undefined || outcome.kind === "skipped" ? undefined : outcome.trace.address;
}

function findShared(
  seen: Seen,
  addresses: ReadonlyMap<string, readonly Seen[]>,
): readonly AuditFinding[] {
  const address = addressOf(seen.result) ?? "";
  const others = addresses.get(address)?.filter(({ service }) => service !== seen.service) ?? [];
  if (others.length === 0) return [];
  const slugs = [...new Set(others.map(({ service }) => service.slug))];
  return [found(seen, "shared-address", `${address} serves ${slugs.join(", ")} too`, [])];
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
