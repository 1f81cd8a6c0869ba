import { type Context, Hono } from "hono";
import { admitSender, type RequestEnv, type SenderRules } from "../http-server/admit-sender.ts";
import {
  type OriginClass,
  type OriginRules,
  isTrusted,
  originOf,
} from "../http-server/cors-origin.ts";
import {
  answerApiOptions,
  toApiResponse,
  withAllowed,
  type ApiResponse,
  describeProblem,
  INTERNAL_ERROR,
  type ProblemDetails,
} from "../http-server/problem-response.ts";
import type { RateLimiter } from "../http-server/rate-limit.ts";
import { type VisitorProblem, VISITOR_PROBLEMS } from "../model/monitor/problems.ts";
import { createHash, randomBytes } from "node:crypto";
import { readJsonText } from "../http-server/read-body.ts";
import { VISITOR_KEPT_MS } from "../model/monitor/visitor.ts";
import { SECOND_MS, toUnixSeconds } from "../model/time.ts";
import type { VisitorEdit, VisitorEditResult } from "./apply-edit.ts";
import {
  readServices,
  readSubscription,
  type VisitorRequest,
  type VisitorRules,
} from "./read-request.ts";

/** A store that does not answer is asked again after so long. */
const RETRY_AFTER_MS = 30 * SECOND_MS;

export interface VisitorApiDependencies extends OriginRules, SenderRules {
  readonly rules: VisitorRules;
  readonly isOn: boolean;
  /** Resolves when the edit is durable, or cannot be made so. Never rejects. */
  readonly persist: (edit: VisitorEdit) => Promise<VisitorEditResult | "refused">;
  readonly nowMs: () => number;
  readonly limitSubscriptions: RateLimiter;
  /** Of the subscriptions of the block around it. */
  readonly limitBlock: RateLimiter;
  readonly onKept: (kind: VisitorEdit["kind"]) => void;
  readonly onRefused: (problem: VisitorProblem) => void;
}

type VisitorResponse = ApiResponse<VisitorProblem>;

/** The operations of visitors, `/push…`. An error thrown by a dependency is a defect and gives a 500. */
export function createVisitorApi(deps: VisitorApiDependencies): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  app.all("*", async (context) => {
    const origin = originOf(context.req.raw.headers, deps);
    const response = await answer(context, origin, deps);
    if (response.problem !== undefined) deps.onRefused(response.problem);
    return toApiResponse(response, isTrusted(origin) ? context.req.header("Origin") : undefined);
  });
  app.onError(() => toApiResponse(INTERNAL_ERROR, undefined));
  return app;
}

async function answer(
  context: Context<RequestEnv>,
  origin: OriginClass,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  const { method } = context.req;
  const target = targetOf(context.req.raw.url);
  if (target === undefined) return answerProblem("unknown");
  const methods = target.id === undefined ? ["POST"] : ["PUT", "DELETE"];
  const allowed = [...methods, "OPTIONS"].join(", ");
  if (method === "OPTIONS") return answerApiOptions(allowed);
  if (!methods.includes(method)) return withAllowed(answerProblem("wrong-method"), allowed);
  if (origin === "foreign") return answerProblem("foreign-origin");
  if (!deps.isOn) return answerProblem("off");
  const refusal = refusalOf(context, deps);
  if (refusal !== undefined) return refusal;
  const { raw } = context.req;
  return target.id === undefined ? subscribe(raw, deps) : change(target.id, raw, deps);
}

function answerProblem(code: VisitorProblem, details: ProblemDetails = {}): VisitorResponse {
  return describeProblem(code, VISITOR_PROBLEMS[code], details);
}

/** From the raw URL: an id never needs percent-encoding. Undefined: another path. */
function targetOf(url: string): { readonly id: string | undefined } | undefined {
  const found = /^[a-z]+:\/\/[^/?#]*\/push(?:\/([A-Za-z0-9_-]{43}))?(?:[?#]|$)/u.exec(url);
  return found === null ? undefined : { id: found[1] };
}

/** Why a network may not ask now. Its address is only hashed for the limits, which are in memory. */
function refusalOf(
  context: Context<RequestEnv>,
  deps: VisitorApiDependencies,
): VisitorResponse | undefined {
  const atMs = deps.nowMs();
  const sender = admitSender(context, atMs, deps);
  if ("reason" in sender) {
    const { reason, ...details } = sender;
    return answerProblem(reason, details);
  }
  if (context.req.method !== "POST") return undefined;
  const fullMs =
    deps.limitSubscriptions(sender.network, atMs) ?? deps.limitBlock(sender.block, atMs);
  return fullMs === undefined
    ? undefined
    : answerProblem("limit-network", { retryAfterMs: fullMs });
}

/** SHA-256 as base64url. What is hashed has so many bits that no slower hash is needed. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** `POST /push`. */
async function subscribe(request: Request, deps: VisitorApiDependencies): Promise<VisitorResponse> {
  const read = await readWanted(request, (text) => readSubscription(text, deps.rules));
  if ("status" in read) return read;
  const { receiver, services, language } = read.wanted;
  const id = hashOf(receiver.endpoint);
  const token = randomBytes(32).toString("base64url");
  const renewedAtMs = deps.nowMs();
  const visitor = { id, ...receiver, tokenHash: hashOf(token), language, services, renewedAtMs };
  const kept = {
    status: 201,
    headers: { Location: `/push/${id}` },
    body: { id, token, services, until: untilOf(renewedAtMs) },
  };
  return persist({ kind: "subscribe", visitor }, kept, deps);
}

/** `PUT` and `DELETE /push/<id>`, with the token in `Authorization: Bearer …` (RFC 6750). */
async function change(
  id: string,
  request: Request,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  const authorization = request.headers.get("Authorization") ?? "";
  const token = /^Bearer +([A-Za-z0-9_-]{43})$/iu.exec(authorization)?.[1];
  if (token === undefined) return answerProblem("unknown");
  const known = { id, tokenHash: hashOf(token) };
  if (request.method === "DELETE")
    return persist({ kind: "unsubscribe", ...known }, { status: 204 }, deps);
  const read = await readWanted(request, (text) => readServices(text, deps.rules));
  if ("status" in read) return read;
  const { services } = read.wanted;
  const atMs = deps.nowMs();
  const kept = { status: 200, body: { id, services, until: untilOf(atMs) } };
  return persist({ kind: "services", ...known, services, atMs }, kept, deps);
}

function untilOf(renewedAtMs: number): number {
  return toUnixSeconds(renewedAtMs + VISITOR_KEPT_MS);
}

/** What a body asks for, or the answer to one that cannot be read. */
async function readWanted<Wanted>(
  request: Request,
  parse: (text: string) => VisitorRequest<Wanted>,
): Promise<{ readonly wanted: Wanted } | VisitorResponse> {
  const body = await readJsonText(request);
  if ("problem" in body) {
    const { problem, ...details } = body;
    return answerProblem(problem, details);
  }
  const read = parse(body.text);
  if (read.kind === "invalid") return answerProblem("invalid", { errors: read.faults });
  return read.kind === "malformed" ? answerProblem("malformed") : read;
}

/** Makes an edit durable. @param kept the answer then. */
async function persist(
  edit: VisitorEdit,
  kept: VisitorResponse,
  deps: VisitorApiDependencies,
): Promise<VisitorResponse> {
  const result = await deps.persist(edit);
  if (result === "refused") return answerProblem("unavailable", { retryAfterMs: RETRY_AFTER_MS });
  if (result !== "kept") return answerProblem(result);
  deps.onKept(edit.kind);
  return kept;
}
