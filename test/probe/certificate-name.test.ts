import { webcrypto, X509Certificate } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { expect, test } from "vitest";
import { faultInName } from "../../src/probe/network/tls.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

function alternativeNames(names: readonly string[]): x509.Extension {
  return new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: value.includes(":") ? "ip" : "dns", value })),
  );
}

/** A certificate for these names, with a common name beside them. */
async function certify(names: readonly string[]): Promise<X509Certificate> {
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=common.example.org",
    keys: await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]),
    signingAlgorithm: ALGORITHM,
    extensions: names.length === 0 ? [] : [alternativeNames(names)],
  });
  return new X509Certificate(Buffer.from(certificate.rawData));
}

test.each([
  ["shop.example.org", "shop.example.org", true],
  ["shop.example.org", "SHOP.example.org", true],
  ["shop.example.org", "*.example.org", true],
  // OpenSSL takes no underscore below a wildcard.
  ["my_shop.example.org", "*.example.org", true],
  ["2001:db8::1", "2001:db8::1", true],
  ["2001:db8::2", "2001:db8::1", false],
  ["example.org", "*.example.org", false],
  ["a.shop.example.org", "*.example.org", false],
  ["common.example.org", "other.example.org", false],
  ["shop.example.org", "sh*.example.org", false],
  ["shop.example.org", "*op.example.org", false],
  ["shop.example.org", "s*p.example.org", false],
  ["my_shop.example.org", "my_*.example.org", false],
])("%s may show a certificate for %s: %s", async (host, name, may) => {
  const fault = faultInName(host, await certify(["first.example.org", name]));
  expect(fault === undefined).toBe(may);
});

test("a name that is only the common name counts for nothing", async () => {
  expect(faultInName("common.example.org", await certify([]))).toBeInstanceOf(Error);
});
