import type { RequestFault } from "../../model/connections.ts";
import { CONTENT_TYPES } from "../../model/public-paths.ts";
import {
  answerApiOptions,
  type ApiResponse,
  headersOfRefusal,
  toApiResponse,
} from "../../http-server/json-api.ts";

const METHODS = "POST, OPTIONS";

/** Every reason to refuse a report, with the status and the error text of the response. */
export const REPORT_REFUSALS = {
  "bad-request": [400, "bad request"],
  malformed: [400, "malformed body"],
  "unknown-symptom": [400, "unknown symptom"],
  "no-address": [400, "no client address"],
  "foreign-origin": [403, "origin not allowed"],
  "unknown-service": [404, "not found"],
  "wrong-method": [405, "method not allowed"],
  "too-slow": [408, "request timeout"],
  "too-large": [413, "body too large"],
  "unknown-media-type": [415, "unsupported media type"],
  flood: [429, "too many reports"],
  "head-too-large": [431, "request header too large"],
  unavailable: [503, "temporarily unavailable"],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalReason = keyof typeof REPORT_REFUSALS;

/** A response without the common headers. */
export type IntakeResponse = Omit<ApiResponse<never>, "problem">;

/** The response to a refused report, `{"error": …}` as everywhere in the API. */
export function answerRefusal(reason: RefusalReason, retryAfterMs?: number): IntakeResponse {
  const [status, error] = REPORT_REFUSALS[reason];
  return {
    status,
    body: { error },
    headers: {
      ...(reason === "wrong-method" && { Allow: METHODS }),
      ...headersOfRefusal(reason, retryAfterMs),
    },
  };
}

/** The reason to refuse a request that did not reach the intake, by its fault; a fault of the adapter is not a refusal. */
export const FAULT_REASONS: Readonly<Record<RequestFault, RefusalReason | undefined>> = {
  malformed: "bad-request",
  "head-too-large": "head-too-large",
  "too-slow": "too-slow",
  "unknown-method": "wrong-method",
  internal: undefined,
};

/** The response to a request that the server could not pass to the intake. Its origin is unknown, so it has no CORS headers. */
export function answerFault(fault: RequestFault): Response {
  const reason = FAULT_REASONS[fault];
  return toResponse(reason === undefined ? REPORT_INTERNAL_ERROR : answerRefusal(reason));
}

/** 500: a defect of the intake. */
export const REPORT_INTERNAL_ERROR: IntakeResponse = {
  status: 500,
  body: { error: "internal error" },
};

/** 204 for OPTIONS. */
export function answerOptions(): IntakeResponse {
  return answerApiOptions(METHODS, "Content-Type");
}

/** Adds the common headers. */
export function toResponse({ headers, ...answer }: IntakeResponse, corsOrigin?: string): Response {
  const type = answer.body !== undefined && { "Content-Type": CONTENT_TYPES.json };
  return toApiResponse({ ...answer, headers: { ...type, ...headers } }, corsOrigin, "Retry-After");
}

/** `Retry-After` of a 503. */
export const UNAVAILABLE_RETRY_MS = 5_000;

/** 503 of a server whose intake has not started, or cannot. */
export function answerUnavailable(): Response {
  return toResponse(answerRefusal("unavailable", UNAVAILABLE_RETRY_MS));
}
