import {
  type ApiResponse,
  describeProblem,
  type ProblemDetails,
} from "../../http-server/problem-response.ts";
import { OWNER_PROBLEMS, type OwnerProblem } from "../../model/monitor/problems.ts";
import { SECOND_MS } from "../../model/time.ts";
import type { OwnerRequest } from "../registry/read-request.ts";

/** A response before its common headers. */
export type OwnerResponse = ApiResponse<OwnerProblem>;

/** `Retry-After` while too many looks wait, and while the store is down. */
const RETRY_AFTER_MS = 5 * SECOND_MS;

/** A problem document (RFC 9457). `type` leads to the explanation of its code. */
export function answerProblem(
  code: OwnerProblem,
  details: Omit<ProblemDetails, "type"> = {},
): OwnerResponse {
  return describeProblem(code, OWNER_PROBLEMS[code], { type: `/api#problem-${code}`, ...details });
}

/** 503. */
export function unavailable(): OwnerResponse {
  return answerProblem("unavailable", { retryAfterMs: RETRY_AFTER_MS });
}

/** 400 or 422: what is wrong with the body of a request. */
export function answerUnread(
  read: Exclude<OwnerRequest<unknown>, { readonly kind: "ok" }>,
): OwnerResponse {
  return read.kind === "malformed"
    ? answerProblem("malformed", { detail: read.message })
    : answerProblem("invalid", { errors: read.faults });
}
