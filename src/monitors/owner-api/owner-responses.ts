import { OWNER_PROBLEMS, type OwnerProblem } from "../../model/owner-problems.ts";
import type { RequestFault } from "../registry/read-request.ts";

/** A response before its common headers. */
export interface OwnerResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Why it is refused, for the metrics. */
  readonly problem?: OwnerProblem;
}

export interface ProblemDetails {
  /** What to do about it, for people. */
  readonly detail?: string;
  readonly errors?: readonly RequestFault[];
  readonly retryAfterMs?: number;
}

/** A problem document (RFC 9457). `code` is for programs; `type` leads to its explanation. */
export function answerProblem(code: OwnerProblem, details: ProblemDetails = {}): OwnerResponse {
  const [status, title] = OWNER_PROBLEMS[code];
  const { detail, errors, retryAfterMs } = details;
  const seconds = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000);
  return {
    status,
    problem: code,
    headers: {
      "Content-Type": "application/problem+json",
      ...(seconds === undefined ? {} : { "Retry-After": String(Math.max(1, seconds)) }),
      // The rest of the body may still be arriving, and is not read.
      ...(code === "too-large" || code === "too-slow" ? { Connection: "close" } : {}),
    },
    body: {
      type: `/api#problem-${code}`,
      title,
      status,
      code,
      ...(detail === undefined ? {} : { detail }),
      ...(errors === undefined ? {} : { errors }),
    },
  };
}

/** 405 with the methods that the path has. */
export function answerWrongMethod(methods: string): OwnerResponse {
  const { headers, ...others } = answerProblem("wrong-method");
  return { ...others, headers: { ...headers, Allow: methods } };
}

/** 204 for OPTIONS. */
export function answerOwnerOptions(methods: string): OwnerResponse {
  return {
    status: 204,
    headers: {
      Allow: methods,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": "Authorization, Content-Type, If-Match",
      "Access-Control-Max-Age": "600",
    },
  };
}

/**
 * Adds the common headers: no cache may store a response, no page may learn where it came from, and only our own pages and allowed ones
 * may read it.
 */
export function toOwnerResponse(
  { status, headers, body }: OwnerResponse,
  corsOrigin: string | undefined,
): Response {
  const text = body === undefined ? null : JSON.stringify(body);
  const { "Access-Control-Allow-Methods": _, ...plain } = headers ?? {};
  return new Response(text, {
    status,
    headers: {
      ...(text === null ? { "Content-Length": "0" } : { "Content-Type": "application/json" }),
      ...(corsOrigin === undefined ? plain : headers),
      ...(text === null ? {} : { "Content-Length": String(Buffer.byteLength(text)) }),
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      Vary: "Origin",
      ...(corsOrigin === undefined
        ? {}
        : {
            "Access-Control-Allow-Origin": corsOrigin,
            "Access-Control-Expose-Headers": "ETag, Location, Retry-After",
          }),
    },
  });
}
