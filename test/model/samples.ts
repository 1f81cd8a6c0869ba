import type {
  Annotation,
  Catalogue,
  Endpoint,
  Service,
} from "../../src/model/service/catalogue.ts";
import { FINE } from "../../src/model/service/connectivity.ts";
import type { EndpointScope } from "../../src/model/service/interference.ts";
import type { Vantage } from "../../src/model/service/vantage.ts";
import type { RunMark, RunRecord, ServiceHistory } from "../../src/model/service/history.ts";
import { FAILURES, type FailureCode } from "../../src/model/failures.ts";
import type { EndpointResult, Outcome, Trace } from "../../src/model/probe-outcome.ts";

/** Small valid values for tests of the pure core; tests override only what they are about. */

export const T0 = 1_800_000_000_000;

export function minutes(count: number): number {
  return count * 60_000;
}

export function traceOf(totalMs: number, changes: Partial<Trace> = {}): Trace {
  return {
    url: "https://example.ru/",
    redirects: 0,
    bodyBytes: 1_000,
    rawBytes: 5_000,
    tlsVerified: true,
    timings: { totalMs },
    ...changes,
  };
}

export function ok(totalMs = 200): Outcome {
  return { kind: "ok", trace: traceOf(totalMs, { httpStatus: 200 }) };
}

export function failed(code: FailureCode, changes: Partial<Trace> = {}): Outcome {
  return { kind: "failed", stage: FAILURES[code].stage, code, trace: traceOf(90, changes) };
}

export function resultOf(outcome: Outcome, isFlaky = false): EndpointResult {
  return { outcome, isFlaky, attempts: [outcome] };
}

export function endpointOf(url: string, isCritical: boolean): Endpoint {
  return { url, what: "page", isCritical, trust: "public" };
}

export function serviceOf(
  slug: string,
  endpoints: readonly Endpoint[],
  kinds: readonly Annotation["kind"][] = [],
): Service {
  const annotations = kinds.map((kind): Annotation => {
    return {
      kind,
      since: "2022-03-04",
      reason: "a reason",
      source: { url: "https://example.org/", title: "News" },
    };
  });
  return {
    slug,
    name: `Сервис ${slug}`,
    category: "banks",
    endpoints,
    annotations,
    isAbroad: false,
    aliases: [],
  };
}

export function catalogueOf(
  services: readonly Service[],
  anchorUrls: readonly string[] = [],
): Catalogue {
  return {
    categories: [{ id: "banks", name: "Банки и платежи" }],
    anchors: anchorUrls.map((url) => ({ url, scope: "domestic", network: url })),
    services,
  };
}

export function runMark(changes: Partial<RunMark> = {}): RunMark {
  return { atMs: T0, isCongested: false, connectivity: "fine", ...changes };
}

export function runRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    atMs: T0,
    isCongested: false,
    connectivity: FINE,
    results: new Map(),
    anchors: new Map(),
    networks: new Map(),
    ...changes,
  };
}

export function serviceHistoryOf(changes: Partial<ServiceHistory> = {}): ServiceHistory {
  return {
    checkClass: "up",
    sinceMs: T0,
    isSinceExact: true,
    isBlocked: false,
    claims: [],
    checkedAtMs: T0,
    lastOutage: null,
    lastPartial: null,
    sharedCause: null,
    outages: [],
    strip: "",
    days: [],
    ...changes,
  };
}

/** A control as documents call it. */
export const PLACE_NAMED = {
  id: "ams",
  kind: "control",
  country: "NL",
  asn: 64_500,
  network: "Example",
} as const;

export const PLACE: Vantage = { ...PLACE_NAMED, publicKey: "key" };

/** An endpoint that fails here and works in two networks abroad. */
export function endpointScopeOf(url: string, changes: Partial<EndpointScope> = {}): EndpointScope {
  return {
    url,
    finding: "failing",
    scope: "russia",
    row: 7,
    isClaimed: false,
    working: 2,
    failing: 0,
    cutBy: "name",
    votes: "agreed",
    ...changes,
  };
}
