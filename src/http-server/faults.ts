import { METHODS } from "node:http";
import type { RequestFault } from "../model/connections.ts";

/** Node's error for bytes that are not a valid request. `rawPacket` is the last packet received. */
export interface ParserError {
  readonly code?: string;
  /** Offset in the packet at which the parser stopped. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

export interface FoundFault {
  readonly fault: RequestFault;
  /** The target of the request line, if there was one. */
  readonly target?: string;
}

/** Longest part of a request line that is parsed: no response depends on a longer target. */
const MAX_LINE_BYTES = 1_024;

const LINE_FEED = 0x0a;

/** The token of RFC 9110, section 5.6.2, and the request line of RFC 9112, section 3. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const LINE = new RegExp(`^(${TOKEN}) (\\S+) HTTP/\\d\\.\\d\\r?$`, "u");
const BEGINNING = new RegExp(`^(${TOKEN})(?: (\\S*)(?: [HTP/\\d.]*\\r?)?)?$`, "u");

/** Node rejects methods that it does not know as invalid HTTP, with one of these two codes. */
const METHOD_CODES = new Set(["HPE_INVALID_METHOD", "HPE_INVALID_CONSTANT"]);

/**
 * Classifies the fault of a request. The rest of the line shows whether an unknown method is HTTP at all; an incomplete
 * line is assumed to become valid. Never throws.
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

/** The line in which the parser stopped: the same packet may contain other requests before it. */
function lineOf({ rawPacket, bytesParsed = 0 }: ParserError): { text: string; isWhole: boolean } {
  if (rawPacket === undefined) return { text: "", isWhole: false };
  const begin = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(LINE_FEED, bytesParsed - 1) + 1;
  const rest = rawPacket.subarray(begin, begin + MAX_LINE_BYTES);
  const end = rest.indexOf(LINE_FEED);
  return { text: rest.toString("latin1", 0, end < 0 ? rest.length : end), isWhole: end >= 0 };
}
