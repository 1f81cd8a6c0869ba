import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { parseAddress, createNetworkKeys } from "../../src/http-server/network-key.ts";
import { DAY_MS } from "../../src/model/time.ts";
import { SECRET } from "../reports/intake/harness.ts";

const NOON_MS = 20_000 * DAY_MS + DAY_MS / 2;

function keyOf(text: string, atMs = NOON_MS, secret = SECRET) {
  const address = parseAddress(text);
  if (address === undefined) throw new Error(text);
  return createNetworkKeys(secret)(address, atMs);
}

test("a /24 or a /48 is one network, a /16 or a /32 one block", () => {
  const { network, block } = keyOf("192.0.2.1");
  expect(keyOf("192.0.2.255")).toEqual({ network, block });
  expect(keyOf("::ffff:192.0.2.9")).toEqual({ network, block });
  expect(keyOf("192.0.3.1").network).not.toBe(network);
  expect(keyOf("192.0.3.1").block).toBe(block);
  expect(keyOf("192.1.2.1").block).not.toBe(block);
  const six = keyOf("2001:db8:1:2::3");
  expect(keyOf("2001:db8:1:ffff::")).toEqual(six);
  expect(keyOf("2001:db8:2::").network).not.toBe(six.network);
  expect(keyOf("2001:db8:2::").block).toBe(six.block);
  expect(keyOf("2001:db9:1::").block).not.toBe(six.block);
});

test("keys are 16 characters without any part of the address", () => {
  const { network, block } = keyOf("192.0.2.1");
  expect(network).toMatch(/^[\w-]{16}$/);
  expect(block).toMatch(/^[\w-]{16}$/);
  expect(network).not.toBe(block);
});

test("the key of a network differs on the next UTC day and with another secret", () => {
  const midnightMs = 20_001 * DAY_MS;
  expect(keyOf("192.0.2.1", midnightMs - 1)).toEqual(keyOf("192.0.2.1"));
  expect(keyOf("192.0.2.1", midnightMs).network).not.toBe(keyOf("192.0.2.1").network);
  const other = new TextEncoder().encode("another secret of 16");
  expect(keyOf("192.0.2.1", NOON_MS, other).network).not.toBe(keyOf("192.0.2.1").network);
});

test("one function gives the keys of days in any order", () => {
  const toKey = createNetworkKeys(SECRET);
  const address = parseAddress("192.0.2.1");
  if (address === undefined) throw new Error("no address");
  for (const day of [1, 2, 1, 3, 2]) {
    expect(toKey(address, day * DAY_MS)).toEqual(keyOf("192.0.2.1", day * DAY_MS));
  }
});

test("keys are as documented: HMAC-SHA-256 with a key of the day", () => {
  const dayKey = createHmac("sha256", SECRET).update("network keys of day 20000").digest();
  const hash = (text: string) =>
    createHmac("sha256", dayKey).update(text).digest("base64url").slice(0, 16);
  expect(keyOf("192.0.2.1")).toEqual({
    network: hash("ipv4 network 192.0.2"),
    block: hash("ipv4 block 192.0"),
  });
  expect(keyOf("2001:db8:1:2::3")).toEqual({
    network: hash("ipv6 network 8193.3512.1"),
    block: hash("ipv6 block 8193.3512"),
  });
});

test("a secret has 16 bytes at least", () => {
  expect(() => createNetworkKeys(new Uint8Array(15))).toThrow(
    new RangeError("The secret of the network keys needs 16 bytes or more."),
  );
  expect(createNetworkKeys(new Uint8Array(16))).toBeTypeOf("function");
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["fe80::1%eth0", "fe80::1"],
  ["2001:DB8::1", "2001:DB8::1"],
  ["192.0.2.1%eth0", undefined],
  ["192.0.2.1:80", undefined],
  ["", undefined],
])("%s is the address %s", (text, address) => {
  expect(parseAddress(text)?.text).toBe(address);
});
