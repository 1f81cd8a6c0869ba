import type { DenialRule, Endpoint } from "../../model/service/catalogue.ts";
import type { FailureCode } from "../../model/failures.ts";
import { hasText, isCoded, textOf } from "./answer-text.ts";
import type { HttpResponse } from "../network/http.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { isParked } from "./walls.ts";
import { isMaintenancePage } from "./maintenance-page.ts";
import { valuesOf } from "../network/response-parser.ts";
import type { Failure } from "../network/single-request.ts";

export interface Expectation extends Pick<
  Endpoint,
  "expect" | "denied" | "body" | "notBody" | "location" | "sites" | "redirects" | "works"
> {
  /** Without `expect`: the lowest status that is not healthy. Absent: 500. */
  readonly healthyBelow?: number;
}

export type AnswerClass = { readonly kind: "ok" | "denied" } | Failure;

/**
 * Classifies a final response. Healthy is any status below 500 (or `healthyBelow`) except 451, or exactly those that the endpoint expects; then
 * its texts must match, and it must not be a maintenance page. A denial counts only if no third party can have written it, a block page only
 * if one can: the two never compete.
 *
 * @param isAuthentic every hop came over verified TLS.
 * @param blockPage id of the matching block-page fingerprint, if any.
 */
export function classifyAnswer(
  answer: HttpResponse,
  expectation: Expectation,
  isAuthentic: boolean,
  blockPage: string | undefined,
): AnswerClass {
  if (isAuthentic && matchesDenial(answer, expectation.denied)) return { kind: "denied" };
  if (!isAuthentic && blockPage !== undefined)
    return { kind: "failed", code: "http-block-page", fingerprint: blockPage };
  const code =
    classifyStatus(answer.status, expectation) ??
    answer.bodyFailure ??
    // No browser shows it.
    (isCoded(answer) && textOf(answer) === "broken" ? "body-malformed" : undefined) ??
    classifyText(answer, expectation) ??
    (expectation.works !== "answer" && isMaintenancePage(answer) ? "body-works" : undefined);
  return code === undefined ? { kind: "ok" } : { kind: "failed", code };
}

function classifyStatus(
  status: number,
  { expect, healthyBelow }: Expectation,
): FailureCode | undefined {
  if (expect?.includes(status) === true) return undefined;
  if (status === 451) return "http-legal-refusal";
  if (status >= 500 && status < 600) return "http-server-error";
  const isHealthy = expect === undefined && (healthyBelow === undefined || status < healthyBelow);
  return isHealthy ? undefined : "http-unexpected-status";
}

function classifyText(answer: HttpResponse, expectation: Expectation): FailureCode | undefined {
  const { body, notBody = [], sites } = expectation;
  if (notBody.some((text) => hasText(answer, text))) return "body-unexpected";
  if (sites !== undefined && isParked(answer)) return "body-unexpected";
  if (body === undefined || hasText(answer, body)) return undefined;
  return isWithoutPage(answer, expectation) ? undefined : "body-unexpected";
}

/** Whether a response cannot contain the text of its page: a redirect that is the answer, or a refusal that `expect` does not list. */
function isWithoutPage({ status }: HttpResponse, { expect, redirects }: Expectation): boolean {
  if (expect !== undefined) return false;
  if (redirects === "answer" && REDIRECT_STATUSES.has(status)) return true;
  return status >= 400 && status < 500;
}

/** Whether the response is the service's own refusal of this region: all parts of the rule, if there is one, must match. */
export function matchesDenial(answer: HttpResponse, rule: DenialRule | undefined): boolean {
  if (rule === undefined) return false;
  if (rule.status !== undefined && rule.status !== answer.status) return false;
  const location = readLocation(answer);
  const target = location.kind === "one" ? location.value : undefined;
  if (rule.location !== undefined && !target?.includes(rule.location)) return false;
  return rule.body === undefined || hasText(answer, rule.body);
}

/** A longer one is an attack or a growing loop; single sign-on has some thousands. Source: docs/probe/measurement.md, "Redirects". */
const MAX_LOCATION_CHARACTERS = 16_384;

/** Bytes beyond ASCII, which the parser returns as Latin-1. */
const RAW_BYTE = /[\u0080-\u00ff]/gu;

type LocationHeader =
  | { readonly kind: "none" | "malformed" }
  | { readonly kind: "one"; readonly value: string };

function readLocation(answer: HttpResponse): LocationHeader {
  const values = new Set(valuesOf(answer.headers, "location"));
  const [value = ""] = values;
  // Browsers follow equal ones, and refuse different ones.
  if (values.size > 1) return { kind: "malformed" };
  if (value === "") return { kind: "none" };
  if (value.length > MAX_LOCATION_CHARACTERS) return { kind: "malformed" };
  return { kind: "one", value: percentEncoded(value) };
}

/** Each byte beyond ASCII, as browsers do, so that those of UTF-8 become the URL that was meant. */
function percentEncoded(value: string): string {
  return value.replace(RAW_BYTE, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** `elsewhere`: a redirect, but not to the `location` of the endpoint. `malformed`: one whose target is ambiguous or invalid. */
export type NextHop =
  | { readonly kind: "final" | "elsewhere" | "refused" | "malformed" }
  | { readonly kind: "follow"; readonly url: URL };

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * The next hop of a response. Final are a 3xx that the endpoint expects, any 3xx if redirects are its answer, an authentic denial, and a 3xx
 * without `Location`. Malformed are two different `Location` headers, and an overlong one. Only http and https are followed.
 *
 * @param isAuthentic as in `classifyAnswer`: a denial that a third party may have written is an ordinary redirect.
 * @param isFirst the response is for the endpoint's own URL; only that one must match `location`.
 */
export function nextHop(
  answer: HttpResponse,
  from: URL,
  expectation: Expectation,
  isAuthentic: boolean,
  isFirst: boolean,
): NextHop {
  const location = readLocation(answer);
  if (!REDIRECT_STATUSES.has(answer.status) || location.kind === "none") return { kind: "final" };
  if (isAuthentic && matchesDenial(answer, expectation.denied)) return { kind: "final" };
  if (isFirst && leadsElsewhere(location, from, expectation.location)) return { kind: "elsewhere" };
  if (expectation.sites !== undefined && leavesSites(location, from, expectation.sites))
    return { kind: "elsewhere" };
  if (expectation.redirects === "answer" || expectation.expect?.includes(answer.status) === true)
    return { kind: "final" };
  if (location.kind !== "one") return { kind: "malformed" };
  const url = targetOf(location.value, from);
  return url === undefined ? { kind: "refused" } : { kind: "follow", url };
}

/** Whether a redirect leaves the sites of the owner: the name was sold, or moved, and the catalogue does not know it yet. */
function leavesSites(location: LocationHeader, from: URL, sites: readonly string[]): boolean {
  const url = location.kind === "one" ? targetOf(location.value, from) : undefined;
  return url !== undefined && !sites.includes(registrableDomainOf(url.hostname));
}

/** Searches the header as received and the resolved URL, so that `/login` also matches the host of the endpoint. */
function leadsElsewhere(location: LocationHeader, from: URL, part: string | undefined): boolean {
  if (part === undefined) return false;
  if (location.kind !== "one") return true;
  return !location.value.includes(part) && !targetOf(location.value, from)?.href.includes(part);
}

/** The targets of all `Location` headers, malformed ones included: as evidence, not to be followed. */
export function targetsNamed(answer: HttpResponse, from: URL): readonly URL[] {
  return valuesOf(answer.headers, "location").flatMap(
    (location) => targetOf(percentEncoded(location), from) ?? [],
  );
}

/** Without a fragment; undefined if empty or not an http or https URL. */
function targetOf(location: string, from: URL): URL | undefined {
  if (location === "" || !URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.hash = "";
  return url;
}
