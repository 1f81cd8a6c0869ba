import { type Context, Hono } from "hono";
import { type ObjectStore, StoreError } from "../model/store.ts";
import {
  answerError,
  answerMethodNotAllowed,
  answerMissingPage,
  answerMoved,
  answerNotFound,
  answerObject,
  answerOptions,
} from "./answer.ts";
import {
  findMove,
  findTarget,
  isPagePath,
  MISSING_PAGE_KEY,
  type Route,
  ROUTES,
} from "./routes.ts";

/** What the Node adapter hands over beside the request; absent when the front is called without a socket. */
export interface FrontEnv {
  Bindings: { incoming?: { readonly url?: string | undefined } };
}

export interface FrontOptions {
  /**
   * The public paths.
   * @default ROUTES
   */
  readonly routes?: readonly Route[];
  /** Told of each read that failed; the client sees only a 503. */
  readonly onStoreError?: (error: StoreError) => void;
}

/**
 * Answers public paths from a store exactly as the CDN in front of it would: paths, types, headers, CORS, 301, 304, 404, 405.
 * A store that fails is a 503, and anything else that is thrown a 500; both carry the common headers.
 * What is mounted beside it must be registered first, since the front answers every path.
 */
export function createFront(
  store: Pick<ObjectStore, "read">,
  options: FrontOptions = {},
): Hono<FrontEnv> {
  const { routes = ROUTES, onStoreError } = options;
  const app = new Hono<FrontEnv>();

  app.all("*", async (context) => {
    const { method } = context.req;
    if (method === "OPTIONS") return answerOptions();
    if (method !== "GET" && method !== "HEAD") return answerMethodNotAllowed();
    const requestTarget = requestTargetOf(context);
    const move = findMove(requestTarget);
    if (move !== undefined) return answerMoved(move);
    const target = findTarget(requestTarget, routes);
    const found = target === undefined ? undefined : await store.read(target.key);
    if (target === undefined || found === undefined) return answerMissing(requestTarget);
    return answerObject(found.body, target, context.req.header("If-None-Match"));
  });

  /** That there is nothing is known already, so a store that cannot tell how to say it nicely makes it no error. */
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

/** As it came over the wire: `Request.url` has its dot segments resolved already, and would make `..` look innocent. */
function requestTargetOf(context: Context<FrontEnv>): string {
  // `env` is undefined, whatever its type says, when the app is called with a bare Request.
  const bindings: FrontEnv["Bindings"] | undefined = context.env;
  return bindings?.incoming?.url ?? context.req.url;
}
