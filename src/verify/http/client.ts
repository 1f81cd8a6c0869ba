import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { Pool } from "undici";
import {
  type ReceivedAnswer,
  type Ask,
  CLIENT_HEADERS,
  describeExchange,
  type Exchange,
  headerOf,
} from "./http-exchange.ts";
import { sendHead } from "./raw-head-request.ts";

/** Low, because servers limit connections. */
const MAX_AT_ONCE = 8;

/** The list of 85 services is below 16 KiB; this bounds the memory if the address is not of a deployment. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const MAX_THROTTLED_TRIES = 6;
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 10_000;

export interface ClientOptions {
  /** Bounds one request, from its first byte to the last byte of the response. */
  readonly timeoutMs: number;
  /** Aborts all requests. Its reason becomes the code of each `Trouble` after that. */
  readonly signal: AbortSignal;
}

export interface Client {
  /** Sends as soon as fewer than eight requests are in progress. Never rejects: without a response it returns a `Trouble`. */
  readonly send: (ask: Ask) => Promise<Exchange>;
  /** Of all requests so far: their number, the responses that redirected, and those that were 429. */
  readonly tally: {
    readonly requests: number;
    readonly redirects: readonly string[];
    readonly throttled: readonly ReceivedAnswer[];
  };
  readonly close: () => Promise<void>;
}

/**
 * A client of one deployment. It does not follow redirects, decode bodies, normalise paths or cache, and always verifies
 * certificates. After a 429 it waits and retries; if the server closes a connection, it retries once.
 */
export function createVerifyClient(baseUrl: URL, options: ClientOptions): Client {
  const pool = new Pool(baseUrl.origin, {
    connections: MAX_AT_ONCE,
    pipelining: 1,
    connect: { timeout: options.timeoutMs },
  });
  const prefix = baseUrl.pathname.replace(/\/+$/u, "");
  const tally = { requests: 0, redirects: [] as string[], throttled: [] as ReceivedAnswer[] };
  const limit = pLimit(MAX_AT_ONCE);

  async function sendOnce(ask: Ask): Promise<Exchange> {
    tally.requests += 1;
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([options.signal, timeout]);
    try {
      signal.throwIfAborted();
      return ask.method === "HEAD"
        ? await sendHead(baseUrl, prefix + ask.target, ask, signal)
        : await sendPooled(pool, prefix + ask.target, ask, signal);
    } catch (error) {
      return { kind: "trouble", ask, code: codeOf(error, options.signal, timeout) };
    }
  }

  async function sendPatiently(ask: Ask): Promise<Exchange> {
    for (let tries = 1; ; tries += 1) {
      const exchange = await sendOnce(ask);
      if (exchange.kind === "trouble")
        return tries === 1 && isStaleConnection(exchange.code) ? sendOnce(ask) : exchange;
      if (exchange.status !== 429) return exchange;
      tally.throttled.push(exchange);
      if (tries === MAX_THROTTLED_TRIES) return exchange;
      try {
        await sleep(retryAfterMs(exchange), undefined, { signal: options.signal });
      } catch {
        return exchange;
      }
    }
  }

  async function send(ask: Ask): Promise<Exchange> {
    const exchange = await limit(() => sendPatiently(ask));
    if (exchange.kind === "answer" && [301, 302, 303, 307, 308].includes(exchange.status)) {
      tally.redirects.push(
        `${describeExchange(exchange)} to ${headerOf(exchange, "location") ?? "nowhere"}`,
      );
    }
    return exchange;
  }

  return { send, tally, close: () => pool.destroy() };
}

async function sendPooled(
  pool: Pool,
  path: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const { statusCode, headers, body } = await pool.request({
    method: ask.method,
    path,
    headers: { ...CLIENT_HEADERS, ...ask.headers },
    signal,
  });
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    chunks.push(bytes);
    sizeBytes += bytes.length;
    if (sizeBytes > MAX_BODY_BYTES) {
      throw Object.assign(new Error("too large"), { code: "body-too-large" });
    }
  }
  const lines = Object.entries(headers).flatMap(([name, value]): [string, readonly string[]][] =>
    value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value : [value]]],
  );
  return {
    kind: "answer",
    ask,
    status: statusCode,
    headers: new Map(lines),
    body: Buffer.concat(chunks),
  };
}

/** A server may close a persistent connection at the moment the client reuses it. Source: RFC 9112, section 9.3.1. */
function isStaleConnection(code: string): boolean {
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

function codeOf(error: unknown, whole: AbortSignal, timeout: AbortSignal): string {
  if (whole.aborted) return String(whole.reason);
  if (timeout.aborted) return "request-timeout";
  if (!(error instanceof Error)) return String(error);
  if (error.name === "HTTPParserError") return "no-http";
  // If all addresses of a name fail, the AggregateError has the code of the first one.
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** The wait of `Retry-After`, at most ten seconds; one second if the header is absent or a date. */
function retryAfterMs(answer: ReceivedAnswer): number {
  const text = headerOf(answer, "retry-after") ?? "";
  const ms = /^\d+$/u.test(text) ? Number(text) * 1_000 : DEFAULT_RETRY_AFTER_MS;
  return Math.min(ms, MAX_RETRY_AFTER_MS);
}
