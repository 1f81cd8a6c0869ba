import { createHash, randomBytes } from "node:crypto";
import { type Context, Hono, type HonoRequest } from "hono";
import type { RequestProblem } from "../model/monitor/problems.ts";
import { admitSender, type RequestEnv, type SenderRules } from "./admit-sender.ts";
import { isTrusted, originOf, type OriginClass, type OriginRules } from "./cors-origin.ts";
import type { NetworkKey } from "./network-key.ts";
import {
  answerApiOptions,
  type ApiResponse,
  INTERNAL_ERROR,
  type ProblemDetails,
  toApiResponse,
  withAllowed,
} from "./problem-response.ts";
import { readJsonText } from "./read-body.ts";

/** A request whose path, method, origin and rate are in order. */
export interface Asked<Problem extends string> {
  readonly request: HonoRequest;
  readonly sender: NetworkKey;
  /** In `Authorization: Bearer …` (RFC 6750), if it has the form of a `newKey`. */
  readonly bearerKey: string | undefined;
  /** Answers the body of the request, or says why it cannot be read. */
  readonly withText: (
    act: (text: string) => Promise<ApiResponse<Problem>>,
  ) => Promise<ApiResponse<Problem>>;
}

/** What can be done at a URL, by method. */
export type Actions<Problem extends string> = Readonly<
  Record<string, (asked: Asked<Problem>) => Promise<ApiResponse<Problem>>>
>;

export interface JsonApi<Problem extends string> extends OriginRules, SenderRules {
  /** From the raw URL, because an id never needs percent-encoding. Undefined: another path. */
  readonly actionsAt: (url: string) => Actions<Problem> | undefined;
  /** Why nothing is done at present. */
  readonly pause: () => Promise<ApiResponse<Problem> | undefined>;
  readonly answerProblem: (code: RequestProblem, details?: ProblemDetails) => ApiResponse<Problem>;
  readonly nowMs: () => number;
  readonly onRefused: (problem: Problem) => void;
}

/** Operations with JSON bodies and problem documents. An error thrown by a dependency is a defect and gives a 500. */
export function createJsonApi<Problem extends string>(api: JsonApi<Problem>): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.all("*", async (context) => {
    const origin = originOf(context.req.raw.headers, api);
    const response = await answer(context, origin, api);
    if (response.problem !== undefined) api.onRefused(response.problem);
    return toApiResponse(response, isTrusted(origin) ? context.req.header("Origin") : undefined);
  });
  app.onError(() => toApiResponse(INTERNAL_ERROR, undefined));
  return app;
}

async function answer<Problem extends string>(
  context: Context<RequestEnv>,
  origin: OriginClass,
  api: JsonApi<Problem>,
): Promise<ApiResponse<Problem>> {
  const { req: request } = context;
  const { answerProblem } = api;
  const actions = new Map(Object.entries(api.actionsAt(request.raw.url) ?? {}));
  if (actions.size === 0) return answerProblem("unknown");
  const allowed = [...actions.keys(), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return answerApiOptions(allowed);
  const action = actions.get(request.method);
  if (action === undefined) return withAllowed(answerProblem("wrong-method"), allowed);
  if (origin === "foreign") return answerProblem("foreign-origin");
  const paused = await api.pause();
  if (paused !== undefined) return paused;
  const sender = admitSender(context, api.nowMs(), api);
  if ("reason" in sender) {
    const { reason, ...details } = sender;
    return answerProblem(reason, details);
  }
  const bearerKey = BEARER.exec(request.header("Authorization") ?? "")?.[1];
  return action({
    request,
    sender,
    bearerKey,
    withText: async (act) => {
      const read = await readJsonText(request.raw);
      if ("text" in read) return act(read.text);
      const { problem, ...details } = read;
      return answerProblem(problem, details);
    },
  });
}

const BEARER = /^Bearer +([A-Za-z0-9_-]{43})$/iu;

/** 256 random bits as base64url: 43 characters. */
export function newKey(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 as base64url. What is hashed has so many bits that no slower hash is needed. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
