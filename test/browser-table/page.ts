import type { FailureCode, Oddity } from "../../src/model/failures.ts";

/** What a page that opens has in it. */
export const SIGN = "Страница открылась";

/** One answer of a small server: bytes as Latin-1, by the path of the request and what its head has. */
export type Answer = string | ((path: string, head: string) => string);

/** One kind of odd server, and what a visitor gets there. */
export interface Row {
  readonly name: string;
  readonly answer: Answer;
  /** `opens`, or the code of the failure. */
  readonly verdict: "opens" | FailureCode;
  /** Evidence of a page that opens. */
  readonly oddities?: readonly Oddity[];
  /** Why the verdict is not that of a browser. Absent: it is. */
  readonly butBrowser?: string;
}

export const latin1 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("latin1");
export const PAGE = `<!doctype html><meta charset="utf-8"><title>Страница</title><p>${SIGN}</p>`;
export const BODY = latin1(PAGE);
export const LENGTH = `Content-Length: ${BODY.length}`;
export const TYPE = "Content-Type: text/html; charset=utf-8";

export const join = (...lines: readonly string[]): string => [...lines, "", ""].join("\r\n");

/** A page behind these lines of a head. */
export const page = (...lines: readonly string[]): string =>
  join("HTTP/1.1 200 OK", TYPE, ...lines) + BODY;

export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
export const CHUNKS = `${chunk(BODY)}0\r\n\r\n`;
export const CHUNKED = "Transfer-Encoding: chunked";

/** The page in other bytes. */
export const sent = (bytes: Uint8Array, ...lines: readonly string[]): string =>
  join("HTTP/1.1 200 OK", ...lines, `Content-Length: ${bytes.length}`) + latin1(bytes);

export const moved = (...lines: readonly string[]): string =>
  join("HTTP/1.1 302 Found", ...lines, "Content-Length: 0");

/** A redirect, and the page behind it at a path. */
export const movedTo =
  (target: string, ...lines: readonly string[]): Answer =>
  (path) =>
    path === target ? page(LENGTH) : moved(...lines);

export const windows1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      if (code < 0x80) return code;
      return code === 0x451 ? 0xb8 : code - 0x350;
    }),
  );

export const HTML = "Content-Type: text/html";
export const plain = `<!doctype html><title>x</title><p>${SIGN}</p>`;
export const NO_LOOP = "a filter's endless answers would hold a probe";
