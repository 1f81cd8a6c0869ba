import { METHODS } from "node:http";
import type { RequestFault } from "../model/connections.ts";

/** What Node says of bytes that became no request. The packet is the last one that came. */
export interface ParserError {
  readonly code?: string;
  /** Where in the packet the parser stopped. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

export interface FoundFault {
  readonly fault: RequestFault;
  /** That of the request line, if there was one. */
  readonly target?: string;
}

/** A request line is looked at up to here: a longer target is nothing that an answer depends on. */
const MAX_LINE_BYTES = 1_024;

const LINE_FEED = 0x0a;

/** The token and the request line of RFC 9110, section 5.6.2, and RFC 9112, section 3. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const LINE = new RegExp(`^(${TOKEN}) (\\S+) HTTP/\\d\\.\\d\\r?$`, "u");
const BEGINNING = new RegExp(`^(${TOKEN})(?: (\\S*)(?: [HTP/\\d.]*\\r?)?)?$`, "u");

/** Node knows the methods that exist and takes every other for no HTTP at all, with one of these two codes. */
const METHOD_CODES = new Set(["HPE_INVALID_METHOD", "HPE_INVALID_CONSTANT"]);

/**
 * What was wrong with the request. A method that nobody knows is told from bytes that are no HTTP by the rest of its line; a line
 * that is not all there yet gets the benefit of the doubt. Never throws.
 */
export function findFault(error: ParserError): FoundFault {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return { fault: "too-slow" };
  if (error.code === "HPE_HEADER_OVERFLOW") return { fault: "head-too-large" };
  if (!METHOD_CODES.has(error.code ?? "")) return { fault: "malformed" };
  const { text, isWhole } = lineOf(error);
  const [, method, target] = (isWhole ? LINE : BEGINNING).exec(text) ?? [];
  if (method === undefined || METHODS.includes(method)) return { fault: "malformed" };
  return { fault: "unknown-method", ...(target === undefined ? {} : { target }) };
}

/** The line in which the parser stopped: other requests may stand before it in the same packet. */
function lineOf({ rawPacket, bytesParsed = 0 }: ParserError): { text: string; isWhole: boolean } {
  if (rawPacket === undefined) return { text: "", isWhole: false };
  const begin = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(LINE_FEED, bytesParsed - 1) + 1;
  const rest = rawPacket.subarray(begin, begin + MAX_LINE_BYTES);
  const end = rest.indexOf(LINE_FEED);
  return { text: rest.toString("latin1", 0, end < 0 ? rest.length : end), isWhole: end >= 0 };
}
