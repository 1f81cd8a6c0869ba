import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAddress } from "../../src/http-server/network-key.ts";
import {
  clientAddressOf,
  createNetworkOf,
  readProxies,
} from "../../src/http-server/client-address.ts";

function proxiesOf(...ranges: string[]) {
  const result = readProxies(ranges);
  if (result.kind !== "ok") throw new Error(result.message);
  return result.proxies;
}

const PROXIES = proxiesOf("10.0.0.0/8", "192.0.2.7", "2001:db8:ffff::/48");

test.each<[string, string | undefined, string | undefined, string | undefined]>([
  ["without the header", "10.0.0.1", undefined, "10.0.0.1"],
  ["from a client with a forged header", "203.0.113.1", "198.51.100.1", "203.0.113.1"],
  ["behind one proxy", "10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["behind one proxy, with a forged header", "10.0.0.1", "8.8.8.8, 198.51.100.1", "198.51.100.1"],
  ["behind three", "10.0.0.1", "8.8.8.8,198.51.100.1 ,  192.0.2.7,10.2.3.4", "198.51.100.1"],
  ["from a proxy itself", "10.0.0.1", "10.0.0.2, 192.0.2.7", "10.0.0.2"],
  ["with garbage to the left of the client", "10.0.0.1", "unknown, 198.51.100.1", "198.51.100.1"],
  ["with garbage from the proxy", "10.0.0.1", "198.51.100.1, unknown", "10.0.0.1"],
  ["with garbage between proxies", "10.0.0.1", "198.51.100.1, , 192.0.2.7", "10.0.0.1"],
  ["with an empty header", "10.0.0.1", "", "10.0.0.1"],
  ["with a number for an address", "10.0.0.1", "3232235777", "10.0.0.1"],
  ["with octal bytes", "10.0.0.1", "0300.0250.0.1", "10.0.0.1"],
  ["with a port", "10.0.0.1", "198.51.100.1:4711", "198.51.100.1"],
  ["with IPv6", "10.0.0.1", "2001:db8::1", "2001:db8::1"],
  ["with IPv6 and a port", "10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"],
  ["with IPv6 proxies", "2001:db8:ffff::1", "2001:db8::1, 2001:db8:ffff:1::2", "2001:db8::1"],
  ["over a mapped socket", "::ffff:10.0.0.1", "198.51.100.1", "198.51.100.1"],
  ["over a mapped socket in hex", "::ffff:a00:1", "::ffff:c633:6401", "198.51.100.1"],
  ["with more hops than there are", "10.0.0.1", Array(40).fill("198.51.100.1").join(), "10.0.0.1"],
  ["with as many hops as are read", "10.0.0.1", `1.2.3.4${", 10.0.0.2".repeat(31)}`, "1.2.3.4"],
  ["with one hop more", "10.0.0.1", `1.2.3.4${", 10.0.0.2".repeat(32)}`, "10.0.0.1"],
  ["with a port of five digits", "10.0.0.1", "198.51.100.1:65535", "198.51.100.1"],
  ["with a port of six digits", "10.0.0.1", "198.51.100.1:655350", "10.0.0.1"],
  ["with IPv6 in brackets alone", "10.0.0.1", "[2001:db8::1]", "2001:db8::1"],
  ["with IPv6 and a zone", "10.0.0.1", "fe80::1%eth0", "fe80::1"],
  ["over a closed socket", undefined, "198.51.100.1", undefined],
])("the address %s", (_name, socket, forwarded, expected) => {
  expect(clientAddressOf(socket, forwarded, PROXIES)?.text).toBe(expected);
});

test("what is no address is one network, and a proxy belongs to none", () => {
  const networkOf = createNetworkOf(PROXIES);
  expect([networkOf(""), networkOf("unix:/run/x")]).toEqual(["", ""]);
  expect(networkOf("10.0.0.1")).toBeUndefined();
  expect(createNetworkOf(proxiesOf())("10.0.0.1")).toBeDefined();
});

test("a connection belongs to its /24 or /48 in every notation", () => {
  for (const proxies of [PROXIES, proxiesOf()]) {
    const networkOf = createNetworkOf(proxies);
    const [home, office] = [networkOf("198.51.100.1"), networkOf("198.51.101.1")];
    expect(new Set([home, networkOf("198.51.100.254"), networkOf("::ffff:198.51.100.9")])).toEqual(
      new Set([home]),
    );
    expect(home).not.toBe(office);
    expect(networkOf("2001:db8:1:2::3")).toBe(networkOf("2001:db8:1:ffff::"));
    expect(networkOf("2001:db8:1::")).not.toBe(networkOf("2001:db8:2::"));
    expect(networkOf("")).toBe(networkOf("no address"));
  }
});

test("a proxy has no network, and is a client if it is not configured", () => {
  const named = createNetworkOf(PROXIES);
  const addresses = ["10.1.2.3", "::ffff:10.1.2.3", "192.0.2.7", "2001:db8:ffff::1"];
  expect(addresses.map(named)).toEqual(addresses.map(() => undefined));
  expect(named("192.0.2.8")).toBeTypeOf("string");
  expect(addresses.map(createNetworkOf(proxiesOf()))).not.toContain(undefined);
});

test("without proxies the header is ignored", () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect(clientAddressOf("203.0.113.1", header, proxiesOf())?.text).toBe("203.0.113.1");
    }),
  );
});

test("no header makes it throw or invent an address", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (header) => {
      const found = clientAddressOf("10.0.0.1", header, PROXIES);
      expect(found?.text === "10.0.0.1" || header.includes(found?.text ?? "?")).toBe(true);
    }),
  );
});

test.each([
  ["10.0.0.0/33", "10.0.0.0/33: write a prefix of 1 to 32 after the slash."],
  ["0.0.0.0/0", "0.0.0.0/0: write a prefix of 1 to 32 after the slash."],
  ["10.0.0.0/08", "10.0.0.0/08: write a prefix of 1 to 32 after the slash."],
  ["10.0.0.0/", "10.0.0.0/: write a prefix of 1 to 32 after the slash."],
  ["10.0.0.0/x", "10.0.0.0/x: write a prefix of 1 to 32 after the slash."],
  ["2001:db8::/129", "2001:db8::/129: write a prefix of 1 to 128 after the slash."],
  ["::ffff:a00:1", "::ffff:a00:1: write it as IPv4."],
  ["::ffff:10.0.0.0/104", "::ffff:10.0.0.0/104: write it as IPv4."],
  ["proxy.example", "proxy.example: write an address, or a range like 10.0.0.0/8."],
  ["10.0.0.0/8/8", "10.0.0.0/8/8: write an address, or a range like 10.0.0.0/8."],
])("%s is no range of proxies", (range, message) => {
  expect(readProxies(["10.0.0.1", range])).toEqual({ kind: "invalid", message });
});

test.each([
  ["10.0.0.0/32", "10.0.0.0", "10.0.0.1"],
  ["10.0.0.0", "10.0.0.0", "10.0.0.1"],
  ["128.0.0.0/1", "255.0.0.1", "127.0.0.1"],
  ["2001:db8::1/128", "2001:db8::1", "2001:db8::2"],
  ["2001:db8::1", "2001:db8::1", "2001:db8::2"],
])("the range %s has %s, and not %s", (range, inside, outside) => {
  const proxies = proxiesOf(range);
  const client = "203.0.113.9";
  expect(clientAddressOf(inside, client, proxies)?.text).toBe(client);
  expect(clientAddressOf(outside, client, proxies)?.text).toBe(outside);
});

test("every notation of an IPv6 address gives the same groups", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
      const isMapped = groups.slice(0, 6).join() === "0,0,0,0,0,65535";
      fc.pre(!isMapped);
      const long = groups.map((group) => group.toString(16).padStart(4, "0")).join(":");
      // The URL parser of Node writes the short form of RFC 5952.
      const short = new URL(`http://[${long}]/`).hostname.slice(1, -1);
      for (const text of [long, short, `${short}%eth0`]) {
        expect(parseAddress(text)).toMatchObject({ family: "ipv6", parts: groups });
      }
    }),
  );
  expect(parseAddress("64:ff9b::192.0.2.33")?.parts).toEqual([
    100, 65_435, 0, 0, 0, 0, 49_152, 545,
  ]);
});
