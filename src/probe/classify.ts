import type { DenialRule, Endpoint } from "../model/catalogue.ts";
import type { FailureCode } from "../model/outcome.ts";
import type { HttpAnswer } from "./http.ts";

/** What an endpoint's own rules need to judge an answer. */
export interface Expectation extends Pick<Endpoint, "expect" | "denied"> {
  /** Without `expect`: statuses from this one on are not healthy. Absent: 500. */
  readonly healthyBelow?: number;
  /** Text that a healthy body holds, in UTF-8. */
  readonly contains?: string;
}

export type Judgement =
  | { readonly kind: "ok" }
  | { readonly kind: "denied" }
  | { readonly kind: "failed"; readonly code: FailureCode; readonly fingerprint?: string };

/**
 * What a final answer says of an endpoint. Healthy is any status below 500 (or `healthyBelow`) except 451, or exactly
 * those the endpoint expects. A refusal counts as the service's own only when nobody in between can have written it, a block page only
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
    judgeStatus(answer.status, expectation) ?? answer.bodyFailure ?? judgeText(answer, expectation);
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

function judgeText({ body }: HttpAnswer, { contains }: Expectation): FailureCode | undefined {
  return contains === undefined || body.includes(contains) ? undefined : "body-unexpected";
}

/** Whether the answer is the service's own refusal of this region: all parts of the rule hold. */
export function matchesDenial(answer: HttpAnswer, rule: DenialRule): boolean {
  if (rule.status !== undefined && rule.status !== answer.status) return false;
  if (rule.location !== undefined && !locationOf(answer).includes(rule.location)) return false;
  return rule.body === undefined || answer.body.includes(rule.body);
}

function locationOf(answer: HttpAnswer): string {
  const value = answer.headers["location"];
  return (Array.isArray(value) ? value[0] : value) ?? "";
}

export type NextHop =
  | { readonly kind: "final" }
  | { readonly kind: "follow"; readonly url: URL }
  | { readonly kind: "refused" };

const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer leads. A 3xx that the endpoint expects, one that is the service's own denial, and one without a
 * `Location` are answers in themselves; a target that is no http or https URL is refused.
 *
 * @param isAuthentic as in `judgeAnswer`: a denial that anybody may have written is a redirect like any other.
 */
export function nextHop(
  answer: HttpAnswer,
  from: URL,
  expectation: Expectation,
  isAuthentic: boolean,
): NextHop {
  if (!REDIRECT_STATUSES.has(answer.status) || locationOf(answer) === "") return { kind: "final" };
  if (expectation.expect?.includes(answer.status) === true) return { kind: "final" };
  if (isAuthentic && expectation.denied !== undefined && matchesDenial(answer, expectation.denied))
    return { kind: "final" };
  const url = redirectTarget(answer, from);
  return url === undefined ? { kind: "refused" } : { kind: "follow", url };
}

/** Where the `Location` of an answer leads, without a fragment; undefined when to no http or https URL. */
export function redirectTarget(answer: HttpAnswer, from: URL): URL | undefined {
  const location = locationOf(answer);
  if (location === "" || !URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from.href);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  url.hash = "";
  return url;
}
