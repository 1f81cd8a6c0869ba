import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as x509 from "@peculiar/x509";
import { describe, expect, onTestFinished, test } from "vitest";
import { findConnectTo } from "../../src/probe/network/connect-to.ts";
import {
  buildProbeDependencies,
  buildUrlGuard,
  createIssuerFetcher,
  type ProbeConfig,
} from "../../src/probe/probe-config.ts";
import { BLOCKPAGES_FILE } from "../../src/probe/answer/fingerprints.ts";
import { SERVICE_LIMITS } from "../../src/probe/limits.ts";
import { NEVER } from "./harness.ts";

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
    { connectTo: ["nonsense", "more of it"] },
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

describe("the certificate of an issuer", () => {
  /** A server of certificates, its URL, and the paths that were asked for. */
  async function serveCertificates() {
    const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      name: "CN=Some Authority",
      keys,
      signingAlgorithm: algorithm,
    });
    const asked: string[] = [];
    const server = createServer(({ url = "" }, response) => {
      asked.push(url);
      response.writeHead(url === "/gone" ? 404 : 200);
      response.end(url === "/text" ? "no certificate" : Buffer.from(made.rawData));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  const local = buildProbeDependencies({ ...config, allowPrivate: ["127.0.0.0/8"] });

  test("is fetched once for each address, and not what is none", async () => {
    const { base, asked } = await serveCertificates();
    const fetchIssuer = createIssuerFetcher(local, ({ pathname }) =>
      pathname === "/refused" ? "refused" : undefined,
    );
    const subjectAt = async (path: string) => (await fetchIssuer(`${base}${path}`, NEVER))?.subject;
    for (const time of ["first", "second"]) {
      const paths = ["/a", "/b", "/gone", "/text", "/refused"];
      const subjects = await Promise.all(paths.map(subjectAt));
      const authority = "CN=Some Authority";
      const none = undefined;
      expect([time, subjects]).toEqual([time, [authority, authority, none, none, none]]);
      expect(asked.toSorted()).toEqual(["/a", "/b", "/gone", "/text"]);
    }
    expect(await fetchIssuer("no URL", NEVER)).toBeUndefined();
  });

  test("is fetched from where a stranger's monitor may be too", async () => {
    const { base, asked } = await serveCertificates();
    const allowedPorts = [Number(new URL(base).port)];
    const ranges = { ...config, allowPrivate: ["127.0.0.0/8"] };
    const closed = buildProbeDependencies({ ...ranges, allowedPorts: [] });
    expect(await closed.fetchIssuer?.(base, NEVER)).toBeUndefined();
    expect(asked).toEqual([]);
    const open = buildProbeDependencies({ ...ranges, allowedPorts });
    expect((await open.fetchIssuer?.(base, NEVER))?.subject).toBe("CN=Some Authority");
  });
});
