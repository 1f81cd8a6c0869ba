import type { ProblemDocument } from "../contract/intake.ts";

/** A setting that is not allowed: a JSON Pointer (RFC 6901), and what is wrong there. */
export type Fault = NonNullable<ProblemDocument["errors"]>[number];

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
    // JSON has no keys without a value.
    body: { type, title, status, code, detail, errors },
  };
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

/** 204 for OPTIONS. */
export function answerApiOptions(methods: string): ApiResponse<never> {
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

/** Adds the common headers: no cache stores a response, no page learns where it came from, only our own and allowed pages read it. */
export function toApiResponse(
  { status, headers, body }: ApiResponse<string>,
  corsOrigin: string | undefined,
): Response {
  const text = body === undefined ? null : JSON.stringify(body);
  const { "Access-Control-Allow-Methods": _, ...plain } = headers ?? {};
  return new Response(text, {
    status,
    headers: {
      ...(text === null ? {} : { "Content-Type": "application/json" }),
      ...(corsOrigin === undefined
        ? plain
        : {
            ...headers,
            "Access-Control-Allow-Origin": corsOrigin,
            "Access-Control-Expose-Headers": "ETag, Location, Retry-After",
          }),
      "Content-Length": String(Buffer.byteLength(text ?? "")),
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      Vary: "Origin",
    },
  });
}
