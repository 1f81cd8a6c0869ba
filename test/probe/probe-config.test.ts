import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findConnectTo } from "../../src/probe/network/connect-to.ts";
import {
  buildProbeDependencies,
  buildUrlGuard,
  type ProbeConfig,
} from "../../src/probe/probe-config.ts";
import { BLOCKPAGES_FILE } from "../../src/probe/answer/fingerprints.ts";
import { SERVICE_LIMITS } from "../../src/probe/limits.ts";

const config: ProbeConfig = {
  allowPrivate: ["10.0.0.0/8"],
  ownAddresses: ["198.41.0.4", "10.9.9.9"],
  connectTo: ["a.test:443:127.0.0.1:8443"],
  roots: { everywhere: [], national: [] },
  allowedPorts: [8443],
  fingerprints: JSON.parse(readFileSync(BLOCKPAGES_FILE, "utf8")),
};

test("a probe can be built from a structured clone of the config", () => {
  const deps = buildProbeDependencies(structuredClone(config));
  expect(deps.addressRules.refusalOf("10.1.2.3")).toBeUndefined();
  expect(deps.addressRules.refusalOf("192.168.0.1")).toBe("Private-Use");
  // The machine's own public address is refused too, unless it is in an allowed range.
  expect(deps.addressRules.refusalOf("198.41.0.4")).toBe("an address of this machine");
  expect(deps.addressRules.refusalOf("10.9.9.9")).toBeUndefined();
  expect(findConnectTo(deps.connectTo, "a.test", 443)).toEqual({
    address: "127.0.0.1",
    port: 8443,
  });
  expect(deps.roots.canJudgeNational).toBe(false);
  expect(deps.limits).toEqual(SERVICE_LIMITS);
  // The URLs of services need no guard, because we write the catalogue ourselves.
  expect(deps.refusalOfUrl).toBeUndefined();
});

test("local names are allowed if private addresses are", () => {
  const guard = buildUrlGuard(config);
  const strict = buildUrlGuard({ ...config, allowPrivate: [], allowedPorts: [] });
  for (const url of ["https://wiki/", "https://10.1.2.3/", "https://a.test:8443/"]) {
    expect(guard(new URL(url))).toBeUndefined();
    expect(strict(new URL(url))).toBeDefined();
  }
});

test("an invalid config throws", () => {
  const broken: readonly Partial<ProbeConfig>[] = [
    { allowPrivate: ["10.0.0.0/99"] },
    { connectTo: ["nonsense"] },
    { fingerprints: [{}] },
  ];
  for (const part of broken)
    expect(() => buildProbeDependencies({ ...config, ...part })).toThrow(Error);
});

test.each([
  [undefined, "Mozilla/5.0 (compatible; status-snapshot)"],
  ["", "Mozilla/5.0 (compatible; status-snapshot)"],
  [
    "https://status.example/",
    "Mozilla/5.0 (compatible; status-snapshot; +https://status.example/about)",
  ],
  [
    "https://example.ru/status",
    "Mozilla/5.0 (compatible; status-snapshot; +https://example.ru/status/about)",
  ],
])("a website at %s is named in each request as %s", (baseUrl, userAgent) => {
  const given = baseUrl === undefined ? config : { ...config, baseUrl };
  expect(buildProbeDependencies(given).userAgent).toBe(userAgent);
});
