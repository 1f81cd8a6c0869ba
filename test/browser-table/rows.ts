import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import type { FailureCode, Oddity } from "../../src/model/probe-outcome.ts";

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

const latin1 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("latin1");
const PAGE = `<!doctype html><meta charset="utf-8"><title>Страница</title><p>${SIGN}</p>`;
const BODY = latin1(PAGE);
const LENGTH = `Content-Length: ${BODY.length}`;
const TYPE = "Content-Type: text/html; charset=utf-8";

const join = (...lines: readonly string[]): string => [...lines, "", ""].join("\r\n");

/** A page behind these lines of a head. */
const page = (...lines: readonly string[]): string =>
  join("HTTP/1.1 200 OK", TYPE, ...lines) + BODY;

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKS = `${chunk(BODY)}0\r\n\r\n`;
const CHUNKED = "Transfer-Encoding: chunked";

/** The page in other bytes. */
const sent = (bytes: Uint8Array, ...lines: readonly string[]): string =>
  join("HTTP/1.1 200 OK", ...lines, `Content-Length: ${bytes.length}`) + latin1(bytes);

const moved = (...lines: readonly string[]): string =>
  join("HTTP/1.1 302 Found", ...lines, "Content-Length: 0");

/** A redirect, and the page behind it at a path. */
const movedTo =
  (target: string, ...lines: readonly string[]): Answer =>
  (path) =>
    path === target ? page(LENGTH) : moved(...lines);

const windows1251 = (text: string): Buffer =>
  Buffer.from(
    [...text].map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      if (code < 0x80) return code;
      return code === 0x451 ? 0xb8 : code - 0x350;
    }),
  );

const HTML = "Content-Type: text/html";
const plain = `<!doctype html><title>x</title><p>${SIGN}</p>`;
const NO_LOOP = "a filter's endless answers would hold a probe";

export const HEADS: readonly Row[] = [
  { name: "an ordinary page", answer: page(LENGTH), verdict: "opens" },
  { name: "a page until the end", answer: page(), verdict: "opens" },
  {
    name: "a head with line feeds alone",
    answer: page(LENGTH).replaceAll("\r\n", "\n"),
    verdict: "opens",
    oddities: ["bare-line-feed"],
  },
  {
    name: "a head with mixed line ends",
    answer: page("X-A: 1", LENGTH).replace("\r\n", "\n"),
    verdict: "opens",
    oddities: ["bare-line-feed"],
  },
  {
    name: "a carriage return within a line",
    answer: page("X-A: 1\rX-B: 2", LENGTH),
    verdict: "opens",
    oddities: [],
  },
  {
    name: "a control character in a value",
    answer: page("X-A: a\x02b", LENGTH),
    verdict: "opens",
    oddities: ["control-in-header"],
  },
  {
    name: "a zero in a value",
    answer: page("X-A: a\0b", LENGTH),
    verdict: "http-malformed",
  },
  { name: "a line without a colon", answer: page("this is none", LENGTH), verdict: "opens" },
  { name: "a line that begins with a colon", answer: page(": a", LENGTH), verdict: "opens" },
  { name: "a blank before the colon", answer: page("X-A : 1", LENGTH), verdict: "opens" },
  { name: "a blank in a name", answer: page("X A: 1", LENGTH), verdict: "opens" },
  { name: "a folded line", answer: page("X-A: 1", "  2", LENGTH), verdict: "opens" },
  {
    name: "a head with bytes of UTF-8",
    answer: page(latin1("X-A: привет"), LENGTH),
    verdict: "opens",
  },
  { name: "a head of 40 KB", answer: page(`X-A: ${"a".repeat(40_000)}`, LENGTH), verdict: "opens" },
  {
    name: "a head of 100 KB",
    answer: page(`X-A: ${"a".repeat(100_000)}`, LENGTH),
    verdict: "http-headers-too-large",
    butBrowser: "no service has a head above 64 KiB; Chromium reads 256",
  },
  {
    name: "100 Continue before the page",
    answer: `HTTP/1.1 100 Continue\r\n\r\n${page(LENGTH)}`,
    verdict: "opens",
    oddities: ["continue-unasked"],
  },
  {
    name: "103 Early Hints before the page",
    answer: `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${page(LENGTH)}`,
    verdict: "opens",
  },
  {
    name: "seventeen informational heads",
    answer: "HTTP/1.1 102 Processing\r\n\r\n".repeat(17) + page(LENGTH),
    verdict: "http-informational-flood",
    butBrowser: NO_LOOP,
  },
  {
    name: "101 Switching Protocols",
    answer: join("HTTP/1.1 101 Switching Protocols", "Upgrade: x") + page(LENGTH),
    verdict: "http-malformed",
    butBrowser: "nothing was asked for; Chromium shows what follows as text",
  },
  {
    name: "three bytes before the status line",
    answer: `\r\n\n${page(LENGTH)}`,
    verdict: "opens",
    oddities: ["noise-before-status"],
  },
  {
    name: "six bytes before the status line",
    answer: `\r\n\r\n\r\n${page(LENGTH)}`,
    verdict: "http-malformed",
  },
  {
    name: "a page of HTTP/0.9",
    answer: BODY,
    verdict: "http-malformed",
    butBrowser: "only at port 80, and filters answer so",
  },
  {
    name: "another protocol",
    answer: "220 mail.example ESMTP\r\n",
    verdict: "http-malformed",
  },
  { name: "HTTP/1.0", answer: page(LENGTH).replace("/1.1", "/1.0"), verdict: "opens" },
  { name: "HTTP/2.0 in words", answer: page(LENGTH).replace("/1.1", "/2.0"), verdict: "opens" },
  { name: "HTTP without a version", answer: page(LENGTH).replace("/1.1", ""), verdict: "opens" },
  {
    name: "a status line in lower case",
    answer: page(LENGTH).replace("HTTP", "http"),
    verdict: "opens",
  },
  {
    name: "a status line without a reason",
    answer: page(LENGTH).replace("200 OK", "200"),
    verdict: "opens",
  },
  {
    name: "a status line without a status",
    answer: page(LENGTH).replace("200 OK", "fine"),
    verdict: "opens",
    oddities: ["status-missing"],
  },
  {
    name: "a status of four digits",
    answer: page(LENGTH).replace("200 OK", "2000 OK"),
    verdict: "http-malformed",
    butBrowser: "no status of HTTP: what it means is not known",
  },
  {
    name: "a status of two digits",
    answer: page(LENGTH).replace("200 OK", "20 OK"),
    verdict: "http-malformed",
    butBrowser: "no status of HTTP: what it means is not known",
  },
  { name: "an empty answer", answer: "", verdict: "http-closed" },
  {
    name: "a head that ends in the middle",
    answer: "HTTP/1.1 200 OK\r\nX-A: 1",
    verdict: "http-closed",
  },
  {
    name: "a head without an empty line",
    answer: "HTTP/1.1 200 OK\r\nX-A: 1\r\n",
    verdict: "http-closed",
  },
];

export const BODIES: readonly Row[] = [
  { name: "chunks", answer: join("HTTP/1.1 200 OK", TYPE, CHUNKED) + CHUNKS, verdict: "opens" },
  {
    name: "chunks with extensions and trailers",
    answer: `${join("HTTP/1.1 200 OK", TYPE, CHUNKED)}${BODY.length.toString(16)};a=b\r\n${BODY}\r\n0\r\nX-A: 1\r\n\r\n`,
    verdict: "opens",
  },
  {
    name: "chunks with line feeds alone",
    answer: join("HTTP/1.1 200 OK", TYPE, CHUNKED) + CHUNKS.replaceAll("\r\n", "\n"),
    verdict: "opens",
  },
  {
    name: "chunks with a blank behind the size",
    answer: `${join("HTTP/1.1 200 OK", TYPE, CHUNKED)}${BODY.length.toString(16)}  \r\n${BODY}\r\n0\r\n\r\n`,
    verdict: "opens",
  },
  {
    name: "a length beside chunks",
    answer: join("HTTP/1.1 200 OK", TYPE, CHUNKED, "Content-Length: 5") + CHUNKS,
    verdict: "opens",
    oddities: ["length-beside-chunked"],
  },
  {
    name: "two lengths beside chunks",
    answer:
      join("HTTP/1.1 200 OK", TYPE, CHUNKED, "Content-Length: 5", "Content-Length: 6") + CHUNKS,
    verdict: "opens",
    oddities: ["length-beside-chunked"],
  },
  {
    name: "chunked named twice in one line",
    answer: join("HTTP/1.1 200 OK", TYPE, "Transfer-Encoding: chunked, chunked") + CHUNKS,
    verdict: "opens",
    oddities: ["chunked-repeated"],
  },
  {
    name: "chunked named twice in two lines",
    answer: join("HTTP/1.1 200 OK", TYPE, CHUNKED, CHUNKED) + CHUNKS,
    verdict: "opens",
    oddities: ["chunked-repeated"],
  },
  {
    name: "identity and chunked",
    answer: join("HTTP/1.1 200 OK", TYPE, "Transfer-Encoding: identity, chunked") + CHUNKS,
    verdict: "opens",
  },
  {
    name: "chunked in HTTP/1.0",
    answer: join("HTTP/1.0 200 OK", TYPE, CHUNKED) + BODY,
    verdict: "opens",
  },
  {
    name: "an unknown coding of the transfer",
    answer: join("HTTP/1.1 200 OK", TYPE, "Transfer-Encoding: xchunked") + BODY,
    verdict: "opens",
    oddities: ["transfer-coding-unknown"],
  },
  {
    name: "a size that is no number",
    answer: `${join("HTTP/1.1 200 OK", TYPE, CHUNKED)}xyz\r\n${BODY}\r\n0\r\n\r\n`,
    verdict: "body-malformed",
  },
  {
    name: "a size in hex with 0x",
    answer: `${join("HTTP/1.1 200 OK", TYPE, CHUNKED)}0x${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
    verdict: "body-malformed",
  },
  {
    name: "chunks without the last",
    answer: join("HTTP/1.1 200 OK", TYPE, CHUNKED) + chunk(BODY),
    verdict: "body-closed",
  },
  {
    name: "equal lengths twice",
    answer: page(LENGTH, LENGTH),
    verdict: "opens",
    oddities: ["length-repeated"],
  },
  {
    name: "equal lengths in one line",
    answer: page(`${LENGTH}, ${BODY.length}`),
    verdict: "opens",
    oddities: ["length-repeated"],
  },
  {
    name: "different lengths",
    answer: page(LENGTH, "Content-Length: 5"),
    verdict: "http-malformed",
  },
  {
    name: "a length that is no number",
    answer: page("Content-Length: many"),
    verdict: "opens",
    oddities: ["length-invalid"],
  },
  {
    name: "a negative length",
    answer: page("Content-Length: -1"),
    verdict: "opens",
    oddities: ["length-invalid"],
  },
  {
    name: "a body shorter than its length",
    answer: page(`Content-Length: ${BODY.length + 10}`),
    verdict: "body-closed",
  },
  { name: "a body longer than its length", answer: page(LENGTH) + BODY, verdict: "opens" },
  {
    name: "gzip",
    answer: sent(gzipSync(PAGE), TYPE, "Content-Encoding: gzip"),
    verdict: "opens",
    oddities: ["coding-unasked"],
  },
  {
    name: "x-gzip",
    answer: sent(gzipSync(PAGE), TYPE, "Content-Encoding: x-gzip"),
    verdict: "opens",
    oddities: ["coding-unasked"],
  },
  {
    name: "deflate",
    answer: sent(deflateSync(PAGE), TYPE, "Content-Encoding: deflate"),
    verdict: "opens",
    oddities: ["coding-unasked"],
  },
  {
    name: "raw deflate",
    answer: sent(deflateRawSync(PAGE), TYPE, "Content-Encoding: deflate"),
    verdict: "opens",
    oddities: ["coding-unasked"],
  },
  {
    name: "br",
    answer: sent(brotliCompressSync(PAGE), TYPE, "Content-Encoding: br"),
    verdict: "opens",
    oddities: ["coding-unasked"],
    butBrowser: "Chromium takes br over https alone",
  },
  {
    name: "gzip twice",
    answer: sent(gzipSync(gzipSync(PAGE)), TYPE, "Content-Encoding: gzip, gzip"),
    verdict: "opens",
    oddities: ["coding-unasked"],
  },
  {
    name: "an unknown coding",
    answer: page("Content-Encoding: none", LENGTH),
    verdict: "opens",
    oddities: ["coding-unasked"],
  },
  {
    name: "gzip that is none",
    answer: page("Content-Encoding: gzip", LENGTH),
    verdict: "body-malformed",
  },
  {
    name: "windows-1251 by its header",
    answer: sent(windows1251(plain), "Content-Type: text/html; charset=windows-1251"),
    verdict: "opens",
  },
  {
    name: "windows-1251 by its meta",
    answer: sent(
      windows1251(plain.replace("<title>", '<meta charset="windows-1251"><title>')),
      HTML,
    ),
    verdict: "opens",
  },
  {
    name: "windows-1251 that is not named",
    answer: sent(windows1251(plain), HTML),
    verdict: "opens",
  },
  {
    name: "UTF-8 with a byte-order mark",
    answer: sent(Buffer.from(`\ufeff${plain}`), HTML),
    verdict: "opens",
  },
  {
    name: "UTF-16 with a byte-order mark",
    answer: sent(Buffer.from(`\ufeff${plain}`, "utf16le"), HTML),
    verdict: "opens",
  },
];

export const REDIRECTS: readonly Row[] = [
  { name: "a redirect", answer: movedTo("/a", "Location: /a"), verdict: "opens" },
  {
    name: "equal targets twice",
    answer: movedTo("/a", "Location: /a", "LOCATION: /a"),
    verdict: "opens",
    oddities: ["location-repeated"],
  },
  {
    name: "different targets",
    answer: movedTo("/a", "Location: /a", "Location: /b"),
    verdict: "http-malformed",
  },
  {
    name: "a target in raw UTF-8",
    answer: movedTo(encodeURI("/путь"), latin1("Location: /путь")),
    verdict: "opens",
    oddities: ["location-not-ascii"],
  },
  {
    name: "a target in raw Latin-1",
    answer: movedTo("/caf%E9", "Location: /caf\xe9"),
    verdict: "opens",
    oddities: ["location-not-ascii"],
  },
  { name: "a target with a blank", answer: movedTo("/a%20b", "Location: /a b"), verdict: "opens" },
  { name: "a target with a tab", answer: movedTo("/ab", "Location: /a\tb"), verdict: "opens" },
  {
    name: "a target with a backslash",
    answer: movedTo("/a/b", "Location: /a\\b"),
    verdict: "opens",
  },
  {
    name: "a target with a fragment",
    answer: movedTo("/a", "Location: /a#part"),
    verdict: "opens",
  },
  {
    name: "a target without a scheme",
    answer: movedTo("/a", "Location: //%HOST%/a"),
    verdict: "opens",
  },
  {
    name: "a target of 5,000 characters",
    answer: movedTo(`/${"a".repeat(5_000)}`, `Location: /${"a".repeat(5_000)}`),
    verdict: "opens",
  },
  {
    name: "a target of 20,000 characters",
    answer: movedTo(`/${"a".repeat(20_000)}`, `Location: /${"a".repeat(20_000)}`),
    verdict: "http-malformed",
    butBrowser: "a growing loop, or an attack",
  },
  {
    name: "a redirect without a target",
    answer: join("HTTP/1.1 302 Found", TYPE, LENGTH) + BODY,
    verdict: "opens",
  },
  {
    name: "an empty target",
    answer: join("HTTP/1.1 302 Found", TYPE, "Location:", LENGTH) + BODY,
    verdict: "opens",
  },
  {
    name: "nine redirects",
    answer: (path) =>
      path === "/9" ? page(LENGTH) : moved(`Location: /${Number(path.slice(1)) + 1}`),
    verdict: "opens",
  },
  {
    name: "eleven redirects",
    answer: (path) =>
      path === "/11" ? page(LENGTH) : moved(`Location: /${Number(path.slice(1)) + 1}`),
    verdict: "redirect-too-many",
    butBrowser: "Chromium follows 20; no service needs more than ten",
  },
  { name: "a loop", answer: moved("Location: /"), verdict: "redirect-loop" },
  {
    name: "a cookie, then the page",
    answer: (_, head) =>
      /^cookie:.*\bseen=1/imu.test(head)
        ? page(LENGTH)
        : moved("Set-Cookie: seen=1; Path=/", "Location: /"),
    verdict: "opens",
  },
  {
    name: "two cookies, one by one",
    answer: (_, head) =>
      /a=1/u.test(head) && /b=2/u.test(head)
        ? page(LENGTH)
        : /a=1/u.test(head)
          ? moved("Set-Cookie: b=2", "Location: /")
          : moved("Set-Cookie: a=1; HttpOnly", "Location: /"),
    verdict: "opens",
  },
  {
    name: "a cookie of another site",
    answer: (_, head) =>
      /seen=1/u.test(head)
        ? page(LENGTH)
        : moved("Set-Cookie: seen=1; Domain=other.test", "Location: /"),
    verdict: "redirect-loop",
  },
  {
    name: "a cookie that is taken back",
    answer: (path, head) =>
      path === "/b"
        ? /seen=1/u.test(head)
          ? moved("Location: /b")
          : page(LENGTH)
        : path === "/a"
          ? moved("Set-Cookie: seen=; Max-Age=0; Path=/", "Location: /b")
          : moved("Set-Cookie: seen=1; Path=/", "Location: /a"),
    verdict: "opens",
  },
];

export const ROWS: readonly Row[] = [...HEADS, ...BODIES, ...REDIRECTS];
