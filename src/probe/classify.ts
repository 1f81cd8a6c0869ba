import type { DenialRule, Endpoint } from "../model/catalogue.ts";
import type { FailureCode } from "../model/outcome.ts";
import type { HttpAnswer } from "./http.ts";
import { isWorksPage } from "./works-page.ts";

/** What an endpoint's own rules need to judge an answer. */
export interface Expectation extends Pick<
  Endpoint,
  "expect" | "denied" | "body" | "notBody" | "location" | "redirects" | "works"
> {
  /** Without `expect`: statuses from this one on are not healthy. Absent: 500. */
  readonly healthyBelow?: number;
}

export type Judgement =
  | { readonly kind: "ok" }
  | { readonly kind: "denied" }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly fingerprint?: string };

/**
 * What a final answer says of an endpoint. Healthy is any status below 500 (or `healthyBelow`) except 451, or exactly
 * those the endpoint expects; then the texts of the endpoint are looked for, and it must be no page of works. A refusal counts as the service's own only when nobody in between can have written it, a block page only
 * when somebody can: the two never compete.
 *
 * @param isAuthentic every hop came over verified TLS.
 * @param blockPage id of the block-page fingerprint that matches, if any.
 */
export function judgeAnswer(
  answer: HttpAnswer,
  expectation: Expectation,
  isAuthentic: boolean,
  blockPage: string | undefined,
): Judgement {
  if (isAuthentic && expectation.denied !== undefined && matchesDenial(answer, expectation.denied))
    return { kind: "denied" };
  if (!isAuthentic && blockPage !== undefined)
    return { kind: "failed", code: "http-block-page", fingerprint: blockPage };
  const code =
    judgeStatus(answer.status, expectation) ??
    answer.bodyFailure ??
    judgeText(answer, expectation) ??
    judgeWorks(answer, expectation);
  return code === undefined ? { kind: "ok" } : { kind: "failed", code };
}

function judgeStatus(
  status: number,
  { expect, healthyBelow }: Expectation,
): FailureCode | undefined {
  if (expect?.includes(status) === true) return undefined;
  if (status === 451) return "http-legal-refusal";
  if (status >= 500 && status < 600) return "http-server-error";
  const isHealthy = expect === undefined && (healthyBelow === undefined || status < healthyBelow);
  return isHealthy ? undefined : "http-unexpected-status";
}

function judgeWorks(answer: HttpAnswer, { works }: Expectation): FailureCode | undefined {
  return works !== "answer" && isWorksPage(answer) ? "body-works" : undefined;
}

function judgeText(answer: HttpAnswer, expectation: Expectation): FailureCode | undefined {
  const { body, notBody = [] } = expectation;
  if (notBody.some((text) => answer.body.includes(text))) return "body-unexpected";
  if (body === undefined || answer.body.includes(body)) return undefined;
  return isWithoutPage(answer, expectation) ? undefined : "body-unexpected";
}

/** Headers in which a wall against robots says that it asks a riddle in place of the page: that of Amazon, that of Cloudflare. */
const CHALLENGE_HEADERS = ["x-amzn-waf-action", "cf-mitigated"] as const;

/**
 * An answer of a living server that cannot hold the text of its page: a redirect that is the answer here, a refusal of
 * robots or of strangers, a challenge. A status that the endpoint names in `expect` is never one.
 */
function isWithoutPage(
  { status, headers }: HttpAnswer,
  { expect, redirects }: Expectation,
): boolean {
  if (expect !== undefined) return false;
  if (redirects === "answer" && REDIRECT_STATUSES.has(status)) return true;
  return (status >= 400 && status < 500) || CHALLENGE_HEADERS.some((name) => name in headers);
}

/** Whether the answer is the service's own refusal of this region: all parts of the rule hold. */
export function matchesDenial(answer: HttpAnswer, rule: DenialRule): boolean {
  if (rule.status !== undefined && rule.status !== answer.status) return false;
  if (rule.location !== undefined && !leadsTo(answer, rule.location)) return false;
  return rule.body === undefined || answer.body.includes(rule.body);
}

function leadsTo(answer: HttpAnswer, part: string): boolean {
  const location = readLocation(answer);
  return location.kind === "one" && location.value.includes(part);
}

/** A longer one is taken for an attack, or for a loop that grows. Source: docs/measurement.md, Redirects. */
const MAX_LOCATION_CHARACTERS = 2_048;

/** What an unescaped URL may not hold: control characters, and bytes beyond ASCII (which the parser gives as Latin-1). */
const RAW_BYTE = /[^ -~]/u;

type LocationHeader =
  | { readonly kind: "none" }
  | { readonly kind: "one"; readonly value: string }
  | { readonly kind: "malformed" };

function readLocation(answer: HttpAnswer): LocationHeader {
  const values = locationsOf(answer);
  const [value = ""] = values;
  if (values.length > 1) return { kind: "malformed" };
  if (value === "") return { kind: "none" };
  return value.length > MAX_LOCATION_CHARACTERS || RAW_BYTE.test(value)
    ? { kind: "malformed" }
    : { kind: "one", value };
}

function locationsOf({ headers: { location = [] } }: HttpAnswer): readonly string[] {
  return typeof location === "string" ? [location] : location;
}

export type NextHop =
  | { readonly kind: "final" }
  /** It is a redirect, and not the one that the endpoint has. */
  | { readonly kind: "elsewhere" }
  | { readonly kind: "follow"; readonly url: URL }
  | { readonly kind: "refused" }
  /** It is a redirect, and where to cannot be told. */
  | { readonly kind: "malformed" };

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer leads. A 3xx that the endpoint expects, any where redirects are its answer, one that is the service's
 * own denial, and one without a `Location` are answers in themselves. Two `Location` headers, raw bytes in one, and one of over 2,048 characters are
 * malformed; a target that is no http or https URL is refused.
 *
 * @param isAuthentic as in `judgeAnswer`: a denial that anybody may have written is a redirect like any other.
 * @param isFirst the answer is that of the endpoint's own URL, which alone has to lead where `location` says.
 */
export function nextHop(
  answer: HttpAnswer,
  from: URL,
  expectation: Expectation,
  isAuthentic: boolean,
  isFirst: boolean,
): NextHop {
  const location = readLocation(answer);
  if (!REDIRECT_STATUSES.has(answer.status) || location.kind === "none") return { kind: "final" };
  if (isAuthentic && expectation.denied !== undefined && matchesDenial(answer, expectation.denied))
    return { kind: "final" };
  if (isFirst && leadsElsewhere(location, from, expectation.location)) return { kind: "elsewhere" };
  if (expectation.redirects === "answer" || expectation.expect?.includes(answer.status) === true)
    return { kind: "final" };
  if (location.kind === "malformed") return location;
  const url = targetOf(location.value, from);
  return url === undefined ? { kind: "refused" } : { kind: "follow", url };
}

/** Looked for in the header as it came and in the URL that it stands for: `/login` also leads to the host of the endpoint. */
function leadsElsewhere(location: LocationHeader, from: URL, part: string | undefined): boolean {
  if (part === undefined) return false;
  if (location.kind !== "one") return true;
  return !location.value.includes(part) && !targetOf(location.value, from)?.href.includes(part);
}

/** Where an answer leads by each of its `Location` headers, malformed ones included: for evidence, not to be followed. */
export function targetsNamed(answer: HttpAnswer, from: URL): readonly URL[] {
  return locationsOf(answer).flatMap((location) => targetOf(location, from) ?? []);
}

/** Without a fragment; undefined for nothing, and for what is no http or https URL. */
function targetOf(location: string, from: URL): URL | undefined {
  if (location === "" || !URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.hash = "";
  return url;
}
