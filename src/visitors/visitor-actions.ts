import { createHash, randomBytes } from "node:crypto";
import {
  type ApiResponse,
  describeProblem,
  type ProblemDetails,
} from "../http-server/problem-response.ts";
import { SECOND_MS, toUnixSeconds } from "../model/time.ts";
import { VISITOR_KEPT_MS } from "../model/monitor/visitor.ts";
import { VISITOR_PROBLEMS, type VisitorProblem } from "../model/monitor/problems.ts";
import type { VisitorEdit, VisitorEditResult } from "./apply-edit.ts";
import type { VisitorWriter } from "./edit-writer.ts";
import {
  readServices,
  readSubscription,
  type VisitorRequest,
  type VisitorRules,
} from "./read-request.ts";

/** A store that does not answer is asked again after so long. */
const RETRY_AFTER_MS = 30 * SECOND_MS;

export type VisitorResponse = ApiResponse<VisitorProblem>;

export interface VisitorActionDependencies {
  readonly rules: VisitorRules;
  readonly persist: VisitorWriter["persist"];
  readonly nowMs: () => number;
  /** An edit is durable. */
  readonly onKept: (kind: VisitorEdit["kind"]) => void;
}

/** A problem document. */
export function answerVisitorProblem(
  code: VisitorProblem,
  details: ProblemDetails = {},
): VisitorResponse {
  return describeProblem(code, VISITOR_PROBLEMS[code], details);
}

/** SHA-256 as base64url. What is hashed has so many bits that no slower hash is needed. */
export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** `POST /push`. */
export async function subscribe(
  deps: VisitorActionDependencies,
  text: string,
): Promise<VisitorResponse> {
  const read = readSubscription(text, deps.rules);
  if (read.kind !== "ok") return answerUnread(read);
  const { receiver, services, language } = read.wanted;
  const id = hashOf(receiver.endpoint);
  const token = randomBytes(32).toString("base64url");
  const renewedAtMs = deps.nowMs();
  const visitor = { id, ...receiver, tokenHash: hashOf(token), language, services, renewedAtMs };
  const refusal = await persist(deps, { kind: "subscribe", visitor });
  if (refusal !== undefined) return refusal;
  return {
    status: 201,
    headers: { Location: `/push/${id}` },
    body: { id, token, services, until: untilOf(renewedAtMs) },
  };
}

/** `PUT /push/<id>`. */
export async function changeServices(
  deps: VisitorActionDependencies,
  id: string,
  token: string,
  text: string,
): Promise<VisitorResponse> {
  const read = readServices(text, deps.rules);
  if (read.kind !== "ok") return answerUnread(read);
  const { services } = read.wanted;
  const atMs = deps.nowMs();
  const edit = { kind: "services", id, tokenHash: hashOf(token), services, atMs } as const;
  const refusal = await persist(deps, edit);
  return refusal ?? { status: 200, body: { id, services, until: untilOf(atMs) } };
}

/** `DELETE /push/<id>`. */
export async function unsubscribe(
  deps: VisitorActionDependencies,
  id: string,
  token: string,
): Promise<VisitorResponse> {
  const refusal = await persist(deps, { kind: "unsubscribe", id, tokenHash: hashOf(token) });
  return refusal ?? { status: 204 };
}

function untilOf(renewedAtMs: number): number {
  return toUnixSeconds(renewedAtMs + VISITOR_KEPT_MS);
}

function answerUnread(
  read: Exclude<VisitorRequest<unknown>, { readonly kind: "ok" }>,
): VisitorResponse {
  return read.kind === "malformed"
    ? answerVisitorProblem("malformed")
    : answerVisitorProblem("invalid", { errors: read.faults });
}

/** The refusal, if the edit was not made durable. */
async function persist(
  deps: VisitorActionDependencies,
  edit: VisitorEdit,
): Promise<VisitorResponse | undefined> {
  const result = await deps.persist(edit);
  if (result === "kept") {
    deps.onKept(edit.kind);
    return undefined;
  }
  if (result === "refused")
    return answerVisitorProblem("unavailable", { retryAfterMs: RETRY_AFTER_MS });
  return answerVisitorProblem(result satisfies Exclude<VisitorEditResult, "kept">);
}
