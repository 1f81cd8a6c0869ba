import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import {
  type ReceivedAnswer,
  type Ask,
  describeExchange,
  type Exchange,
  headerOf,
  MAX_AT_ONCE,
  type Transport,
} from "./http-exchange.ts";

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
  readonly get: (target: string, headers?: Ask["headers"]) => Promise<Exchange>;
  /** Of all requests so far: their number, the responses that redirected, and those that were 429. */
  readonly tally: {
    readonly requests: number;
    readonly redirects: readonly string[];
    readonly throttled: readonly ReceivedAnswer[];
  };
}

/**
 * A client of one deployment over a transport. It does not follow redirects, decode bodies, normalise paths or cache, and always verifies
 * certificates. After a 429 it waits and retries; if the server closes a connection, it retries once.
 */
export function createVerifyClient(transport: Transport, options: ClientOptions): Client {
  const tally = { requests: 0, redirects: [] as string[], throttled: [] as ReceivedAnswer[] };
  const limit = pLimit(MAX_AT_ONCE);

  async function sendOnce(ask: Ask): Promise<Exchange> {
    tally.requests += 1;
    const timeout = AbortSignal.timeout(options.timeoutMs);
    const signal = AbortSignal.any([options.signal, timeout]);
    try {
      signal.throwIfAborted();
      return await transport.exchange(ask, signal);
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

  return { send, get: (target, headers = {}) => send({ method: "GET", target, headers }), tally };
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
