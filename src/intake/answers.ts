import type { RequestFault } from "../model/connections.ts";

const METHODS = "POST, OPTIONS";

/** Every reason to refuse a report, with its status and the words of the answer. */
export const REFUSALS = {
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

/** Why a report was not accepted. */
export type RefusalReason = keyof typeof REFUSALS;

/** An answer before the headers that every answer carries. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** After these the rest of a body may be on its way still, and nobody is going to read it. */
const CUTTING: ReadonlySet<RefusalReason> = new Set(["too-large", "too-slow"]);

/** The answer to a report that is not accepted, `{"error": …}` as of every part of the API. Waits are told in whole seconds. */
export function answerRefusal(reason: RefusalReason, retryAfterMs?: number): Answer {
  const [status, error] = REFUSALS[reason];
  return {
    status,
    body: { error },
    headers: {
      ...(reason === "wrong-method" ? { Allow: METHODS } : {}),
      ...(CUTTING.has(reason) ? { Connection: "close" } : {}),
      ...(retryAfterMs === undefined
        ? {}
        : { "Retry-After": String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) }),
    },
  };
}

/** What a fault of a request counts as; one of the adapter before the intake is no refusal. */
const FAULT_REASONS: Readonly<Record<RequestFault, RefusalReason | undefined>> = {
  malformed: "bad-request",
  "head-too-large": "head-too-large",
  "too-slow": "too-slow",
  "unknown-method": "wrong-method",
  internal: undefined,
};

/** Why a request that never reached the intake is refused; undefined when that is no fault of the request. */
export function reasonOf(fault: RequestFault): RefusalReason | undefined {
  return FAULT_REASONS[fault];
}

/** The answer to a request that could not be handed to the intake. Nothing is known of who sent it, so no page may read it. */
export function answerFault(fault: RequestFault): Response {
  const reason = reasonOf(fault);
  return toResponse(reason === undefined ? INTERNAL_ERROR : answerRefusal(reason));
}

/** 500: a defect of ours. */
export const INTERNAL_ERROR: Answer = { status: 500, body: { error: "internal error" } };

/** 204: what OPTIONS is for. A page of another site may send a JSON body, and learn how long to wait. */
export function answerOptions(isCors: boolean): Answer {
  return {
    status: 204,
    headers: {
      Allow: METHODS,
      ...(isCors
        ? {
            "Access-Control-Allow-Methods": METHODS,
            "Access-Control-Allow-Headers": "Content-Type",
            "Access-Control-Max-Age": "600",
          }
        : {}),
    },
  };
}

/** 303: the browser that sent a form goes back to the page. */
export function answerSeeOther(path: string): Answer {
  return { status: 303, headers: { Location: path, "Content-Length": "0" } };
}

/** Every answer depends on who asks, so no cache may keep it; only an allowed page of another site may read it. */
export function toResponse({ status, headers, body }: Answer, corsOrigin?: string): Response {
  const text = body === undefined ? null : JSON.stringify(body);
  return new Response(text, {
    status,
    headers: {
      ...headers,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      Vary: "Origin",
      ...(corsOrigin === undefined
        ? {}
        : {
            "Access-Control-Allow-Origin": corsOrigin,
            "Access-Control-Expose-Headers": "Retry-After",
          }),
      ...(text === null
        ? {}
        : {
            "Content-Type": "application/json; charset=utf-8",
            "Content-Length": String(Buffer.byteLength(text)),
          }),
    },
  });
}
