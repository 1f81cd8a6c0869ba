import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compileNetworks, NETWORKS_FILE, networkOf } from "../../src/probe/network/networks.ts";

const SHIPPED = compileNetworks(JSON.parse(readFileSync(NETWORKS_FILE, "utf8")));

describe("the shipped networks", () => {
  test.each([
    ["77.88.8.8", "Yandex"],
    ["2a02:6b8::feed:ff", "Yandex"],
    ["178.154.200.1", "Yandex Cloud"],
    ["87.240.129.133", "VK"],
    ["94.100.180.200", "VK"],
    ["194.54.14.168", "Sber"],
    ["213.59.254.7", "Rostelecom"],
    ["149.154.167.99", "Telegram"],
    ["104.16.132.229", "Cloudflare"],
    ["2606:4700::6810:84e5", "Cloudflare"],
    ["142.250.74.46", "Google"],
    ["151.101.1.140", "Fastly"],
    ["157.240.205.35", "Meta"],
    ["204.79.197.200", "Microsoft"],
    ["178.248.237.68", "Qrator"],
  ])("%s belongs to %s", (address, network) => {
    expect(networkOf(SHIPPED, address)).toBe(network);
  });

  test("include some dozens of networks", () => {
    expect(new Set(SHIPPED.map(({ network }) => network)).size).toBeGreaterThan(24);
  });
});

describe("an address of an unknown network", () => {
  test("belongs to its /16 or /32", () => {
    expect(networkOf(SHIPPED, "203.0.113.77")).toBe("203.0.0.0/16");
    expect(networkOf(SHIPPED, "2001:db8:1:2::3")).toBe("2001:db8::/32");
  });

  test("shares its network only with its neighbours", () => {
    expect(networkOf(SHIPPED, "203.0.1.2")).toBe(networkOf(SHIPPED, "203.0.255.255"));
    expect(networkOf(SHIPPED, "203.0.1.2")).not.toBe(networkOf(SHIPPED, "203.1.1.2"));
  });

  test("that is not an IP address is its own network", () => {
    expect(networkOf(SHIPPED, "")).toBe("");
    expect(networkOf(SHIPPED, "example.ru")).toBe("example.ru");
  });
});

test("an IPv4-mapped address belongs to the network of the IPv4 address", () => {
  expect(networkOf(SHIPPED, "::ffff:77.88.8.8")).toBe("Yandex");
});

test("the longest prefix determines the network", () => {
  const rows = [
    { network: "wide", prefixes: ["198.51.0.0/16"] },
    { network: "narrow", prefixes: ["198.51.100.0/24"] },
  ];
  for (const inTurn of [rows, rows.toReversed()]) {
    expect(networkOf(compileNetworks(inTurn), "198.51.100.9")).toBe("narrow");
    expect(networkOf(compileNetworks(inTurn), "198.51.101.9")).toBe("wide");
  }
});

test.each([
  [{}, "the file is not a list of rows"],
  [[null], "row 0 has no name"],
  [[{ network: " ", prefixes: ["192.0.2.0/24"] }], "row 0 has no name"],
  [[{ network: "a", prefixes: [] }], "a has no prefixes"],
  [[{ network: "a", prefixes: ["192.0.2.0"] }], "a has an invalid prefix: 192.0.2.0"],
  [[{ network: "a", prefixes: ["192.0.2.0/24", "192.0.2.0/24"] }], "duplicate 192.0.2.0/24"],
])("rows such as %j are refused", (rows, message) => {
  expect(() => compileNetworks(rows)).toThrow(new Error(`Networks: ${message}`));
});
