import type { BlockList } from "node:net";
import { type Context, Hono } from "hono";
import { clientAddressOf } from "../http-server/client-address.ts";
import { classifyOrigin, type OriginClass, type OriginRules } from "../http-server/cors-origin.ts";
import type { ToNetworkKey } from "../http-server/network-key.ts";
import { answerApiOptions, toApiResponse, withAllowed } from "../http-server/problem-response.ts";
import type { RateLimiter } from "../http-server/rate-limit.ts";
import { readJsonText } from "../http-server/read-json.ts";
import type { VisitorProblem } from "../model/monitor/problems.ts";
import {
  answerVisitorProblem,
  changeServices,
  subscribe,
  unsubscribe,
  type VisitorActionDependencies,
  type VisitorResponse,
} from "./visitor-actions.ts";

/** As in the intake of reports: Node's adapter passes `incoming`, a cloud function `remoteAddress`. */
export interface VisitorEnv {
  Bindings: {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
    readonly remoteAddress?: string;
  };
}

export interface VisitorApiDependencies extends VisitorActionDependencies, OriginRules {
  readonly proxies: BlockList;
  readonly toNetworkKey: ToNetworkKey;
  /** Of all requests of a network. */
  readonly limitRate: RateLimiter;
  /** Of its subscriptions. */
  readonly limitSubscriptions: RateLimiter;
  /** Of the subscriptions of the block around it. */
  readonly limitBlock: RateLimiter;
  /** Whether a notifier sends what browsers ask for. */
  readonly isOn: boolean;
  readonly onRefused: (problem: VisitorProblem) => void;
}

/** The operations of visitors, `/push…`. An error thrown by a dependency is a defect and gives a 500. */
export function createVisitorApi(deps: VisitorApiDependencies): Hono<VisitorEnv> {
  const app = new Hono<VisitorEnv>();
  app.all("*", async (context) => {
    const origin = originOf(context, deps);
    const isTrusted = origin === "own" || origin === "cors";
    const response = await answer(context, origin, deps);
    if (response.problem !== undefined) deps.onRefused(response.problem);
    return toApiResponse(response, isTrusted ? context.req.header("Origin") : undefined);
  });
  app.onError(() =>
    toApiResponse({ status: 500, body: { title: "internal error", status: 500 } }, undefined),
  );
  return app;
}

function originOf({ req }: Context<VisitorEnv>, rules: OriginRules): OriginClass {
  const headers = {
    origin: req.header("Origin"),
    fetchSite: req.header("Sec-Fetch-Site"),
    host: req.header("Host"),
  };
  return classifyOrigin(headers, rules);
}

async function answer(
  context: Context<VisitorEnv>,
  origin: OriginClass,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  const { method } = context.req;
  const target = targetOf(context.req.raw.url);
  if (target === undefined) return answerVisitorProblem("unknown");
  const methods = target.id === undefined ? ["POST"] : ["PUT", "DELETE"];
  const allowed = [...methods, "OPTIONS"].join(", ");
  if (method === "OPTIONS") return answerApiOptions(allowed);
  if (!methods.includes(method)) return withAllowed(answerVisitorProblem("wrong-method"), allowed);
  if (origin === "foreign") return answerVisitorProblem("foreign-origin");
  if (!deps.isOn) return answerVisitorProblem("off");
  const refusal = refusalOf(context, deps);
  if (refusal !== undefined) return refusal;
  return act(context, target.id, deps);
}

async function act(
  context: Context<VisitorEnv>,
  id: string | undefined,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  const token = tokenIn(context.req.header("Authorization"));
  if (id !== undefined && token === undefined) return answerVisitorProblem("unknown");
  if (id !== undefined && token !== undefined && context.req.method === "DELETE")
    return unsubscribe(deps, id, token);
  const read = await readJsonText(context.req.raw);
  if ("problem" in read) {
    const { problem, detail } = read;
    return answerVisitorProblem(problem, detail === undefined ? {} : { detail });
  }
  return id !== undefined && token !== undefined
    ? changeServices(deps, id, token, read.text)
    : subscribe(deps, read.text);
}

/** From the raw URL: an id never needs percent-encoding. Undefined: another path. */
function targetOf(url: string): { readonly id: string | undefined } | undefined {
  const found = /^[a-z]+:\/\/[^/?#]*\/push(?:\/([A-Za-z0-9_-]{43}))?(?:[?#]|$)/u.exec(url);
  return found === null ? undefined : { id: found[1] };
}

/** The token in `Authorization: Bearer …` (RFC 6750); undefined if there is none of the right form. */
function tokenIn(authorization: string | undefined): string | undefined {
  return /^Bearer +([A-Za-z0-9_-]{43})$/iu.exec(authorization ?? "")?.[1];
}

/** Why a network may not ask now. Its address is only hashed for the limits, which are in memory. */
function refusalOf(
  context: Context<VisitorEnv>,
  deps: VisitorApiDependencies,
): VisitorResponse | undefined {
  const { proxies, toNetworkKey, limitRate, limitSubscriptions, limitBlock } = deps;
  // Despite its type, `env` is undefined if the app is called with a Request alone.
  const bindings: VisitorEnv["Bindings"] | undefined = context.env;
  const socketAddress = bindings?.remoteAddress ?? bindings?.incoming?.socket?.remoteAddress;
  const address = clientAddressOf(socketAddress, context.req.header("X-Forwarded-For"), proxies);
  if (address === undefined) return answerVisitorProblem("no-address");
  const nowMs = deps.nowMs();
  const { network, block } = toNetworkKey(address, nowMs);
  const floodMs = limitRate(network, nowMs);
  if (floodMs !== undefined) return answerVisitorProblem("flood", { retryAfterMs: floodMs });
  if (context.req.method !== "POST") return undefined;
  const fullMs = limitSubscriptions(network, nowMs) ?? limitBlock(block, nowMs);
  return fullMs === undefined
    ? undefined
    : answerVisitorProblem("limit-network", { retryAfterMs: fullMs });
}
