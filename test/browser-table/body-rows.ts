import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import {
  type Row,
  PAGE,
  BODY,
  LENGTH,
  TYPE,
  join,
  page,
  chunk,
  CHUNKS,
  CHUNKED,
  sent,
  windows1251,
  HTML,
  plain,
} from "./page.ts";

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
