import "reflect-metadata";
import { webcrypto, X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { faultInName } from "../../src/probe/network/tls.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

let keys: webcrypto.CryptoKeyPair;
beforeAll(async () => {
  keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
});

/** A certificate with these names, of which one that begins with a digit is an address. */
async function certify(names: readonly string[], commonName = "other"): Promise<X509Certificate> {
  const alternatives = names.map((value) => {
    return { type: /^[\d:]/u.test(value) ? ("ip" as const) : ("dns" as const), value };
  });
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${commonName}`,
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(alternatives)] : [],
  });
  return new X509Certificate(made.toString("pem"));
}

describe("a certificate", () => {
  test.for<[host: string, names: readonly string[], isFor: boolean]>([
    ["a.example.com", ["a.example.com"], true],
    ["A.example.com", ["a.EXAMPLE.com"], true],
    ["a.example.com", ["b.example.com", "*.example.com"], true],
    ["a_b.example.com", ["*.example.com"], true],
    ["a.example.com.", ["a.example.com"], true],
    ["xn--e1aybc.example.com", ["*.example.com"], true],
    ["example.com", ["*.example.com"], false],
    ["a.b.example.com", ["*.example.com"], false],
    ["example.com", ["*.com"], false],
    ["a.example.com", ["b.example.com"], false],
    ["192.0.2.1", ["192.0.2.1"], true],
    ["2001:db8::1", ["2001:db8::1"], true],
    ["192.0.2.1", ["192.0.2.2", "a.example.com"], false],
  ])("for %s with the names %j: %s", async ([host, names, isFor]) => {
    expect(faultInName(host, await certify(names)) === undefined).toBe(isFor);
  });

  test("with the name in its subject alone is for no host", async () => {
    const host = "a.example.com";
    expect(faultInName(host, await certify([], host))).toBeInstanceOf(Error);
    expect(faultInName(host, await certify(["b.example.com"], host))).toBeInstanceOf(Error);
  });

  test("that was not sent is for no host", () => {
    const fault = new Error("the server has sent no certificate");
    expect(faultInName("a.example.com", undefined)).toEqual(fault);
  });
});
