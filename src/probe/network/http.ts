import type { Socket } from "node:net";
import type { FailureCode, Oddity } from "../../model/failures.ts";
import type { ProbeLimits } from "../limits.ts";
import {
  type Headers,
  type ParseFault,
  type ResponseHead,
  ResponseParser,
} from "./response-parser.ts";

type HttpFailure = Extract<FailureCode, `http-${string}` | `body-${string}`>;
type BodyFailure = Extract<FailureCode, `body-${string}`>;

export interface HttpResponse {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Headers;
  readonly oddities: readonly Oddity[];
  /** The part of the body that was read, at most `bodyBytes` of the limits. */
  readonly body: Buffer;
  /** Set if the head arrived but the body failed. */
  readonly bodyFailure?: BodyFailure;
  readonly firstByteMs: number;
  readonly bodyMs: number;
}

export type HttpResult = HttpResponse | { readonly kind: "failed"; readonly code: HttpFailure };

export interface HttpRequest {
  readonly method: "GET" | "POST" | "PUT";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** An open connection: the stream for HTTP, and the raw socket below it, whose bytes are counted. */
export interface Connection {
  readonly stream: Socket;
  readonly raw: Socket;
}

/**
 * Whether a connection that stalls after so many raw bytes counts as frozen even without plaintext, because a 16 KiB TLS record that never
 * completes yields none. Source: net4people/bbs#490 (15–20 KB; 12–24 KB elsewhere).
 */
export function mayBeFrozen(rawBytes: number): boolean {
  return rawBytes >= 10_000 && rawBytes <= 40_000;
}

/** No response within the limits has more, even with a TLS record for each byte: endless header spaces or chunk extensions. */
const MAX_RAW_BYTES = 4 * 1024 * 1024;

/** Interval between checks of the progress. Time-outs are late by at most this much. */
const TICK_MS = 100;

/**
 * Sends one request over an open connection, so that nothing, not even a proxy in the environment, can redirect it. Always resolves and
 * always destroys the connection.
 *
 * @param deadlineMs on the clock of `performance.now()`: the end of the whole probe.
 */
export function exchange(
  url: URL,
  connection: Connection,
  limits: ProbeLimits,
  deadlineMs: number,
  request: HttpRequest,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    new AnswerReader(connection, limits, deadlineMs, resolve).send(url, request);
  });
}

/** A compressed page may be too small for the filters that freeze a connection after some kilobytes. */
const HEADERS = { "accept-encoding": "identity" };

const GET_HEADERS = { ...HEADERS, accept: "*/*", "accept-language": "ru,en;q=0.5" };

/** The head of a request, in the order of undici, which some walls know. */
function headOf(url: URL, { method, headers, body }: HttpRequest): string {
  const all = Object.entries({
    host: url.host,
    connection: "close",
    ...(method === "GET" ? GET_HEADERS : HEADERS),
    ...headers,
    ...(body === undefined ? {} : { "content-length": String(body.length) }),
  });
  // Libraries write names in other cases.
  const byName = new Map(all.map(([name, value]) => [name.toLowerCase(), value]));
  const lines = [...byName].map(
    ([name, value]) => `${name}: ${value.replace(/[\r\n\0]/gu, "")}\r\n`,
  );
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

const FAULTS = {
  malformed: "http-malformed",
  "head-too-large": "http-headers-too-large",
  "informational-flood": "http-informational-flood",
} as const satisfies Readonly<Record<ParseFault, HttpFailure>>;

/** Collects one response within the limits and reports it exactly once. */
class AnswerReader {
  readonly #connection: Connection;
  readonly #limits: ProbeLimits;
  readonly #deadlineMs: number;
  readonly #report: (result: HttpResult) => void;
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  readonly #parser: ResponseParser;
  #head: (ResponseHead & { readonly atMs: number }) | undefined;
  #bodyBytes = 0;
  #rawBytes: number;
  #progressMs = this.#startMs;
  #isReported = false;

  constructor(
    connection: Connection,
    limits: ProbeLimits,
    deadlineMs: number,
    report: (result: HttpResult) => void,
  ) {
    this.#connection = connection;
    this.#limits = limits;
    this.#deadlineMs = deadlineMs;
    this.#report = report;
    this.#rawBytes = connection.raw.bytesRead;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#parser = new ResponseParser(limits, {
      onHead: (head) => {
        this.#head = { ...head, atMs: performance.now() };
      },
      onBody: (part) => this.#take(part),
      onEnd: () => this.#end("http-closed"),
      onFault: (fault) => this.#end(FAULTS[fault], "body-malformed"),
    });
  }

  send(url: URL, request: HttpRequest): void {
    const { stream } = this.#connection;
    stream.on("data", (chunk: Buffer) => this.#parser.push(chunk));
    stream.once("end", () => this.#onClose());
    stream.once("close", () => this.#onClose());
    stream.once("error", (error: NodeJS.ErrnoException) => this.#onError(error));
    stream.write(headOf(url, request), "latin1");
    if (request.body !== undefined) stream.write(request.body);
  }

  #onClose(): void {
    if (!this.#parser.end()) this.#end("http-closed", "body-closed");
  }

  #onError({ code = "" }: NodeJS.ErrnoException): void {
    const how = ERRORS[code] ?? "malformed";
    this.#end(`http-${how}`, `body-${how}`);
  }

  #take(part: Buffer): void {
    if (this.#isReported) return;
    const taken = part.subarray(0, this.#limits.bodyBytes - this.#bodyBytes);
    this.#chunks.push(taken);
    this.#bodyBytes += taken.length;
    if (this.#bodyBytes >= this.#limits.bodyBytes) this.#end("http-closed");
  }

  #tick(): void {
    const nowMs = performance.now();
    const rawBytes = this.#connection.raw.bytesRead;
    if (rawBytes !== this.#rawBytes) {
      this.#rawBytes = rawBytes;
      this.#progressMs = nowMs;
    }
    const hasStalled = nowMs - this.#progressMs >= this.#limits.stallMs;
    const isFlooded = rawBytes > MAX_RAW_BYTES;
    const isHeadLate = nowMs - this.#startMs >= this.#limits.firstByteMs;
    if (isFlooded) this.#end("http-headers-too-large", "body-malformed");
    else if (hasStalled && (this.#head !== undefined || mayBeFrozen(rawBytes)))
      this.#end("body-stall", "body-stall");
    else if (nowMs >= this.#deadlineMs || (this.#head === undefined && isHeadLate))
      this.#end("http-timeout", "body-timeout");
  }

  /** Ends the response: in its head, or in its body, which is whole without a failure. */
  #end(inHead: HttpFailure, bodyFailure?: BodyFailure): void {
    if (this.#head === undefined) return this.#settle({ kind: "failed", code: inHead });
    const { atMs, ...head } = this.#head;
    this.#settle({
      kind: "answer",
      ...head,
      body: Buffer.concat(this.#chunks),
      ...(bodyFailure && { bodyFailure }),
      firstByteMs: atMs - this.#startMs,
      bodyMs: performance.now() - atMs,
    });
  }

  #settle(result: HttpResult): void {
    if (this.#isReported) return;
    this.#isReported = true;
    clearInterval(this.#timer);
    this.#connection.stream.destroy();
    this.#connection.raw.destroy();
    this.#report(result);
  }
}

const ERRORS: Readonly<Record<string, "reset" | "timeout">> = {
  ECONNRESET: "reset",
  EPIPE: "reset",
  ETIMEDOUT: "timeout",
};
