import { onceFor } from "../../model/lists.ts";
import { isUtf8 } from "node:buffer";
import zlib from "node:zlib";
import { errnoOf } from "../../model/errors.ts";
import type { HttpResponse } from "../network/http.ts";
import { valuesOf } from "../network/response-parser.ts";

type Coded = Pick<HttpResponse, "headers" | "body">;

/** Of a decompressed body. A longer one is cut off: a probe reads beginnings. */
const MAX_BYTES = 1024 * 1024;

/** Browsers ask for what one server did; more are an attack. */
const MAX_CODINGS = 3;

const OPTIONS = { maxOutputLength: MAX_BYTES, finishFlush: zlib.constants.Z_SYNC_FLUSH };

type Decode = (bytes: Buffer) => Buffer;

const gunzip: Decode = (bytes) => zlib.gunzipSync(bytes, OPTIONS);
const brotli = { ...OPTIONS, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH };

/** Decoders by the name of a coding, which all take a beginning as well. Chromium takes both forms of deflate. */
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", gunzip],
  ["x-gzip", gunzip],
  ["deflate", inflate],
  ["br", (bytes) => zlib.brotliDecompressSync(bytes, brotli)],
  ...zstdOfThisNode(),
]);

function inflate(bytes: Buffer): Buffer {
  const hasHeader = ((bytes[0] ?? 0) & 0x0f) === 8;
  return hasHeader ? zlib.inflateSync(bytes, OPTIONS) : zlib.inflateRawSync(bytes, OPTIONS);
}

/** Node has it since 22.15. */
function zstdOfThisNode(): readonly (readonly [string, Decode])[] {
  const { zstdDecompressSync, constants } = zlib as {
    readonly zstdDecompressSync?: (bytes: Buffer, options: object) => Buffer;
    readonly constants: { readonly ZSTD_e_flush?: number };
  };
  if (zstdDecompressSync === undefined) return [];
  const finishFlush = constants.ZSTD_e_flush;
  return [["zstd", (bytes) => zstdDecompressSync(bytes, { ...OPTIONS, finishFlush })]];
}

/** The codings of a body that were not asked for, in the order in which they were applied. */
function codingsOf({ headers }: Coded): readonly string[] {
  return valuesOf(headers, "content-encoding")
    .flatMap((value) => value.split(","))
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== "" && one !== "identity");
}

/** Whether a body is compressed, although `identity` was asked for. */
export function isCoded(answer: Coded): boolean {
  return codingsOf(answer).length > 0;
}

/**
 * The text of a body in UTF-8, decompressed and decoded once for all who read it; `broken`: a browser could not show it. An unknown coding
 * changes nothing, as in browsers. The charset is that of the byte-order mark, the header or the page; without any, what is not UTF-8 is
 * windows-1251. Never throws.
 */
export const textOf: (answer: Coded) => Buffer | "broken" = onceFor((answer) => {
  const bytes = decompress(answer);
  return bytes === "broken" ? bytes : toUtf8(bytes, answer);
});

/** Whether the text of a body has a part; one that cannot be shown has none. */
export function hasText(answer: Coded, part: string): boolean {
  const text = textOf(answer);
  return text !== "broken" && text.includes(part);
}

function decompress(answer: Coded): Buffer | "broken" {
  const codings = codingsOf(answer);
  if (codings.length > MAX_CODINGS) return "broken";
  let bytes: Buffer | undefined = answer.body;
  for (const coding of codings.toReversed()) {
    const decode = DECODERS.get(coding);
    if (decode !== undefined) bytes = decodeBeginning(bytes, decode);
    if (bytes === undefined) return "broken";
  }
  return bytes;
}

/** A body that would be too long once it is decompressed is decompressed as far as half of it goes, and so on. */
function decodeBeginning(bytes: Buffer, decode: Decode): Buffer | undefined {
  for (let length = bytes.length; length > 0; length = Math.floor(length / 2)) {
    try {
      return decode(bytes.subarray(0, length));
    } catch (error) {
      if (errnoOf(error) !== "ERR_BUFFER_TOO_LARGE") return undefined;
    }
  }
  return Buffer.alloc(0);
}

/** Where a page says its charset. Source: HTML, "prescan a byte stream to determine its encoding". */
const PRESCANNED_BYTES = 1_024;
const CHARSET = /charset\s*=\s*["']?\s*([a-z0-9_:.-]+)/iu;

const MARKS: readonly (readonly [charset: string, bytes: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

function toUtf8(bytes: Buffer, answer: Coded): Buffer {
  const charset = charsetOf(bytes, answer);
  if (charset === "utf-8") return bytes;
  return Buffer.from(new TextDecoder(charset).decode(bytes));
}

/** A name that `TextDecoder` knows. */
function charsetOf(bytes: Buffer, { headers }: Coded): string {
  const mark = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  if (mark !== undefined) return mark;
  const inHeader = charsetIn(valuesOf(headers, "content-type").join(" "));
  if (inHeader !== undefined) return inHeader;
  const inPage = charsetIn(bytes.toString("latin1", 0, PRESCANNED_BYTES));
  // A page in UTF-16 could not say so in ASCII.
  if (inPage !== undefined) return inPage.startsWith("utf-16") ? "utf-8" : inPage;
  return isUtf8(withoutCutCharacter(bytes)) ? "utf-8" : "windows-1251";
}

function charsetIn(text: string): string | undefined {
  const label = CHARSET.exec(text)?.[1];
  try {
    return label && new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** The limit of a probe can lie within a character. */
function withoutCutCharacter(bytes: Buffer): Buffer {
  const last = bytes.findLastIndex(
    (byte, at) => byte < 0x80 || byte >= 0xc0 || at < bytes.length - 4,
  );
  return last >= bytes.length - 4 && (bytes[last] ?? 0) >= 0xc0 ? bytes.subarray(0, last) : bytes;
}
