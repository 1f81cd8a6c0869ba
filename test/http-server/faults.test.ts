import { expect, test } from "vitest";
import { findFault } from "../../src/http-server/guard.ts";

const invalidMethod = (packet: string, bytesParsed: number) =>
  findFault({
    code: "HPE_INVALID_METHOD",
    bytesParsed,
    rawPacket: Buffer.from(packet, "latin1"),
  });

test.each([
  ["an unknown method", "FOO /x HTTP/1.1\r\nHost: a\r\n\r\n", 1],
  ["a method in lower case", "get /x HTTP/1.1\r\n\r\n", 0],
  ["a method that begins like a known one", "GETX /x HTTP/1.1\r\n\r\n", 3],
  ["a method of every token character", "F!#$%&'*+.^_`|~- /x HTTP/1.1\r\n\r\n", 1],
  [
    "a method after a request in the same packet",
    "GET / HTTP/1.1\r\n\r\nFOO /x HTTP/1.1\r\n\r\n",
    19,
  ],
  ["a method after blank lines", "\r\n\r\nFOO /x HTTP/1.1\r\n\r\n", 5],
  ["a method in an incomplete line", "FOO /x", 1],
])("%s is reported as an unknown method", (_, packet, bytesParsed) => {
  expect(invalidMethod(packet, bytesParsed)).toEqual({ fault: "unknown-method", target: "/x" });
});

test("both codes of Node for a first word may mean an unknown method", () => {
  const rawPacket = Buffer.from("FOO /x HTTP/1.1\r\n\r\n");
  const faultOf = (code: string) => findFault({ code, bytesParsed: 0, rawPacket }).fault;
  const codes = ["HPE_INVALID_METHOD", "HPE_INVALID_CONSTANT", "HPE_INVALID_VERSION"];
  expect(codes.map(faultOf)).toEqual(["unknown-method", "unknown-method", "malformed"]);
  expect(findFault({ code: "HPE_INVALID_CONSTANT", rawPacket })).toEqual({
    fault: "unknown-method",
    target: "/x",
  });
});

test("an unknown method without a target is not malformed", () => {
  expect(invalidMethod("FOO", 1)).toEqual({ fault: "unknown-method" });
});

test.each([
  ["words", "what is this\r\n\r\n", 0],
  ["a method without a target", "FOO\r\n\r\n", 1],
  ["another protocol", "FOO / RTSP/1.0\r\n\r\n", 1],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00", 0],
  ["a null byte in the method", "G\0T / HTTP/1.1\r\n\r\n", 1],
  ["a line that ends without a carriage return and goes on", "FOO / HTTP/1.1 x\n\n", 1],
  ["a known method", "GET / HTTP/1.1\r\n\r\n", 3],
  ["nothing", "", 0],
])("%s is malformed", (_, packet, bytesParsed) => {
  expect(invalidMethod(packet, bytesParsed)).toEqual({ fault: "malformed" });
});

test.each([
  ["ERR_HTTP_REQUEST_TIMEOUT", "too-slow"],
  ["HPE_HEADER_OVERFLOW", "head-too-large"],
  ["HPE_INVALID_HEADER_TOKEN", "malformed"],
  ["HPE_INVALID_METHOD", "malformed"],
  ["HPE_INVALID_CONSTANT", "malformed"],
  [undefined, "malformed"],
])("the code %s means %s", (code, fault) => {
  expect(findFault(code === undefined ? {} : { code })).toEqual({ fault });
});

test("a target is cut after the first kilobyte", () => {
  const found = invalidMethod(`FOO /${"x".repeat(100_000)} HTTP/1.1\r\n\r\n`, 1);
  // With the method and the space before it, 1,024 bytes.
  expect(found).toEqual({ fault: "unknown-method", target: `/${"x".repeat(1_019)}` });
});
