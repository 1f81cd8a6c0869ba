import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findConnectTo } from "../../src/probe/connect-to.ts";
import { buildProbeDependencies, buildUrlGuard, type ProbeConfig } from "../../src/probe/config.ts";
import { BLOCKPAGES_FILE } from "../../src/probe/fingerprints.ts";
import { SERVICE_LIMITS } from "../../src/probe/limits.ts";

const config: ProbeConfig = {
  allowPrivate: ["10.0.0.0/8"],
  ownAddresses: ["198.41.0.4", "10.9.9.9"],
  connectTo: ["a.test:443:127.0.0.1:8443"],
  roots: { everywhere: [], national: [] },
  allowedPorts: [8443],
  fingerprints: JSON.parse(readFileSync(BLOCKPAGES_FILE, "utf8")),
};

test("the config is plain data, and a probe is built from a copy of it", () => {
  const deps = buildProbeDependencies(structuredClone(config));
  expect(deps.addressRules.refusalOf("10.1.2.3")).toBeUndefined();
  expect(deps.addressRules.refusalOf("192.168.0.1")).toBe("Private-Use");
  // Its own public address is closed too, one that was opened is not.
  expect(deps.addressRules.refusalOf("198.41.0.4")).toBe("an address of this very machine");
  expect(deps.addressRules.refusalOf("10.9.9.9")).toBeUndefined();
  expect(findConnectTo(deps.connectTo, "a.test", 443)).toEqual({
    address: "127.0.0.1",
    port: 8443,
  });
  expect(deps.roots.canJudgeNational).toBe(false);
  expect(deps.limits).toEqual(SERVICE_LIMITS);
  // Services are in the catalogue by our own hand: no guard stands before their URLs.
  expect(deps.refusalOfUrl).toBeUndefined();
});

test("names of an intranet are open to those who allowed addresses of one", () => {
  const guard = buildUrlGuard(config);
  const strict = buildUrlGuard({ ...config, allowPrivate: [], allowedPorts: [] });
  for (const url of ["https://wiki/", "https://10.1.2.3/", "https://a.test:8443/"]) {
    expect(guard(new URL(url))).toBeUndefined();
    expect(strict(new URL(url))).toBeDefined();
  }
});

test("what is broken in it throws", () => {
  const broken: readonly Partial<ProbeConfig>[] = [
    { allowPrivate: ["10.0.0.0/99"] },
    { connectTo: ["nonsense"] },
    { fingerprints: [{}] },
  ];
  for (const part of broken)
    expect(() => buildProbeDependencies({ ...config, ...part })).toThrow(Error);
});
