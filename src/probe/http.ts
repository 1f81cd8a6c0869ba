import type { Socket } from "node:net";
import { Client, errors, type buildConnector, type Dispatcher } from "undici";
import type { FailureCode } from "../model/probe-outcome.ts";
import { hasUnclearLength } from "./framing.ts";
import type { ProbeLimits } from "./limits.ts";

type HttpFailure = Extract<FailureCode, `http-${string}` | `body-${string}`>;
type BodyFailure = Extract<FailureCode, `body-${string}`>;
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface HttpResponse {
  readonly kind: "answer";
  readonly status: number;
  readonly headers: Headers;
  /** The part of the body that was read, at most `bodyBytes` of the limits. */
  readonly body: Buffer;
  /** Set if the head arrived but the body failed. */
  readonly bodyFailure?: BodyFailure;
  readonly firstByteMs: number;
  readonly bodyMs: number;
}

export type HttpResult = HttpResponse | { readonly kind: "failed"; readonly code: HttpFailure };

/** A request in place of the GET of a probe. */
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
 * A connection that stalls after this many raw bytes counts as frozen even if no plaintext arrived, because a 16 KiB TLS
 * record that never completes yields none. Source: net4people/bbs#490 (15–20 KB; 12–24 KB elsewhere).
 */
const FREEZE_BYTES = { from: 10_000, to: 40_000 } as const;

/**
 * A complete response within the limits stays below this, even if every one-byte chunk has its own TLS record. More bytes
 * mean endless header spaces or chunk extensions, which no parser counts.
 */
const MAX_RAW_BYTES = 4 * 1024 * 1024;

/** Interval between checks of the progress. Time-outs are late by at most this much. */
const TICK_MS = 100;

/**
 * Sends one request over an open connection, so that nothing (not even a proxy in the environment) can redirect it. Always
 * resolves, whatever the server does, and always destroys the connection.
 *
 * @param deadlineMs on the clock of `performance.now()`: the end of the whole probe.
 * @param request absent: a GET.
 */
export function exchange(
  url: URL,
  connection: Connection,
  limits: ProbeLimits,
  deadlineMs: number,
  request?: HttpRequest,
): Promise<HttpResult> {
  return new Promise((resolve) => {
    const client = new Client(url.origin, {
      connect: offerOnce(connection.stream),
      pipelining: 1,
      maxHeaderSize: limits.headBytes,
      // Time limits are enforced below, on the raw socket: undici's own timers are coarse and restart with every 1xx.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const reader = new AnswerReader(connection, limits, deadlineMs, (result) => {
      connection.stream.destroy(FINISHED);
      connection.raw.destroy();
      client.destroy(FINISHED).catch(() => undefined);
      resolve(result);
    });
    client.dispatch(
      { ...toDispatch(request), path: url.pathname + url.search, reset: true },
      reader,
    );
  });
}

function toDispatch(request: HttpRequest | undefined) {
  if (request === undefined) return { method: "GET", headers: REQUEST_HEADERS } as const;
  const { method, headers, body } = request;
  const all = { "user-agent": USER_AGENT, ...headers };
  return body === undefined ? { method, headers: all } : { method, headers: all, body };
}

/**
 * Ends a connection. undici's controller cannot be used: after its abort, the end of a body of unknown length throws an
 * exception that cannot be caught (7.30, `Request.onComplete`). One shared error avoids two that undici would create for
 * each probe.
 */
const FINISHED = new Error("the probe is finished");

/** Must not be a `SocketError`: after one, undici would request connections forever. */
const GONE = new Error("the connection is gone");

/** Provides the connection once. A client that requests another has lost it and gets an error. */
function offerOnce(stream: Socket): buildConnector.connector {
  let isTaken = false;
  return (_options, callback) => {
    const isFirst = !isTaken;
    isTaken = true;
    // With a synchronous callback, undici would still be inside its own `connect` and never send the request.
    queueMicrotask(() => (isFirst ? callback(null, stream) : callback(GONE, null)));
  };
}

const USER_AGENT = "Mozilla/5.0 (compatible; status-snapshot)";

const REQUEST_HEADERS = {
  "user-agent": USER_AGENT,
  accept: "*/*",
  "accept-language": "ru,en;q=0.5",
  // A compressed page may be too small for the filters that freeze a connection after some kilobytes.
  "accept-encoding": "identity",
};

/** Collects one response within the limits and reports it exactly once. */
class AnswerReader implements Dispatcher.DispatchHandler {
  readonly #connection: Connection;
  readonly #limits: ProbeLimits;
  readonly #deadlineMs: number;
  readonly #report: (result: HttpResult) => void;
  readonly #startMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Buffer[] = [];
  #head: { status: number; headers: Headers; atMs: number } | undefined;
  #bodyBytes = 0;
  #informational = 0;
  #rawBytes: number;
  #progressMs = this.#startMs;
  #wasReset = false;
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
    // If possible, undici treats a reset after the head as the end of the body; for us it is a failure.
    connection.stream.prependListener("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" && error.syscall !== undefined) this.#wasReset = true;
    });
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: Headers): void {
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > this.#limits.informational) this.#fail("http-informational-flood");
      return;
    }
    if (hasUnclearLength(headers)) this.#fail("http-malformed");
    else this.#head = { status, headers, atMs: performance.now() };
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#isReported) return;
    const room = this.#limits.bodyBytes - this.#bodyBytes;
    this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    this.#bodyBytes += Math.min(chunk.length, room);
    if (this.#bodyBytes < this.#limits.bodyBytes) return;
    this.#finish();
  }

  onResponseEnd(): void {
    this.#finish(this.#wasReset ? "body-reset" : undefined);
  }

  onResponseError(_controller: unknown, error: Error): void {
    if (this.#head === undefined) this.#fail(headFailure(error, this.#wasReset));
    else this.#finish(bodyFailure(error, this.#wasReset));
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
    if (this.#head === undefined) this.#tickHead(nowMs, hasStalled, isFlooded);
    else if (isFlooded) this.#finish("body-malformed");
    else if (hasStalled) this.#finish("body-stall");
    else if (nowMs >= this.#deadlineMs) this.#finish("body-timeout");
  }

  #tickHead(nowMs: number, hasStalled: boolean, isFlooded: boolean): void {
    if (isFlooded) this.#fail("http-headers-too-large");
    else if (hasStalled && this.#rawBytes >= FREEZE_BYTES.from && this.#rawBytes <= FREEZE_BYTES.to)
      this.#fail("body-stall");
    else if (nowMs - this.#startMs >= this.#limits.firstByteMs || nowMs >= this.#deadlineMs)
      this.#fail("http-timeout");
  }

  #finish(bodyFailureCode?: BodyFailure): void {
    const head = this.#head;
    if (head === undefined) return this.#fail("http-closed");
    this.#settle({
      kind: "answer",
      status: head.status,
      headers: head.headers,
      body: Buffer.concat(this.#chunks),
      ...(bodyFailureCode === undefined ? {} : { bodyFailure: bodyFailureCode }),
      firstByteMs: head.atMs - this.#startMs,
      bodyMs: performance.now() - head.atMs,
    });
  }

  #fail(code: HttpFailure): void {
    this.#settle({ kind: "failed", code });
  }

  #settle(result: HttpResult): void {
    if (this.#isReported) return;
    this.#isReported = true;
    clearInterval(this.#timer);
    this.#report(result);
  }
}

function headFailure(error: Error, wasReset: boolean): HttpFailure {
  if (error instanceof errors.HeadersOverflowError) return "http-headers-too-large";
  if (wasReset || isReset(error)) return "http-reset";
  return isClose(error) ? "http-closed" : "http-malformed";
}

function bodyFailure(error: Error, wasReset: boolean): BodyFailure {
  if (wasReset || isReset(error)) return "body-reset";
  return isClose(error) || error instanceof errors.ResponseContentLengthMismatchError
    ? "body-closed"
    : "body-malformed";
}

function isReset(error: Error): boolean {
  return "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
}

/** undici's message for an orderly close in the wrong place; its other socket errors mean an invalid response. */
function isClose(error: Error): boolean {
  return (
    error === GONE || (error instanceof errors.SocketError && error.message === "other side closed")
  );
}
