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

/** The failure of a request, with a code of Node, of undici or of this folder. */
export interface Trouble {
  readonly kind: "trouble";
  readonly ask: Ask;
  readonly code: string;
}

export type Exchange = ReceivedAnswer | Trouble;

/** What carries requests to one deployment: sockets, or a front in memory. */
export interface Transport {
  /** The response to one request. Rejects without one, with an error whose `code` is that of a `Trouble`. */
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
};

const CERTIFICATE = /^(?:CERT_|ERR_TLS_|DEPTH_|SELF_SIGNED|UNABLE_TO_)/u;

/** Why there was no response, in words. */
export function describeFailure(code: string): string {
  const words = TROUBLES[code];
  if (words !== undefined) return words;
  if (CERTIFICATE.test(code)) {
    return `the certificate does not verify (${code}; NODE_EXTRA_CA_CERTS can name more roots)`;
  }
  return code;
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
