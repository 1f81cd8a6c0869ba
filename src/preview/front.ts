import { type Context, Hono } from "hono";
import { compress } from "hono/compress";
import { type ObjectStore, StoreError } from "../model/store.ts";
import {
  answerError,
  answerMethodNotAllowed,
  answerMissingPage,
  answerMoved,
  answerNotFound,
  answerObject,
  previewOptions,
} from "./answer.ts";
import {
  findMove,
  findTarget,
  isPagePath,
  MISSING_PAGE_KEY,
  type Route,
  ROUTES,
} from "./preview-routes.ts";

/** Data from the Node adapter; absent if the front is called without a socket. */
export interface FrontEnv {
  Bindings: { incoming?: { readonly url?: string | undefined } };
}

export interface FrontOptions {
  /**
   * The public paths.
   * @default ROUTES
   */
  readonly routes?: readonly Route[];
  /** Called for each failed read; the client sees only a 503. */
  readonly onStoreError?: (error: StoreError) => void;
}

/**
 * Serves public paths from a store exactly as the CDN in front of it: paths, types, headers, CORS, 301, 304, 404, 405.
 * A failing store gives a 503, any other exception a 500; both have the common headers. Register other routes first,
 * because the front answers every path.
 */
export function createFront(
  store: Pick<ObjectStore, "read">,
  options: FrontOptions = {},
): Hono<FrontEnv> {
  const { routes = ROUTES, onStoreError } = options;
  const app = new Hono<FrontEnv>();
  app.use(compress());

  app.all("*", async (context) => {
    const { method } = context.req;
    if (method === "OPTIONS") return previewOptions();
    if (method !== "GET" && method !== "HEAD") return answerMethodNotAllowed();
    const requestTarget = requestTargetOf(context);
    const move = findMove(requestTarget);
    if (move !== undefined) return answerMoved(move);
    const target = findTarget(requestTarget, routes);
    const found = target === undefined ? undefined : await store.read(target.key);
    if (target === undefined || found === undefined) return answerMissing(requestTarget);
    return answerObject(found.body, target, context.req.header("If-None-Match"));
  });

  /** The object is known to be missing, so a store that cannot provide the 404 page is not an error for the client. */
  async function answerMissing(requestTarget: string): Promise<Response> {
    if (!isPagePath(requestTarget)) return answerNotFound();
    try {
      const page = await store.read(MISSING_PAGE_KEY);
      return page === undefined ? answerNotFound() : answerMissingPage(page.body);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      onStoreError?.(error);
      return answerNotFound();
    }
  }

  app.onError((error) => {
    if (!(error instanceof StoreError)) return answerError(500, "internal error");
    onStoreError?.(error);
    return answerError(503, "temporarily unavailable");
  });
  return app;
}

/** The target as received: `Request.url` has its dot segments resolved, which would hide a `..`. */
function requestTargetOf(context: Context<FrontEnv>): string {
  // Despite its type, `env` is undefined if the app is called with a bare Request.
  const bindings: FrontEnv["Bindings"] | undefined = context.env;
  return bindings?.incoming?.url ?? context.req.url;
}
