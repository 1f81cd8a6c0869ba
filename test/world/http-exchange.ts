import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

export interface Request {
  /** As a browser would show it. */
  readonly url: string;
  readonly path: string;
}

/** One request on one connection, and the means to answer it. */
export interface Exchange {
  readonly stream: Duplex;
  readonly request: Request;
  /** RST on the socket below, after what was written has had time to arrive. */
  reset(): void;
  /** The answer is complete: what the client does from here on no longer counts as open. */
  finish(): void;
}

const FILLER = Buffer.from("<p>The quick brown fox jumps over the lazy dog. 0123456789</p>\n");
const fills = new Map<number, Buffer>();

/** So many bytes of page text. The same buffer each time: nobody may write to it. */
export function fillBytes(length: number): Buffer {
  const known = fills.get(length) ?? Buffer.alloc(length, FILLER);
  fills.set(length, known);
  return known;
}

/** A head that closes the connection after its body; without a length when `bodyBytes` is undefined. */
export function head(
  status: number,
  bodyBytes: number | undefined,
  headers: Readonly<Record<string, string>> = {},
): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}`];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (headers["Content-Type"] === undefined) lines.push("Content-Type: text/html; charset=utf-8");
  if (bodyBytes !== undefined) lines.push(`Content-Length: ${bodyBytes}`);
  lines.push("Connection: close", "", "");
  return lines.join("\r\n");
}

/** Sends the parts in one go and closes. */
export function endAnswer(exchange: Exchange, ...parts: (string | Buffer)[]): void {
  const { stream } = exchange;
  exchange.finish();
  stream.cork();
  for (const part of parts) stream.write(part);
  stream.end();
}

/** Does something in a while, unless the connection is gone by then. */
export function later({ stream }: Exchange, delayMs: number | undefined, then: () => void): void {
  if (delayMs === undefined || delayMs === 0) return then();
  const timer = setTimeout(then, delayMs);
  stream.once("close", () => clearTimeout(timer));
}

/** Sends the same bytes over and over, with a pause before each. */
export function every({ stream }: Exchange, intervalMs: number, bytes: string | Buffer): void {
  const timer = setInterval(() => stream.write(bytes), intervalMs);
  stream.once("close", () => clearInterval(timer));
}
