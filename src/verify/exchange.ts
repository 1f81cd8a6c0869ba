/** A request. The target is sent as it is: nothing resolves dots or decodes percent signs. */
export interface Ask {
  readonly method: "GET" | "HEAD" | "OPTIONS" | "POST" | "PUT" | "DELETE";
  /** Path and query below the base address, with a leading slash. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the server said. */
export interface Answer {
  readonly kind: "answer";
  readonly ask: Ask;
  readonly status: number;
  /** By lower-case name; one value for each line. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Uint8Array;
}

/** No answer: a code of Node or undici, or one of ours. */
export interface Trouble {
  readonly kind: "trouble";
  readonly ask: Ask;
  readonly code: string;
}

export type Exchange = Answer | Trouble;

/** On every request. Some CDNs refuse a client that does not say who it is. */
export const CLIENT_HEADERS = { Accept: "*/*", "User-Agent": "status-snapshot-verify" };

/** Any site; only its being there matters. */
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
  "no-http": "the answer is no HTTP",
};

const CERTIFICATE = /^(?:CERT_|ERR_TLS_|DEPTH_|SELF_SIGNED|UNABLE_TO_)/u;

/** Why there was no answer, in words. Certificates are always verified. */
export function describeTrouble(code: string): string {
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

/** `GET /api/v1/status: HTTP 403`, or the trouble. */
export function describeExchange(exchange: Exchange): string {
  const how =
    exchange.kind === "answer" ? `HTTP ${exchange.status}` : describeTrouble(exchange.code);
  return `${describeAsk(exchange.ask)}: ${how}`;
}

/** One line for each exchange that had none of the statuses, which messages call by the words given. */
export function findStatusProblems(
  exchanges: readonly Exchange[],
  statuses: readonly number[],
  words: string = statuses.join(" or "),
): readonly string[] {
  return exchanges
    .filter((exchange) => exchange.kind === "trouble" || !statuses.includes(exchange.status))
    .map((exchange) => `${describeExchange(exchange)}, expected ${words}`);
}

/** Whether there was an answer of the status. */
export function hasStatus(exchange: Exchange | undefined, status: number): exchange is Answer {
  return exchange?.kind === "answer" && exchange.status === status;
}

/** The lines of a header joined as HTTP allows, or undefined without any. Source: RFC 9110, section 5.3. */
export function headerOf(answer: Answer, name: string): string | undefined {
  return answer.headers.get(name)?.join(", ");
}
