import {
  type ApiResponse,
  answerApiOptions,
  describeProblem,
  type ProblemDetails,
  toApiResponse,
  withAllowed,
} from "../../http-server/problem-response.ts";
import { OWNER_PROBLEMS, type OwnerProblem } from "../../model/monitor/problems.ts";

/** A response before its common headers. */
export type OwnerResponse = ApiResponse<OwnerProblem>;

/** A problem document (RFC 9457). `type` leads to the explanation of its code. */
export function answerProblem(
  code: OwnerProblem,
  details: Omit<ProblemDetails, "type"> = {},
): OwnerResponse {
  return describeProblem(code, OWNER_PROBLEMS[code], { type: `/api#problem-${code}`, ...details });
}

/** 405 with the methods that the path has. */
export function answerWrongMethod(methods: string): OwnerResponse {
  return withAllowed(answerProblem("wrong-method"), methods);
}

export { answerApiOptions as answerOwnerOptions, toApiResponse as toOwnerResponse };
