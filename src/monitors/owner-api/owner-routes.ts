import type { BlockList } from "node:net";
import { type Context, Hono } from "hono";
import { clientAddressOf } from "../../http-server/client-address.ts";
import {
  classifyOrigin,
  type OriginClass,
  type OriginRules,
} from "../../http-server/cors-origin.ts";
import type { ToNetworkKey } from "../../http-server/network-key.ts";
import type { RateLimiter } from "../../http-server/rate-limit.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import { senderOf } from "../ownership/sender.ts";
import { type Access, accessOf } from "./owner-access.ts";
import {
  changeMonitor,
  type OwnerActionDependencies,
  readMonitor,
  register,
  removeMonitor,
  requestKey,
  restoreMonitor,
  unavailable,
  verifyProof,
} from "./owner-actions.ts";
import { addChannel, removeChannel } from "./owner-channels.ts";
import { keyIn } from "./owner-keys.ts";
import {
  answerOwnerOptions,
  answerProblem,
  answerWrongMethod,
  type OwnerResponse,
  toOwnerResponse,
} from "./owner-responses.ts";
import { readJsonText } from "../../http-server/read-body.ts";

/** As in the intake of reports: Node's adapter passes `incoming`, a cloud function `remoteAddress`. */
export interface OwnerEnv {
  Bindings: {
    readonly incoming?: { readonly socket?: { readonly remoteAddress?: string | undefined } };
    readonly remoteAddress?: string;
  };
}

/** Whether owners can add monitors here. */
export type Availability = "unknown" | "on" | "off";

export interface OwnerApiDependencies extends OwnerActionDependencies, OriginRules {
  readonly proxies: BlockList;
  readonly toNetworkKey: ToNetworkKey;
  /** Of a network. */
  readonly limitRate: RateLimiter;
  /** Of looks for one monitor. */
  readonly limitLooks: RateLimiter;
  /** Waits a moment for the records; `unknown` if they are not loaded by then. */
  readonly availability: () => Promise<Availability>;
  readonly onRefused: (problem: OwnerProblem) => void;
}

type Operation = "register" | "record" | "verify" | "token" | "restore" | "channels" | "channel";

const METHODS: Readonly<Record<Operation, readonly string[]>> = {
  register: ["POST"],
  record: ["GET", "PATCH", "DELETE"],
  verify: ["POST"],
  token: ["POST"],
  restore: ["POST"],
  channels: ["POST"],
  channel: ["DELETE"],
};

/** A request whose path, method, origin and rate are in order. */
interface Asked {
  readonly context: Context<OwnerEnv>;
  readonly operation: Operation;
  /** Empty for a registration. */
  readonly id: string;
  readonly channelId?: string;
  /** Of the sender, with its block. */
  readonly network: string;
}

/** The operations of owners, `/monitors…`. An error thrown by a dependency is a defect and gives a 500. */
export function createOwnerApi(deps: OwnerApiDependencies): Hono<OwnerEnv> {
  const app = new Hono<OwnerEnv>();
  const inTurn = createTurns();
  app.all("*", async (context) => {
    const origin = originOf(context, deps);
    const isTrusted = origin === "own" || origin === "cors";
    const response = await answer(context, origin, deps, inTurn);
    if (response.problem !== undefined) deps.onRefused(response.problem);
    return toOwnerResponse(response, isTrusted ? context.req.header("Origin") : undefined);
  });
  app.onError(() =>
    toOwnerResponse({ status: 500, body: { title: "internal error", status: 500 } }, undefined),
  );
  return app;
}

/** Runs actions about one monitor one after another, so that `If-Match` holds. */
type InTurn = <T>(id: string, act: () => Promise<T>) => Promise<T>;

function createTurns(): InTurn {
  const turns = new Map<string, Promise<unknown>>();
  return async (id, act) => {
    const mine = (turns.get(id) ?? Promise.resolve()).then(act, act);
    turns.set(id, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(id) === mine) turns.delete(id);
    }
  };
}

async function answer(
  context: Context<OwnerEnv>,
  origin: OriginClass,
  deps: OwnerApiDependencies,
  inTurn: InTurn,
): Promise<OwnerResponse> {
  const target = targetOf(context.req.raw.url);
  if (target === undefined) return answerProblem("unknown");
  const methods = METHODS[target.operation];
  const allowed = [...methods, "OPTIONS"].join(", ");
  if (context.req.method === "OPTIONS") return answerOwnerOptions(allowed);
  if (!methods.includes(context.req.method)) return answerWrongMethod(allowed);
  if (origin === "foreign") return answerProblem("foreign-origin");
  const availability = await deps.availability();
  if (availability === "unknown") return unavailable();
  if (availability === "off") return answerProblem("off");
  const sender = admitSender(context, deps);
  if ("status" in sender) return sender;
  const asked = { context, ...target, ...sender };
  if (target.operation === "register") return answerRegistration(asked, deps);
  if (target.operation === "verify") return answerMonitor(asked, deps);
  return inTurn(target.id, () => answerMonitor(asked, deps));
}

/** From the raw URL: an id never needs percent-encoding. */
function targetOf(url: string): Pick<Asked, "operation" | "id" | "channelId"> | undefined {
  const [, id, operation, channelId] =
    /^[a-z]+:\/\/[^/?#]*\/monitors(?:\/([A-Za-z0-9_-]{1,64})(?:\/(verify|token|restore|channels(?:\/([A-Za-z0-9_-]{22}))?))?)?(?:[?#]|$)/u.exec(
      url,
    ) ?? [];
  if (id !== undefined && channelId !== undefined) return { id, operation: "channel", channelId };
  if (id !== undefined) return { id, operation: isOperation(operation) ? operation : "record" };
  return /^[a-z]+:\/\/[^/?#]*\/monitors(?:[?#]|$)/u.test(url)
    ? { id: "", operation: "register" }
    : undefined;
}

function isOperation(text: string | undefined): text is Operation {
  return text !== undefined && text in METHODS;
}

function originOf({ req }: Context<OwnerEnv>, rules: OriginRules): OriginClass {
  const headers = {
    origin: req.header("Origin"),
    fetchSite: req.header("Sec-Fetch-Site"),
    host: req.header("Host"),
  };
  return classifyOrigin(headers, rules);
}

/** The network of the sender, unless its address is unknown or it asks too often. */
function admitSender(
  context: Context<OwnerEnv>,
  { proxies, toNetworkKey, limitRate, nowMs }: OwnerApiDependencies,
): Pick<Asked, "network"> | OwnerResponse {
  // Despite its type, `env` is undefined if the app is called with a Request alone.
  const bindings: OwnerEnv["Bindings"] | undefined = context.env;
  const socketAddress = bindings?.remoteAddress ?? bindings?.incoming?.socket?.remoteAddress;
  const address = clientAddressOf(socketAddress, context.req.header("X-Forwarded-For"), proxies);
  if (address === undefined) return answerProblem("no-address");
  const key = toNetworkKey(address, nowMs());
  const retryAfterMs = limitRate(key.network, nowMs());
  return retryAfterMs === undefined
    ? { network: senderOf(key) }
    : answerProblem("flood", { retryAfterMs });
}

async function answerRegistration(
  { context, network }: Asked,
  deps: OwnerApiDependencies,
): Promise<OwnerResponse> {
  const text = await readJson(context);
  return typeof text === "string" ? register(deps, text, network) : text;
}

async function answerMonitor(asked: Asked, deps: OwnerApiDependencies): Promise<OwnerResponse> {
  const { context, operation, id, network } = asked;
  const owned = deps.book.index.get(id);
  if (operation === "token")
    return owned === undefined ? answerProblem("unknown") : requestKey(deps, owned, network);
  const access = accessOf(owned, keyIn(context.req.header("Authorization")), deps.nowMs());
  if (access === undefined) return answerProblem("unknown");
  if (operation === "verify") {
    const retryAfterMs = deps.limitLooks(id, deps.nowMs());
    return retryAfterMs === undefined
      ? verifyProof(deps, access, network)
      : answerProblem("flood", { retryAfterMs });
  }
  if (operation === "record" && context.req.method === "GET") return readMonitor(deps, access);
  if (access.kind === "candidate") return answerProblem("not-proved");
  if (operation === "restore") return restoreMonitor(deps, access.owned);
  return operation === "record"
    ? answerEdit(context, deps, access, network)
    : answerChannel(asked, deps, access);
}

async function answerChannel(
  { context, channelId }: Asked,
  deps: OwnerApiDependencies,
  { owned }: Access,
): Promise<OwnerResponse> {
  if (channelId !== undefined) return removeChannel(deps, owned, channelId);
  const text = await readJson(context);
  return typeof text === "string" ? addChannel(deps, owned, text) : text;
}

async function answerEdit(
  context: Context<OwnerEnv>,
  deps: OwnerApiDependencies,
  { owned }: Access,
  network: string,
): Promise<OwnerResponse> {
  if (context.req.method === "DELETE") return removeMonitor(deps, owned);
  const text = await readJson(context);
  return typeof text === "string"
    ? changeMonitor(deps, owned, text, context.req.header("If-Match"), network)
    : text;
}

/** The body of a request as text, or the refusal. */
async function readJson({ req }: Context<OwnerEnv>): Promise<string | OwnerResponse> {
  const read = await readJsonText(req.raw);
  if ("text" in read) return read.text;
  const { problem, detail } = read;
  return answerProblem(problem, detail === undefined ? {} : { detail });
}
