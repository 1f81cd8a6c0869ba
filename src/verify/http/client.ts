import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { codeOrMessageOf } from "../../model/errors.ts";

/** A request. Its target is sent unchanged, without resolving dots or decoding percent signs. */
export interface Ask {
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "DELETE";
  /** Path and query below the base address, with a leading slash. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A response. */
export interface ReceivedAnswer {
  readonly kind: "answer";
  readonly ask: Ask;
  readonly status: number;
  /** By lower-case name; one value for each line. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Uint8Array;
}

/** A response, or the failure of a request, with a code of Node, of undici or of this folder. */
export type Exchange =
  | ReceivedAnswer
  | { readonly kind: "trouble"; readonly ask: Ask; readonly code: string };

/** What carries requests to one deployment: sockets, or a front in memory. */
export interface Transport {
  /** The response to one request. Rejects without one, with an error whose `code` is that of the trouble. */
  readonly exchange: (ask: Ask, signal: AbortSignal) => Promise<ReceivedAnswer>;
  readonly close: () => Promise<void>;
}

/** Requests in progress at a time. Low, because servers limit connections. */
export const MAX_AT_ONCE = 8;

/** Headers of every request. Some CDNs refuse clients without a User-Agent. */
export const CLIENT_HEADERS = { Accept: "*/*", "User-Agent": "status-snapshot-verify" };

/** The header of a request from another site. Its value does not matter. */
export const ORIGIN = { Origin: "https://site.example" };

const TROUBLES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  ENOTFOUND: "the host name has no address",
  EAI_AGAIN: "the resolver did not answer",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the network",
  ETIMEDOUT: "no answer to the connection attempt",
  EPIPE: "the server closed the connection",
  UND_ERR_SOCKET: "the server closed the connection",
  UND_ERR_CONNECT_TIMEOUT: "no answer to the connection attempt",
  "request-timeout": "no complete answer in time",
  "whole-timeout": "the time for the whole check was over",
  aborted: "stopped",
  "body-too-large": "the body is larger than 16 MiB",
  "no-http": "the response is not HTTP",
  CERT_HAS_EXPIRED: "the certificate has expired: renew it at the front",
};

const CERTIFICATE = /^(?:CERT_|ERR_TLS_|DEPTH_|SELF_SIGNED|UNABLE_TO_)/u;

/** Why there was no response, in words. */
export function describeFailure(code: string): string {
  const unverified = `the certificate does not verify (${code}; NODE_EXTRA_CA_CERTS can name more roots)`;
  return TROUBLES[code] ?? (CERTIFICATE.test(code) ? unverified : code);
}

/** `GET /api/v1/status with Origin`. */
export function describeAsk({ method, target, headers = {} }: Ask): string {
  return `${method} ${target}${"Origin" in headers ? " with Origin" : ""}`;
}

/** `GET /api/v1/status: HTTP 403`, or the failure in words. */
export function describeExchange(exchange: Exchange): string {
  const how =
    exchange.kind === "answer" ? `HTTP ${exchange.status}` : describeFailure(exchange.code);
  return `${describeAsk(exchange.ask)}: ${how}`;
}

/** One line for each exchange with none of the statuses. `words` name them in messages. */
export function findStatusProblems(
  exchanges: readonly Exchange[],
  statuses: readonly number[],
  words: string = statuses.join(" or "),
): readonly string[] {
  return exchanges
    .filter((exchange) => exchange.kind === "trouble" || !statuses.includes(exchange.status))
    .map((exchange) => `${describeExchange(exchange)}, expected ${words}`);
}

/** Whether there was a response with the status. */
export function hasStatus(
  exchange: Exchange | undefined,
  status: number,
): exchange is ReceivedAnswer {
  return exchange?.kind === "answer" && exchange.status === status;
}

/** All lines of a header joined by commas; undefined if it is absent. Source: RFC 9110, section 5.3. */
export function headerOf(answer: ReceivedAnswer, name: string): string | undefined {
  return answer.headers.get(name)?.join(", ");
}

const MAX_THROTTLED_TRIES = 6;
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 10_000;

export type Client = ReturnType<typeof createVerifyClient>;

/**
 * A client of one deployment over a transport. It does not follow redirects, decode bodies, normalise paths or cache, and always verifies
 * certificates. After a 429 it waits and retries; if the server closes a connection, it retries once.
 *
 * @param options.timeoutMs bounds one request, from its first byte to the last byte of the response.
 * @param options.signal aborts all requests. Its reason becomes the code of each trouble after that.
 */
export function createVerifyClient(
  transport: Transport,
  options: { readonly timeoutMs: number; readonly signal: AbortSignal },
) {
  /** Of all requests so far: their number, the responses that redirected, and those that were 429. */
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
      if (tries === 1 && exchange.kind === "trouble" && isStaleConnection(exchange.code)) continue;
      if (exchange.kind === "trouble" || exchange.status !== 429) return exchange;
      tally.throttled.push(exchange);
      if (tries === MAX_THROTTLED_TRIES) return exchange;
      const { signal } = options;
      await sleep(retryAfterMs(exchange), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return exchange;
    }
  }

  /** Sends as soon as fewer than eight requests are in progress. Never rejects: without a response it returns its trouble. */
  async function send(ask: Ask): Promise<Exchange> {
    const exchange = await limit(() => sendPatiently(ask));
    if (exchange.kind === "answer" && [301, 302, 303, 307, 308].includes(exchange.status)) {
      tally.redirects.push(
        `${describeExchange(exchange)} to ${headerOf(exchange, "location") ?? "nowhere"}`,
      );
    }
    return exchange;
  }

  const get = (target: string, headers: Ask["headers"] = {}) =>
    send({ method: "GET", target, headers });
  const getAll = (targets: readonly string[], headers?: Ask["headers"]) =>
    Promise.all(targets.map((target) => get(target, headers)));
  return { send, get, getAll, tally };
}

/** A server may close a persistent connection at the moment the client reuses it. Source: RFC 9112, section 9.3.1. */
function isStaleConnection(code: string): boolean {
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

function codeOf(error: unknown, whole: AbortSignal, timeout: AbortSignal): string {
  if (whole.aborted) return String(whole.reason);
  if (timeout.aborted) return "request-timeout";
  if (error instanceof Error && error.name === "HTTPParserError") return "no-http";
  // If all addresses of a name fail, the AggregateError has the code of the first one.
  return codeOrMessageOf(error);
}

/** The wait of `Retry-After`, at most ten seconds; one second if the header is absent or a date. */
function retryAfterMs(answer: ReceivedAnswer): number {
  const text = headerOf(answer, "retry-after") ?? "";
  const ms = /^\d+$/u.test(text) ? Number(text) * 1_000 : DEFAULT_RETRY_AFTER_MS;
  return Math.min(ms, MAX_RETRY_AFTER_MS);
}
