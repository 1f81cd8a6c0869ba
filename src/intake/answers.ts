const METHODS = "POST, OPTIONS";

/** Every reason to refuse a report, with its status and the words of the answer. */
export const REFUSALS = {
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
