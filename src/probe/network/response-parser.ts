import type { Oddity } from "../../model/failures.ts";
import type { ProbeLimits } from "../limits.ts";

/** Names are in lower case; a header that came more than once has all its values. Values are Latin-1. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  /** What a browser forgives, without repetitions. */
  readonly oddities: readonly Oddity[];
}

export type ParseFault = "malformed" | "head-too-large" | "informational-flood";

interface ParserEvents {
  readonly onHead: (head: ResponseHead) => void;
  /** A part of the body, without its framing. */
  readonly onBody: (part: Buffer) => void;
  /** The body is complete; nothing follows. */
  readonly onEnd: () => void;
  readonly onFault: (fault: ParseFault) => void;
}

type ParserLimits = Pick<ProbeLimits, "headBytes" | "informational">;

/** Of a line of a chunked body. Source: net/http/http_chunked_decoder.h of Chromium, kMaxLineBufLen. */
const MAX_CHUNK_LINE_BYTES = 16_384;

/** Bytes before `HTTP`. Source: net/http/http_util.cc of Chromium, LocateStartOfStatusLine. */
const MAX_NOISE = 4;

const LF = 10;
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

type Framing =
  | { readonly kind: "length"; left: number }
  | { readonly kind: "chunked"; state: "size" | "data" | "data-end" | "trailer"; left: number }
  | { readonly kind: "close" };

/**
 * Reads one response of HTTP/1 as Chromium does. There is one request on one connection, so a body of unclear length cannot hide a second
 * response. Source: net/http of Chromium; docs/probe/measurement.md, "A response".
 */
export class ResponseParser {
  readonly #events: ParserEvents;
  readonly #limits: ParserLimits;
  /** Bytes of a head, or of a line of a chunked body. */
  #held = Buffer.alloc(0);
  #heldBytes = 0;
  /** Up to here no end of a head was found. */
  #scanned = 0;
  #informational = 0;
  #hasContinue = false;
  #framing: Framing | undefined;
  #isOver = false;

  constructor(limits: ParserLimits, events: ParserEvents) {
    this.#limits = limits;
    this.#events = events;
  }

  push(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#framing === undefined) this.#pushHead(chunk);
    else this.#pushBody(this.#framing, chunk);
  }

  /** The connection was closed in good order. Returns whether the response was complete. */
  end(): boolean {
    const isComplete = this.#framing?.kind === "close";
    if (isComplete && !this.#isOver) this.#finish();
    return isComplete;
  }

  #pushHead(chunk: Buffer): void {
    this.#hold(chunk);
    for (;;) {
      const bytes = this.#held.subarray(0, this.#heldBytes);
      const start = startOfStatusLine(bytes);
      if (start === "unknown") return;
      if (start === "none") return this.#fault("malformed");
      const end = this.#endOfHead(bytes, start);
      if ((end ?? bytes.length) > this.#limits.headBytes) return this.#fault("head-too-large");
      if (end === undefined) return;
      const read = readHead(bytes.toString("latin1", start, end), start > 0);
      const rest = Buffer.from(bytes.subarray(end));
      this.#heldBytes = 0;
      this.#scanned = 0;
      if (read === undefined || read.status === 101) return this.#fault("malformed");
      if (read.status >= 200) return this.#begin(read, rest);
      this.#informational += 1;
      this.#hasContinue ||= read.status === 100;
      if (this.#informational > this.#limits.informational)
        return this.#fault("informational-flood");
      this.#hold(rest);
    }
  }

  #endOfHead(bytes: Buffer, start: number): number | undefined {
    let at = bytes.indexOf(LF, Math.max(start, this.#scanned));
    while (at !== -1) {
      // A line end can be a line feed alone.
      if (bytes[at + 1] === LF) return at + 2;
      if (bytes[at + 1] === 13 && bytes[at + 2] === LF) return at + 3;
      if (at + 2 >= bytes.length) break;
      at = bytes.indexOf(LF, at + 1);
    }
    this.#scanned = at === -1 ? bytes.length : at;
    return undefined;
  }

  #begin({ isHttp11, ...head }: ReadHead, rest: Buffer): void {
    const framed = frame(head.status, head.headers, isHttp11);
    if (framed === undefined) return this.#fault("malformed");
    const odd = new Set([...head.oddities, ...framed.oddities]);
    if (this.#hasContinue) odd.add("continue-unasked");
    this.#framing = framed.framing;
    this.#events.onHead({ ...head, oddities: [...odd] });
    const { framing } = framed;
    if (framing.kind === "length" && framing.left === 0) return this.#finish();
    if (rest.length > 0) this.#pushBody(framing, rest);
  }

  #pushBody(framing: Framing, chunk: Buffer): void {
    if (framing.kind === "close") return this.#events.onBody(chunk);
    if (framing.kind === "chunked") return this.#pushChunked(framing, chunk);
    const part = chunk.subarray(0, framing.left);
    framing.left -= part.length;
    this.#events.onBody(part);
    if (framing.left === 0) this.#finish();
  }

  #pushChunked(framing: Extract<Framing, { kind: "chunked" }>, chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#isOver) {
      if (framing.state === "data") {
        const part = chunk.subarray(at, at + framing.left);
        at += part.length;
        framing.left -= part.length;
        if (framing.left === 0) framing.state = "data-end";
        this.#events.onBody(part);
        continue;
      }
      const lineEnd = chunk.indexOf(LF, at);
      this.#hold(chunk.subarray(at, lineEnd === -1 ? chunk.length : lineEnd));
      if (this.#heldBytes > MAX_CHUNK_LINE_BYTES) return this.#fault("malformed");
      if (lineEnd === -1) return;
      const line = this.#held.toString("latin1", 0, this.#heldBytes).replace(/\r$/u, "");
      this.#heldBytes = 0;
      at = lineEnd + 1;
      this.#takeLine(framing, line);
    }
  }

  #takeLine(framing: Extract<Framing, { kind: "chunked" }>, line: string): void {
    if (framing.state === "trailer") {
      if (line === "") this.#finish();
      return;
    }
    if (framing.state === "data-end") {
      if (line !== "") return this.#fault("malformed");
      framing.state = "size";
      return;
    }
    const [, digits] = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/iu.exec(line) ?? [];
    if (digits === undefined) return this.#fault("malformed");
    framing.left = Number.parseInt(digits, 16);
    framing.state = framing.left === 0 ? "trailer" : "data";
  }

  /** A copy, because a head can come in thousands of pieces; the room doubles. */
  #hold(chunk: Buffer): void {
    const needed = this.#heldBytes + chunk.length;
    if (needed > this.#held.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#held.length));
      this.#held.copy(larger, 0, 0, this.#heldBytes);
      this.#held = larger;
    }
    chunk.copy(this.#held, this.#heldBytes);
    this.#heldBytes = needed;
  }

  #finish(): void {
    this.#isOver = true;
    this.#events.onEnd();
  }

  #fault(fault: ParseFault): void {
    this.#isOver = true;
    this.#events.onFault(fault);
  }
}

/** Where `HTTP` begins, within the first bytes. */
function startOfStatusLine(bytes: Buffer): number | "none" | "unknown" {
  const start = /http/iu.exec(bytes.toString("latin1", 0, MAX_NOISE + 4))?.index;
  return start ?? (bytes.length < MAX_NOISE + 4 ? "unknown" : "none");
}

type ReadHead = ResponseHead & { readonly isHttp11: boolean };

/** Undefined if its status is not one of HTTP, or a zero byte is in it, as browsers refuse both. */
function readHead(text: string, hasNoise: boolean): ReadHead | undefined {
  const odd: Oddity[] = hasNoise ? ["noise-before-status"] : [];
  if (/(?<!\r)\n/u.test(text)) odd.push("bare-line-feed");
  if (text.includes("\0")) return undefined;
  // Chromium takes either for the end of a line.
  const [statusLine = "", ...lines] = text.split(/\r\n|\n|\r/u);
  const [, major = "1", minor = "0", status] =
    /^http(?:\/(\d)\.(\d)[^ ]*)?(?: +(\d+)?.*)?$/iu.exec(statusLine) ?? [];
  if (status === undefined) odd.push("status-missing");
  const number = Number(status ?? "200");
  if (number < 100 || number > 999) return undefined;
  const headers = readHeaders(lines);
  const locations = valuesOf(headers, "location");
  if (locations.length > 1) odd.push("location-repeated");
  if (locations.some((one) => /[\u0080-\u00ff]/u.test(one))) odd.push("location-not-ascii");
  if (/[^\t\n\r -~\u0080-\u00ff]/u.test(text)) odd.push("control-in-header");
  const isHttp11 = Number(major) > 1 || (major === "1" && Number(minor) >= 1);
  return { status: number, headers, oddities: odd, isHttp11 };
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u;

/** Lines that are no header are left out, as browsers do. A line that begins with a blank continues the one before. */
function readHeaders(lines: readonly string[]): Headers {
  const headers: Record<string, string | string[]> = Object.create(null);
  const joined: string[] = [];
  for (const line of lines)
    if (/^[ \t]/u.test(line) && joined.length > 0) joined.push(`${joined.pop()} ${line.trim()}`);
    else joined.push(line);
  for (const line of joined) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const name = line.slice(0, colon).trimEnd().toLowerCase();
    if (!TOKEN.test(name)) continue;
    const value = line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/gu, "");
    const known = headers[name];
    if (known === undefined) headers[name] = value;
    else if (typeof known === "string") headers[name] = [known, value];
    else known.push(value);
  }
  return headers;
}

/** All values of a header. */
export function valuesOf(headers: Headers, name: string): readonly string[] {
  const value = headers[name];
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

/** How the body ends; undefined: it is not clear, and no browser shows it. Source: RFC 9112, section 6.3. */
function frame(
  status: number,
  headers: Headers,
  isHttp11: boolean,
): { readonly framing: Framing; readonly oddities: readonly Oddity[] } | undefined {
  if (WITHOUT_BODY.has(status)) return { framing: { kind: "length", left: 0 }, oddities: [] };
  const listed = (name: string): readonly string[] =>
    valuesOf(headers, name).flatMap((value) => value.split(",").map((one) => one.trim()));
  const codings = listed("transfer-encoding").map((coding) => coding.toLowerCase());
  const lengths = listed("content-length");
  const odd: Oddity[] = [];
  if (codings.some((coding) => coding !== "chunked" && coding !== "identity" && coding !== ""))
    odd.push("transfer-coding-unknown");
  const chunked = codings.filter((coding) => coding === "chunked").length;
  if (chunked > 0 && isHttp11) {
    if (chunked > 1) odd.push("chunked-repeated");
    if (lengths.length > 0) odd.push("length-beside-chunked");
    return { framing: { kind: "chunked", state: "size", left: 0 }, oddities: odd };
  }
  const [length] = lengths;
  if (length === undefined) return { framing: { kind: "close" }, oddities: odd };
  if (lengths.some((one) => one !== length)) return undefined;
  if (lengths.length > 1) odd.push("length-repeated");
  if (/^\d{1,15}$/u.test(length))
    return { framing: { kind: "length", left: Number(length) }, oddities: odd };
  return { framing: { kind: "close" }, oddities: [...odd, "length-invalid"] };
}
