import { createHash } from "node:crypto";
import { contentTypeOf, policiesOf } from "./kinds.ts";
import { CACHE_A_MINUTE, CACHE_AN_HOUR, CACHE_FOR_EVER } from "../model/service/snapshot.ts";
import type { RequestFault } from "../model/connections.ts";
import type { Lifetime, ServedObject } from "./preview-routes.ts";

const METHODS = "GET, HEAD, OPTIONS";

const FOR_A_MINUTE = { "Cache-Control": CACHE_A_MINUTE };

const CACHING: Readonly<Record<Lifetime, string>> = {
  minute: CACHE_A_MINUTE,
  hour: CACHE_AN_HOUR,
  ever: CACHE_FOR_EVER,
};

/**
 * Headers of every response, with any status, with and without `Origin`, so that scripts of other sites can read it. The
 * exposed headers give the server's clock (the visitor's may be wrong), the tag for a conditional request, and the wait after
 * a 429 or 503.
 */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Age, Date, ETag, Retry-After",
  "X-Content-Type-Options": "nosniff",
};

/** 200 with the object, or 304 if the request's `If-None-Match` already names it. */
export function answerObject(
  body: Uint8Array,
  { kind, lasts }: Pick<ServedObject, "kind" | "lasts">,
  ifNoneMatch: string | undefined,
): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers = {
    ...COMMON_HEADERS,
    "Cache-Control": CACHING[lasts],
    ...policiesOf(kind),
    ETag: etag,
  };
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) {
    return new Response(null, { status: 304, headers });
  }
  return new Response(new Uint8Array(body), {
    status: 200,
    headers: {
      ...headers,
      "Content-Type": contentTypeOf(kind),
      "Content-Length": String(body.byteLength),
    },
  });
}

/** 404 with a page for readers. Never 304, because the page is not the requested object. */
export function answerMissingPage(body: Uint8Array): Response {
  return new Response(new Uint8Array(body), {
    status: 404,
    headers: {
      ...COMMON_HEADERS,
      ...FOR_A_MINUTE,
      ...policiesOf("html"),
      "Content-Type": contentTypeOf("html"),
      "Content-Length": String(body.byteLength),
    },
  });
}

/** 301 to a path of this site. Has a cache lifetime because caches may keep a 301 without one forever. */
export function answerMoved(path: string): Response {
  return new Response(null, {
    status: 301,
    headers: { ...COMMON_HEADERS, ...FOR_A_MINUTE, Location: path, "Content-Length": "0" },
  });
}

/** 404. Cached like a document, so that a new service is visible within a minute. */
export function answerNotFound(): Response {
  return answerError(404, "not found", FOR_A_MINUTE);
}

/** 405, for all methods except GET, HEAD and OPTIONS. */
export function answerMethodNotAllowed(): Response {
  return answerError(405, "method not allowed", { ...FOR_A_MINUTE, Allow: METHODS });
}

/** 204, for CORS preflight and every other OPTIONS request. */
export function previewOptions(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...COMMON_HEADERS,
      ...FOR_A_MINUTE,
      Allow: METHODS,
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": "*",
      "Access-Control-Max-Age": "86400",
    },
  });
}

/** An error with the body `{"error": …}`. Not cached, unless the given headers allow it. */
export function answerError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = { "Cache-Control": "no-store" },
): Response {
  const body = JSON.stringify({ error: message });
  return new Response(body, {
    status,
    headers: {
      ...COMMON_HEADERS,
      ...headers,
      "Content-Type": contentTypeOf("json"),
      "Content-Length": String(Buffer.byteLength(body)),
    },
  });
}

const FAULTS = {
  malformed: [400, "bad request"],
  "head-too-large": [431, "request header too large"],
  "too-slow": [408, "request timeout"],
  internal: [500, "internal error"],
} as const satisfies Record<
  Exclude<RequestFault, "unknown-method">,
  readonly [status: number, error: string]
>;

/** The response to a request that never reached the front. */
export function previewFault(fault: RequestFault): Response {
  if (fault === "unknown-method") return answerMethodNotAllowed();
  const [status, message] = FAULTS[fault];
  return answerError(status, message);
}

/** Weak comparison, as RFC 9110, section 13.1.2, requires for `If-None-Match`. */
function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(etag);
}
