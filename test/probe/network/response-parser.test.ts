import { describe, expect, test } from "vitest";
import type { Oddity } from "../../../src/model/failures.ts";
import { type ResponseHead, ResponseParser } from "../../../src/probe/network/response-parser.ts";

const LIMITS = { headBytes: 64, informational: 2 };

interface Reading {
  readonly heads: readonly ResponseHead[];
  readonly body: string;
  /** Ends and faults, of which there is at most one. */
  readonly ends: readonly string[];
  /** Whether the close of the connection completes the response. */
  readonly isComplete: boolean;
}

function readInParts(text: string, partBytes: number, limits: typeof LIMITS): Reading {
  const bytes = Buffer.from(text, "latin1");
  const heads: ResponseHead[] = [];
  const ends: string[] = [];
  let body = "";
  const parser = new ResponseParser(limits, {
    onHead: (head) => void heads.push(head),
    onBody: (part) => void (body += part.toString("latin1")),
    onEnd: () => void ends.push("end"),
    onFault: (fault) => void ends.push(fault),
  });
  for (let at = 0; at < bytes.length; at += partBytes)
    parser.push(bytes.subarray(at, at + partBytes));
  const isComplete = parser.end();
  // Sockets tell their end twice.
  expect(parser.end()).toBe(isComplete);
  return { heads, body, ends, isComplete };
}

/** What a parser makes of a response, which is the same however its bytes arrive. */
function read(text: string, limits = LIMITS): Reading {
  const whole = readInParts(text, text.length, limits);
  for (const partBytes of [1, 2, 3, 7]) expect(readInParts(text, partBytes, limits)).toEqual(whole);
  return whole;
}

const MALFORMED: Reading = { heads: [], body: "", ends: ["malformed"], isComplete: false };

/** A head with these lines, followed by bytes. */
const lines = (first: string, ...others: readonly string[]): string =>
  [first, ...others, "", ""].join("\r\n");
const OK = "HTTP/1.1 200 OK";

describe("a status line", () => {
  test.for<[line: string, status: number, ...oddities: Oddity[]]>([
    [OK, 200],
    ["http/1.1 404", 404],
    ["HTTP/1.1   503   Later", 503],
    ["HTTP/1.1 200no", 200],
    ["HTTP/1.1beta 201", 201],
    ["HTTP 202", 202],
    ["HTTP/1.1 999", 999],
    ["HTTP", 200, "status-missing"],
    ["HTTP/1.1", 200, "status-missing"],
    ["HTTP/1.1 OK", 200, "status-missing"],
    ["HTTP/2 404", 200, "status-missing"],
    ["\0\0\0\0HTTP/1.1 200".replaceAll("\0", "x"), 200, "noise-before-status"],
    ["\r\nHTTP/1.1 200", 200, "noise-before-status"],
  ])("%j has the status %d", ([line, status, ...oddities]) => {
    expect(read(lines(line))).toEqual({
      heads: [{ status, headers: {}, oddities }],
      body: "",
      ends: ["end"],
      isComplete: true,
    });
  });

  test.for([
    "HTTP/1.1 99",
    "HTTP/1.1 000",
    "HTTP/1.1 1000",
    "HTTP/1.1 101",
    "xxxxxHTTP/1.1 200",
    "nonsense",
    "HTTP/1.1 200 O\0K",
  ])("%j is malformed", (line) => {
    expect(read(lines(line))).toEqual(MALFORMED);
  });

  test("of fewer bytes than a name is awaited", () => {
    expect(read("xxxxHTT")).toEqual({ heads: [], body: "", ends: [], isComplete: false });
  });
});

describe("the headers", () => {
  const headersOf = (...text: readonly string[]): unknown => ({
    ...read(lines(OK, ...text), { ...LIMITS, headBytes: 1_000 }).heads[0]?.headers,
  });

  test("have names in lower case and values without blanks around them", () => {
    expect(headersOf("A-b: 1", "c:2", "D \t:  3 4\t ", "e:")).toEqual({
      "a-b": "1",
      c: "2",
      d: "3 4",
      e: "",
    });
  });

  test("that are repeated have all their values", () => {
    expect(headersOf("a: 1", "b: 2", "A: 3", "a: 1")).toEqual({ a: ["1", "3", "1"], b: "2" });
  });

  test("that continue on the next line are joined by a space", () => {
    expect(headersOf("a: 1", " 2", "\t3 ", "b: 4")).toEqual({ a: "1 2 3", b: "4" });
  });

  test("may have the names of properties", () => {
    expect(headersOf("constructor: 1", "toString: 2")).toEqual({ constructor: "1", tostring: "2" });
  });

  test("leave out lines that are none", () => {
    expect(headersOf(" first: 1", "nothing", ": 2", "a b: 3", "(c): 4", "d: 5:6")).toEqual({
      d: "5:6",
    });
  });

  test.for(["\n\n", "\r\n\r\n", "\n\r\n", "\r\n\n"])("end with %j", (end) => {
    const { heads, body } = read(`${OK}\r\na: 1${end}text`);
    const oddities = end === "\r\n\r\n" ? [] : ["bare-line-feed"];
    expect([heads, body]).toEqual([[{ status: 200, headers: { a: "1" }, oddities }], "text"]);
  });

  test("do not end with a return alone, which separates lines", () => {
    expect(read(`${OK}\r\r\r\n\r\n`).heads).toHaveLength(1);
    expect(read(`${OK}\ra: 1\r\rb: 2\r\n\r\n`).heads[0]?.headers).toEqual({ a: "1", b: "2" });
  });
});

test.for<[Oddity[], ...string[]]>([
  [[], "Location: /a", "a: \x80\xff\t~"],
  [["location-repeated"], "Location: /a", "Location: /a"],
  [["location-not-ascii"], "Location: /\x80"],
  [["location-not-ascii"], "Location: /\xff"],
  [["control-in-header"], "a: \x01"],
  [["control-in-header"], "a: \x1f"],
  [["control-in-header", "length-repeated"], "a: \x7f", "Content-Length: 0, 0"],
])("a head has the oddities %j", ([oddities, ...text]) => {
  expect(read(lines(OK, ...text)).heads[0]?.oddities).toEqual(oddities);
});

describe("a limit", () => {
  test("of bytes of a head holds for a whole one and for one without an end", () => {
    const head = (bytes: number): string => lines(OK, `a:${"x".repeat(bytes - 23)}`);
    expect(head(64)).toHaveLength(64);
    expect(read(head(64)).ends).toEqual(["end"]);
    expect(read(head(65))).toEqual({ ...MALFORMED, ends: ["head-too-large"] });
    expect(read(head(80).slice(0, 64)).ends).toEqual([]);
    expect(read(head(80).slice(0, 65)).ends).toEqual(["head-too-large"]);
  });

  test("of informational answers counts those before the final one", () => {
    const hint = lines("HTTP/1.1 103 Hints");
    const page = `${lines(OK, "Content-Length: 2")}hi`;
    const head = { status: 200, headers: { "content-length": "2" }, oddities: [] };
    const whole = { heads: [head], body: "hi", ends: ["end"], isComplete: false };
    expect(read(hint.repeat(2) + page)).toEqual(whole);
    expect(read(lines("HTTP/1.1 199") + page)).toEqual(whole);
    expect(read(hint.repeat(3) + page)).toEqual({ ...MALFORMED, ends: ["informational-flood"] });
    const odd = { ...head, oddities: ["continue-unasked"] };
    expect(read(lines("HTTP/1.1 100") + hint + page)).toEqual({ ...whole, heads: [odd] });
  });
});

describe("a body", () => {
  const TEXT = "3;a=b\r\nabc\r\n0\r\n\r\n";
  /** The body of a response with these headers, followed by a text; how it ends, and what is odd. */
  const bodyOf = (headers: readonly string[], text: string, first = OK) => {
    const { heads, body, ends, isComplete } = read(lines(first, ...headers) + text, {
      ...LIMITS,
      headBytes: 1_000,
    });
    return [body, isComplete ? "close" : ends[0], ...(heads[0]?.oddities ?? [])];
  };

  test.for([204, 205, 304])("of a %d is empty, whatever its headers say", (status) => {
    const first = `HTTP/1.1 ${status}`;
    expect(bodyOf(["Content-Length: 5"], "hello", first)).toEqual(["", "end"]);
    expect(bodyOf([], "", first)).toEqual(["", "end"]);
  });

  test.for([200, 203, 206, 303, 305, 404])("of a %d has its length", (status) => {
    expect(bodyOf(["Content-Length: 5"], "hello", `HTTP/1.1 ${status}`)).toEqual(["hello", "end"]);
  });

  test.for<[header: string, ...seen: string[]]>([
    ["Content-Length: 0", "", "end"],
    ["Content-Length: 3", TEXT.slice(0, 3), "end"],
    ["Content-Length: 003", TEXT.slice(0, 3), "end"],
    ["Content-Length: 3, 3", TEXT.slice(0, 3), "end", "length-repeated"],
    ["Content-Length: 3\r\nContent-Length: 3", TEXT.slice(0, 3), "end", "length-repeated"],
    ["Content-Length: -1", TEXT, "close", "length-invalid"],
    ["Content-Length: 3x", TEXT, "close", "length-invalid"],
    ["Content-Length: 1000000000000000", TEXT, "close", "length-invalid"],
    ["X: y", TEXT, "close"],
    ["Transfer-Encoding: chunked", "abc", "end"],
    ["Transfer-Encoding: Chunked", "abc", "end"],
    ["Transfer-Encoding: identity", TEXT, "close"],
    ["Transfer-Encoding:", TEXT, "close"],
    ["Transfer-Encoding: gzip", TEXT, "close", "transfer-coding-unknown"],
    ["Transfer-Encoding: gzip, chunked", "abc", "end", "transfer-coding-unknown"],
    ["Transfer-Encoding: chunked, chunked", "abc", "end", "chunked-repeated"],
    ["Transfer-Encoding: chunked\r\nContent-Length: 3", "abc", "end", "length-beside-chunked"],
  ])("after %j", ([header, ...seen]) => {
    expect(bodyOf([header], TEXT)).toEqual(seen);
  });

  test("of a length that did not come is not complete", () => {
    for (const length of ["6", "999999999999999"])
      expect(bodyOf([`Content-Length: ${length}`], "hello")).toEqual(["hello", undefined]);
  });

  test("of different lengths is malformed", () => {
    expect(bodyOf(["Content-Length: 3, 4"], TEXT)).toEqual(["", "malformed"]);
    expect(bodyOf(["Content-Length: 3, 3, 4"], TEXT)).toEqual(["", "malformed"]);
  });

  test.for([
    ["HTTP/1.1 200", "abc"],
    ["HTTP/1.2 200", "abc"],
    ["HTTP/2.0 200", "abc"],
    ["HTTP/1.0 200", TEXT],
    ["HTTP/0.9 200", TEXT],
    ["HTTP 200", TEXT],
  ])("in chunks after %s is %j, because chunks are of HTTP/1.1", ([first = "", body]) => {
    expect(bodyOf(["Transfer-Encoding: chunked"], TEXT, first)[0]).toBe(body);
  });

  test.for<[text: string, body: string, end?: string]>([
    ["3\r\nabc\r\n0\r\n\r\n", "abc", "end"],
    ["3\nabc\n0\n\n", "abc", "end"],
    ["00a \t;x\r\n0123456789\r\n2\r\nab\r\n0\r\nX: y\r\n\r\nmore", "0123456789ab", "end"],
    ["000000000003\r\nabc\r\n0\r\n\r\n", "abc", "end"],
    ["0000000000003\r\nabc\r\n", "", "malformed"],
    ["g\r\nabc\r\n", "", "malformed"],
    ["\r\n3\r\nabc", "", "malformed"],
    [" 3\r\nabc", "", "malformed"],
    ["3x\r\nabc", "", "malformed"],
    ["3\r\nabcd\r\n0\r\n\r\n", "abc", "malformed"],
    ["3\r\nabc\r\n", "abc"],
    ["3\r\nab", "ab"],
    ["3\r\nabc\r\n0\r\n", "abc"],
    ["3\r\nabc\r\n0\r\nX: y\r\n", "abc"],
  ])("in the chunks %j", ([text, body, end]) => {
    expect(bodyOf(["Transfer-Encoding: chunked"], text)).toEqual([body, end]);
  });

  test("has lines of chunks up to 16,384 bytes", () => {
    const line = (bytes: number): string => `3;${"a".repeat(bytes - 2)}\n`;
    const chunked = lines(OK, "Transfer-Encoding: chunked");
    const readAt = (text: string) => readInParts(chunked + text, 5_000, LIMITS);
    const rest = "abc\n0\n\n";
    expect(readAt(line(16_384) + rest)).toMatchObject({ body: "abc", ends: ["end"] });
    expect(readAt(line(16_385) + rest)).toMatchObject({ body: "", ends: ["malformed"] });
    expect(readAt(line(16_385).trimEnd())).toMatchObject({ ends: ["malformed"] });
    expect(readAt(line(16_384).trimEnd())).toMatchObject({ ends: [] });
  });
});

test("after a fault nothing more is told", () => {
  const chunked = lines(OK, "Transfer-Encoding: chunked");
  expect(read(`${chunked}x\r\n3\r\nabc\r\n0\r\n\r\n`)).toMatchObject({
    body: "",
    ends: ["malformed"],
  });
});
