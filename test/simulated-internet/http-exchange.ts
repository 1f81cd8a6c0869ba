import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export interface Request {
  /** Absolute. */
  readonly url: string;
  readonly path: string;
}

/** One request, and the functions to answer it. */
export interface Exchange {
  readonly stream: Duplex;
  readonly request: Request;
  /** Sends RST on the socket after the written bytes had time to arrive. */
  reset(): void;
  /** The answer is complete: from now on the connection does not count as open. */
  finish(): void;
}

const FILLER = Buffer.from("<p>The quick brown fox jumps over the lazy dog. 0123456789</p>\n");
const fills = new Map<number, Buffer>();

/** `length` bytes of page text, in a shared buffer that must not be modified. */
export function fillBytes(length: number): Buffer {
  const known = fills.get(length) ?? Buffer.alloc(length, FILLER);
  fills.set(length, known);
  return known;
}

/** A head with `Connection: close` and, as nearly every server sends it, a `Date`; without a length if `bodyBytes` is undefined. */
export function head(
  status: number,
  bodyBytes: number | undefined,
  headers: Readonly<Record<string, string>> = {},
): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (headers["date"] === undefined) lines.push(`Date: ${new Date().toUTCString()}`);
  if (headers["Content-Type"] === undefined) lines.push("Content-Type: text/html; charset=utf-8");
  if (bodyBytes !== undefined) lines.push(`Content-Length: ${bodyBytes}`);
  lines.push("Connection: close", "", "");
  return lines.join("\r\n");
}

/** Sends the parts together and closes. */
export function endAnswer(exchange: Exchange, ...parts: (string | Buffer)[]): void {
  const { stream } = exchange;
  exchange.finish();
  stream.cork();
  for (const part of parts) stream.write(part);
  stream.end();
}

/** Calls `then` after the delay, unless the connection has closed. */
export function later({ stream }: Exchange, delayMs: number | undefined, then: () => void): void {
  if (delayMs === undefined || delayMs === 0) return then();
  const timer = setTimeout(then, delayMs);
  stream.once("close", () => clearTimeout(timer));
}

/** Sends the same bytes repeatedly, with a pause before each. */
export function every({ stream }: Exchange, intervalMs: number, bytes: string | Buffer): void {
  const timer = setInterval(() => stream.write(bytes), intervalMs);
  stream.once("close", () => clearInterval(timer));
}
