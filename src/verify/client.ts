import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import {
  type Answer,
  type Ask,
  CLIENT_HEADERS,
  describeExchange,
  type Exchange,
  headerOf,
} from "./exchange.ts";
import { sendHead } from "./raw-head.ts";

/** Polite to a server that limits connections. */
const MAX_AT_ONCE = 8;

/** The list of 85 services is below 16 KiB; this only bounds the memory of a check of something else. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

const MAX_THROTTLED_TRIES = 6;
const DEFAULT_RETRY_AFTER_MS = 1_000;
const MAX_RETRY_AFTER_MS = 10_000;

export interface ClientOptions {
  /** Bounds one request from its first byte to its last. */
  readonly timeoutMs: number;
  /** Ends everything. Its reason is the code of the troubles that follow. */
  readonly signal: AbortSignal;
}

export interface Client {
  /** Sends as soon as fewer than eight requests are under way. Never rejects: no answer is a `Trouble`. */
  readonly send: (ask: Ask) => Promise<Exchange>;
  /** What was seen besides: requests made, answers that redirected, answers that were 429. */
  readonly tally: {
    readonly requests: number;
    readonly redirects: readonly string[];
    readonly throttled: readonly Answer[];
  };
  readonly close: () => Promise<void>;
}

/**
 * A client of one deployment. It follows no redirect, undoes no encoding, tidies no path, keeps nothing, always verifies
 * certificates, waits when it is told to (429) and asks again once when a kept connection closed under it.
 */
export function createClient(baseUrl: URL, options: ClientOptions): Client {
  const pool = new Pool(baseUrl.origin, {
    connections: MAX_AT_ONCE,
    pipelining: 1,
    connect: { timeout: options.timeoutMs },
  });
  const prefix = baseUrl.pathname.replace(/\/+$/u, "");
  const tally = { requests: 0, redirects: [] as string[], throttled: [] as Answer[] };
  const gate = createGate(MAX_AT_ONCE);

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
    const exchange = await gate(() => sendPatiently(ask));
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
): Promise<Answer> {
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

/** A kept connection may be closed by the server at the moment it is used again. Source: RFC 9112, section 9.3.1. */
function isStaleConnection(code: string): boolean {
  return code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
}

function codeOf(error: unknown, whole: AbortSignal, timeout: AbortSignal): string {
  if (whole.aborted) return String(whole.reason);
  if (timeout.aborted) return "request-timeout";
  if (!(error instanceof Error)) return String(error);
  if (error.name === "HTTPParserError") return "no-http";
  // Several addresses that all fail make an AggregateError whose own code is that of the first.
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}

/** Whole seconds or a date; a server that asks for more than ten seconds gets ten. */
function retryAfterMs(answer: Answer): number {
  const text = headerOf(answer, "retry-after") ?? "";
  const ms = /^\d+$/u.test(text) ? Number(text) * 1_000 : DEFAULT_RETRY_AFTER_MS;
  return Math.min(ms, MAX_RETRY_AFTER_MS);
}

type Gate = <T>(action: () => Promise<T>) => Promise<T>;

function createGate(width: number): Gate {
  let open = width;
  const waiting: (() => void)[] = [];
  return async (action) => {
    if (open === 0) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    } else open -= 1;
    try {
      return await action();
    } finally {
      const next = waiting.shift();
      if (next === undefined) open += 1;
      else next();
    }
  };
}
