import { createHash } from "node:crypto";
import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import type { RequestFault } from "../model/connections.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import {
  CACHE_CONTROL,
  CONTENT_TYPES,
  findServed,
  MISSING_PAGE_KEY,
  type ObjectKind,
  type Route,
  ROUTES,
  type Served,
} from "../model/public-paths.ts";

/** Data from the Node adapter; absent if the front is called without a socket. */
interface FrontEnv {
  Bindings: { incoming?: { readonly url?: string | undefined } };
}

interface FrontOptions {
  readonly routes?: readonly Route[];
  /** Called for each failed read; the client sees only a 503. */
  readonly onStoreError?: (error: StoreError) => void;
}

/**
 * Serves public paths from a store exactly as the CDN in front of it: paths, types, headers, CORS, 301, 304, 404, 405. A failing store
 * gives a 503, any other exception a 500; both have the common headers. Register other routes first, because the front answers every path.
 */
export function createFront(
  store: Pick<ObjectStore, "read">,
  { routes = ROUTES, onStoreError }: FrontOptions = {},
): Hono<FrontEnv> {
  const app = new Hono<FrontEnv>();
  app.use(compress());

  app.all("*", async (context) => {
    const { method } = context.req;
    if (method === "OPTIONS") return answerEmpty(204, PREFLIGHT);
    if (method !== "GET" && method !== "HEAD") return previewFault("unknown-method");
    const path = pathOf(context);
    // The English index is a folder. Without a lifetime caches may keep a 301 forever.
    if (path === "/en")
      return answerEmpty(301, { ...FOR_A_MINUTE, Location: "/en/", "Content-Length": "0" });
    const target = findTarget(path, routes);
    const found = target && (await store.read(target.key));
    if (target === undefined || found === undefined) return answerMissing(path);
    return answerObject(found.body, target, context.req.header("If-None-Match"));
  });

  /** The object is known to be missing, so a store that cannot provide the 404 page is not an error for the client. */
  async function answerMissing(path: string): Promise<Response> {
    if (!isPagePath(path)) return answerNotFound();
    try {
      const page = await store.read(MISSING_PAGE_KEY);
      // Never 304, because the page is not the requested object.
      return page === undefined
        ? answerNotFound()
        : answerBody(404, "html", page.body, FOR_A_MINUTE);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      onStoreError?.(error);
      return answerNotFound();
    }
  }

  app.onError((error) => {
    if (!(error instanceof StoreError)) return previewFault("internal");
    onStoreError?.(error);
    return answerError(503, "temporarily unavailable");
  });
  return app;
}

/** The path of the target as received: `Request.url` has its dot segments resolved, which would hide a `..`. */
function pathOf(context: Context<FrontEnv>): string {
  // Despite its type, `env` is undefined if the app is called with a bare Request.
  const bindings: FrontEnv["Bindings"] | undefined = context.env;
  const target = bindings?.incoming?.url ?? context.req.url;
  // Proxies send the absolute form (RFC 9112, section 3.2.2).
  return target.replace(/^https?:\/\/[^/?#]*/i, "").split("?", 1)[0] ?? "";
}

const METHODS = "GET, HEAD, OPTIONS";

type HeaderFields = Readonly<Record<string, string>>;

const FOR_A_MINUTE = { "Cache-Control": CACHE_CONTROL.minute };

/** Of every response, for scripts of other sites: with the server's clock, the tag for a conditional request, and the wait after a 503. */
export const COMMON_HEADERS: HeaderFields = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Age, Date, ETag, Retry-After",
  "X-Content-Type-Options": "nosniff",
};

function answerEmpty(status: number, headers: HeaderFields): Response {
  return new Response(null, { status, headers: { ...COMMON_HEADERS, ...headers } });
}

function answerBody(
  status: number,
  kind: ObjectKind,
  body: Uint8Array,
  headers: HeaderFields,
): Response {
  return new Response(new Uint8Array(body), {
    status,
    headers: {
      ...COMMON_HEADERS,
      ...headers,
      ...POLICIES[kind],
      "Content-Type": CONTENT_TYPES[kind],
      "Content-Length": String(body.byteLength),
    },
  });
}

/** 200 with the object, or 304 if the request's `If-None-Match` already names it. */
function answerObject(
  body: Uint8Array,
  { kind, lasts }: Served,
  ifNoneMatch: string | undefined,
): Response {
  const etag = `"${createHash("sha256").update(body).digest("base64url")}"`;
  const headers = { "Cache-Control": CACHE_CONTROL[lasts], ETag: etag };
  return ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)
    ? answerEmpty(304, { ...headers, ...POLICIES[kind] })
    : answerBody(200, kind, body, headers);
}

/** Weak comparison, as RFC 9110, section 13.1.2, requires for `If-None-Match`. */
function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === "*") return true;
  const named: readonly string[] = ifNoneMatch.match(/"[^"]*"/g) ?? [];
  return named.includes(etag);
}

/** For CORS preflight and every other OPTIONS request. */
const PREFLIGHT: HeaderFields = {
  ...FOR_A_MINUTE,
  Allow: METHODS,
  "Access-Control-Allow-Methods": METHODS,
  "Access-Control-Allow-Headers": "*",
  "Access-Control-Max-Age": "86400",
};

/** An error with the body `{"error": …}`. Not cached, unless the given headers allow it. */
function answerError(
  status: number,
  message: string,
  headers: HeaderFields = { "Cache-Control": "no-store" },
): Response {
  return answerBody(status, "json", Buffer.from(JSON.stringify({ error: message })), headers);
}

/** Cached like a document, so that a new service is visible within a minute. */
function answerNotFound(): Response {
  return answerError(404, "not found", FOR_A_MINUTE);
}

const FAULTS: Readonly<Record<RequestFault, Parameters<typeof answerError>>> = {
  malformed: [400, "bad request"],
  "head-too-large": [431, "request header too large"],
  "too-slow": [408, "request timeout"],
  "unknown-method": [405, "method not allowed", { ...FOR_A_MINUTE, Allow: METHODS }],
  internal: [500, "internal error"],
};

/** The response to a request that never reached the front, that it does not serve, or on which it failed. */
export function previewFault(fault: RequestFault): Response {
  return answerError(...FAULTS[fault]);
}

/** Browser policies of a kind; a response without a body has them too, because it renews them. */
const POLICIES: Readonly<Partial<Record<ObjectKind, HeaderFields>>> = {
  // An SVG opened by itself is a document that could run scripts on our origin; a badge needs only inline styles.
  svg: { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
  // A page loads nothing from other sites, runs no inline scripts, and cannot be framed.
  html: {
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "strict-origin-when-cross-origin",
  },
};

/**
 * The object for a path (raw, as received); undefined if there is none. Decodes nothing and resolves no dot segments, like the fronts of
 * `docs/publish/fronts.md`. Never throws.
 */
function findTarget(path: string, routes: readonly Route[]) {
  if (!path.startsWith("/")) return undefined;
  const name = path.slice(1);
  const served = findServed(name, routes);
  const key = name === "" || name.endsWith("/") ? `${name}index.html` : name;
  return served && { key, ...served };
}

/** Whether a missing path gets the page for readers instead of JSON. Only the path counts. Source: docs/publish/fronts.md. */
function isPagePath(path: string): boolean {
  const last = path.slice(path.lastIndexOf("/") + 1);
  const isOfProgram = path.startsWith("/api/") || path === "/metrics" || last.includes(".");
  return path.startsWith("/") && !isOfProgram;
}
