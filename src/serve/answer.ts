import { createHash } from "node:crypto";
import { contentTypeOf, policiesOf } from "./kinds.ts";
import type { RequestFault } from "../model/connections.ts";
import type { Target } from "./routes.ts";

const METHODS = "GET, HEAD, OPTIONS";

/** The API promises at most a minute of caching, for what is missing as well. */
const CACHE_A_MINUTE = { "Cache-Control": "max-age=60" };

/** What only a new version of this program changes. Pages name their style and script by digest, so they need not wait for it. */
const CACHE_AN_HOUR = { "Cache-Control": "max-age=3600" };

/**
 * On every answer, whatever its status, and whether or not the request names an `Origin`: a browser may read all of them, and
 * with them the clock, for that of the visitor may be wrong, the tag to ask again with, and how long to wait after a 429 or 503.
 */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Age, Date, ETag, Retry-After",
  "X-Content-Type-Options": "nosniff",
};

/** 200 with the object, or 304 when the request's `If-None-Match` names it already. */
export function answerObject(
  body: Uint8Array,
  { kind, isLasting }: Pick<Target, "kind" | "isLasting">,
  ifNoneMatch: string | undefined,
): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers = {
    ...COMMON_HEADERS,
    ...(isLasting ? CACHE_AN_HOUR : CACHE_A_MINUTE),
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

/** 404 with a page, for readers. Never 304: what is kept of it is no object. */
export function answerMissingPage(body: Uint8Array): Response {
  return new Response(new Uint8Array(body), {
    status: 404,
    headers: {
      ...COMMON_HEADERS,
      ...CACHE_A_MINUTE,
      ...policiesOf("html"),
      "Content-Type": contentTypeOf("html"),
      "Content-Length": String(body.byteLength),
    },
  });
}

/** 301, to a path of this site. Cached like a document, for without a word caches may keep it for ever. */
export function answerMoved(path: string): Response {
  return new Response(null, {
    status: 301,
    headers: { ...COMMON_HEADERS, ...CACHE_A_MINUTE, Location: path, "Content-Length": "0" },
  });
}

/** 404. Cached like a document, so that a service that is added is seen within a minute. */
export function answerNotFound(): Response {
  return answerError(404, "not found", CACHE_A_MINUTE);
}

/** 405, for everything but GET, HEAD and OPTIONS. */
export function answerMethodNotAllowed(): Response {
  return answerError(405, "method not allowed", { ...CACHE_A_MINUTE, Allow: METHODS });
}

/** 204: what a browser asks before an unusual request, and what OPTIONS is for otherwise. */
export function answerOptions(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      ...COMMON_HEADERS,
      ...CACHE_A_MINUTE,
      Allow: METHODS,
      "Access-Control-Allow-Methods": METHODS,
      "Access-Control-Allow-Headers": "*",
      "Access-Control-Max-Age": "86400",
    },
  });
}

/** An error with the body `{"error": …}`. Not cached, unless the headers given say so. */
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

/** The answer to a request that could not be handed to the front. */
export function answerFault(fault: RequestFault): Response {
  if (fault === "unknown-method") return answerMethodNotAllowed();
  const [status, message] = FAULTS[fault];
  return answerError(status, message);
}

/** Weak comparison, as RFC 9110, section 13.1.2, wants it for `If-None-Match`. */
function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(etag);
}
