import { createHash, randomBytes } from "node:crypto";
import { type Context, Hono, type HonoRequest } from "hono";
import { KEY_SOURCE } from "../model/ids.ts";
import { SECOND_MS } from "../model/time.ts";
import type { BodyReading, Fault, RequestProblem } from "../model/monitor/problems.ts";
import {
  admitSender,
  type RequestEnv,
  type SenderRefusal,
  type SenderRules,
} from "./admit-sender.ts";
import { isTrusted, originOf, type OriginClass, type OriginRules } from "./cors-origin.ts";
import type { NetworkKey } from "./network-key.ts";
import { type BodyRefusal, readJsonText } from "./read-body.ts";

/** A response before its common headers. */
export interface ApiResponse<Problem extends string> {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Why it is refused, for the metrics. */
  readonly problem?: Problem;
}

/** What a problem document says beside its code. */
export interface ProblemDetails {
  /** Where the code is explained; absent: nowhere but in its title. */
  readonly type?: string;
  readonly detail?: string;
  readonly errors?: readonly Fault[];
  readonly retryAfterMs?: number;
}

/** A problem document (RFC 9457). `code` is for programs. */
export function describeProblem<Problem extends string>(
  code: Problem,
  [status, title]: readonly [status: number, title: string],
  { type, detail, errors, retryAfterMs }: ProblemDetails,
): ApiResponse<Problem> {
  return {
    status,
    problem: code,
    headers: {
      "Content-Type": "application/problem+json",
      ...headersOfRefusal(code, retryAfterMs),
    },
    // JSON has no keys without a value.
    body: { type, title, status, code, detail, errors },
  };
}

/** When to try again, in whole seconds, and whether the connection ends. */
export function headersOfRefusal(reason: string, retryAfterMs: number | undefined) {
  return {
    // The rest of the body may still be arriving, and is not read.
    ...((reason === "too-large" || reason === "too-slow") && { Connection: "close" }),
    ...(retryAfterMs !== undefined && {
      "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / SECOND_MS))),
    }),
  };
}

/** The answer to a body that is not as it should be. */
export function answerUnread<Problem extends string>(
  { kind, ...details }: Exclude<BodyReading<unknown>, { readonly kind: "ok" }>,
  answerProblem: JsonApi<Problem>["answerProblem"],
): ApiResponse<Problem> {
  return answerProblem(kind, details);
}

export const INTERNAL_ERROR: ApiResponse<never> = {
  status: 500,
  body: { title: "internal error", status: 500 },
};

/** 405 with the methods that the path has. */
export function withAllowed<Problem extends string>(
  { headers, ...others }: ApiResponse<Problem>,
  methods: string,
): ApiResponse<Problem> {
  return { ...others, headers: { ...headers, Allow: methods } };
}

/** 204 for OPTIONS: what a page of another site may send. */
export function answerApiOptions(
  methods: string,
  headers = "Authorization, Content-Type, If-Match",
): ApiResponse<never> {
  return {
    status: 204,
    headers: {
      Allow: methods,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": headers,
      "Access-Control-Max-Age": "600",
    },
  };
}

/** Adds the common headers: no cache stores a response, no page learns where it came from, only our own and allowed pages read it. */
export function toApiResponse(
  { status, headers, body }: ApiResponse<string>,
  corsOrigin: string | undefined,
  exposed = "ETag, Location, Retry-After",
): Response {
  const text = body === undefined ? null : JSON.stringify(body);
  const readers = corsOrigin !== undefined && {
    "Access-Control-Allow-Origin": corsOrigin,
    "Access-Control-Expose-Headers": exposed,
  };
  const own = Object.entries(headers ?? {}).filter(
    ([name]) => readers !== false || !name.startsWith("Access-Control-"),
  );
  return new Response(text, {
    status,
    headers: {
      ...(text !== null && { "Content-Type": "application/json" }),
      ...Object.fromEntries(own),
      ...readers,
      // RFC 9110, section 8.6: a 204 has none.
      ...(status !== 204 && { "Content-Length": String(Buffer.byteLength(text ?? "")) }),
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      Vary: "Origin",
    },
  });
}

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
  const refuse = ({ reason, ...details }: SenderRefusal | BodyRefusal): ApiResponse<Problem> =>
    answerProblem(reason, details);
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
  if ("reason" in sender) return refuse(sender);
  const bearerKey = BEARER.exec(request.header("Authorization") ?? "")?.[1];
  return action({
    request,
    sender,
    bearerKey,
    withText: async (act) => {
      const read = await readJsonText(request.raw);
      return "text" in read ? act(read.text) : refuse(read);
    },
  });
}

const BEARER = new RegExp(`^Bearer +(${KEY_SOURCE})$`, "iu");

/** 256 random bits as base64url: 43 characters. */
export function newKey(): string {
  return randomBytes(32).toString("base64url");
}

/** SHA-256 as base64url. What is hashed has so many bits that no slower hash is needed. */
export function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
