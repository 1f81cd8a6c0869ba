import type { RequestFault } from "../../model/connections.ts";
import { SECOND_MS } from "../../model/time.ts";

const METHODS = "POST, OPTIONS";

/** Every reason to refuse a report, with the status and the error text of the response. */
export const REPORT_REFUSALS = {
  "bad-request": [400, "bad request"],
  malformed: [400, "malformed body"],
  "unknown-symptom": [400, "unknown symptom"],
  "no-address": [400, "no client address"],
  "foreign-origin": [403, "origin not allowed"],
  "unknown-service": [404, "not found"],
  "wrong-method": [405, "method not allowed"],
  "too-slow": [408, "request timeout"],
  "too-large": [413, "body too large"],
  "unknown-media-type": [415, "unsupported media type"],
  flood: [429, "too many reports"],
  "head-too-large": [431, "request header too large"],
  unavailable: [503, "temporarily unavailable"],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalReason = keyof typeof REPORT_REFUSALS;

/** A response without the common headers. */
export interface IntakeResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** The rest of the body may still be arriving, and is not read. */
const CLOSES_CONNECTION: ReadonlySet<RefusalReason> = new Set(["too-large", "too-slow"]);

/** The response to a refused report, `{"error": …}` as everywhere in the API. `Retry-After` has whole seconds. */
export function answerRefusal(reason: RefusalReason, retryAfterMs?: number): IntakeResponse {
  const [status, error] = REPORT_REFUSALS[reason];
  return {
    status,
    body: { error },
    headers: {
      ...(reason === "wrong-method" && { Allow: METHODS }),
      ...(CLOSES_CONNECTION.has(reason) && { Connection: "close" }),
      ...(retryAfterMs !== undefined && {
        "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / SECOND_MS))),
      }),
    },
  };
}

/** The reason to refuse a request that did not reach the intake, by its fault; a fault of the adapter is not a refusal. */
export const FAULT_REASONS: Readonly<Record<RequestFault, RefusalReason | undefined>> = {
  malformed: "bad-request",
  "head-too-large": "head-too-large",
  "too-slow": "too-slow",
  "unknown-method": "wrong-method",
  internal: undefined,
};

/** The response to a request that the server could not pass to the intake. Its origin is unknown, so it has no CORS headers. */
export function answerFault(fault: RequestFault): Response {
  const reason = FAULT_REASONS[fault];
  return toResponse(reason === undefined ? REPORT_INTERNAL_ERROR : answerRefusal(reason));
}

/** 500: a defect of the intake. */
export const REPORT_INTERNAL_ERROR: IntakeResponse = {
  status: 500,
  body: { error: "internal error" },
};

/** 204 for OPTIONS. With CORS, a page of another site may send a JSON body. */
export function answerOptions(isCors: boolean): IntakeResponse {
  return { status: 204, headers: { Allow: METHODS, ...(isCors && PREFLIGHT) } };
}

const PREFLIGHT = {
  "Access-Control-Allow-Methods": METHODS,
  "Access-Control-Allow-Headers": "Content-Type",
  "Access-Control-Max-Age": "600",
};

/** 303: redirects a form to the page. */
export function answerSeeOther(path: string): IntakeResponse {
  return { status: 303, headers: { Location: path, "Content-Length": "0" } };
}

/** Adds the common headers. No cache may store a response, and only an allowed page of another site may read it. */
export function toResponse(
  { status, headers, body }: IntakeResponse,
  corsOrigin?: string,
): Response {
  const text = body === undefined ? null : JSON.stringify(body);
  return new Response(text, {
    status,
    headers: {
      ...headers,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      Vary: "Origin",
      ...(corsOrigin !== undefined && {
        "Access-Control-Allow-Origin": corsOrigin,
        "Access-Control-Expose-Headers": "Retry-After",
      }),
      ...(text !== null && {
        "Content-Type": "application/json; charset=utf-8",
        "Content-Length": String(Buffer.byteLength(text)),
      }),
    },
  });
}

/** A language of the website. Russian pages have no prefix. Source: docs/website.md. */
export type PageLanguage = "ru" | "en";

/** Path or URL of a service's page, to which a plain form is redirected. */
export type PageOf = (slug: string, language: PageLanguage) => string;

/** Pages whose paths begin with `root`, which is empty or has no trailing slash. The fragment shows the thanks without a script. */
export function pagesBelow(root: string): PageOf {
  return (slug, language) => `${root}${language === "en" ? "/en" : ""}/status/${slug}#reported`;
}
