import { expect, test } from "vitest";
import { followClient } from "../../../src/probe/browser/tunnel.ts";

function record(type: number, length: number): Buffer {
  const bytes = Buffer.alloc(5 + length);
  bytes.writeUInt8(type);
  bytes.writeUInt16BE(0x03_03, 1);
  bytes.writeUInt16BE(length, 3);
  return bytes;
}

function follow(bytes: Buffer, partBytes: number) {
  const progress = { isSecured: false };
  const take = followClient(progress);
  for (let at = 0; at < bytes.length; at += partBytes) take(bytes.subarray(at, at + partBytes));
  return progress;
}

/** ClientHello, change of the cipher and end of the handshake. */
const HELLO = record(22, 1_700);
const FINISHED = record(23, 53);

test.each([1, 2, 7, 1_000, 10_000])("records arrive in parts of %i bytes", (partBytes) => {
  const before = [HELLO, record(20, 1)];
  expect(follow(Buffer.concat(before), partBytes)).toEqual({ isSecured: false });
  expect(follow(Buffer.concat([...before, FINISHED]), partBytes)).toEqual({ isSecured: true });
});

test("a handshake that ends with an encrypted alert is not secured", () => {
  const all = Buffer.concat([HELLO, record(20, 1), record(23, 19)]);
  expect(follow(all, 100)).toEqual({ isSecured: false });
});

test("records without content, or with the longest one, are followed", () => {
  const all = Buffer.concat([record(22, 0), record(22, 16_640), FINISHED]);
  expect(follow(all, 4_096)).toEqual({ isSecured: true });
});
