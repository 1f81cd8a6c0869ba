import type { Finding } from "./problem.ts";

export type DecodedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly text: string; readonly finding: Finding };

/**
 * Characters that are not printable by YAML 1.2, section 5.1 (controls except tab, line feed, carriage return and next line, two
 * noncharacters, lone surrogates), and lone carriage returns.
 */
const UNPRINTABLE = /(?![\t\n\r\u0085])[\p{Cc}\uFFFE\uFFFF\p{Surrogate}]|\r(?!\n)/u;

function refuse(text: string, offset: number, message: string): DecodedText {
  return { kind: "refused", text, finding: { offset, path: [], message } };
}

/** The longest prefix that decodes, by binary search. */
function decodeValidPrefix(bytes: Uint8Array): string {
  let good = 0;
  let bad = bytes.length + 1;
  let text = "";
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, middle), {
        stream: true,
      });
      good = middle;
    } catch {
      bad = middle;
    }
  }
  return text;
}

function decodeBytes(bytes: Uint8Array): DecodedText {
  try {
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    const text = decodeValidPrefix(bytes);
    return refuse(text, text.length, "the file is not valid UTF-8 from here on; save it as UTF-8.");
  }
}

/**
 * Decodes UTF-8 bytes of at most `maxBytes`, with or without a byte order mark; refuses others with a finding. Of a string, only
 * the mark is removed. Never throws.
 */
export function decodeUtf8(source: Uint8Array | string, maxBytes: number): DecodedText {
  const isTooLong =
    source.length > maxBytes ||
    (typeof source === "string" && new TextEncoder().encode(source).length > maxBytes);
  if (isTooLong) {
    return refuse("", 0, `the file is over ${maxBytes} bytes; make it shorter.`);
  }
  return typeof source === "string"
    ? { kind: "text", text: source.replace(/^\uFEFF/, "") }
    : decodeBytes(source);
}

/**
 * Decodes a file that people write: as `decodeUtf8`, but with printable characters only. Never throws.
 */
export function decodeText(source: Uint8Array | string, maxBytes: number): DecodedText {
  const decoded = decodeUtf8(source, maxBytes);
  if (decoded.kind === "refused") return decoded;
  const offset = decoded.text.search(UNPRINTABLE);
  if (offset < 0) return decoded;
  const code = (decoded.text.codePointAt(offset) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return refuse(
    decoded.text,
    offset,
    `the character U+${code} is not allowed in this file; remove it.`,
  );
}
