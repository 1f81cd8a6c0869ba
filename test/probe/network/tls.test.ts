import "reflect-metadata";
import { webcrypto, X509Certificate } from "node:crypto";
import * as x509 from "@peculiar/x509";
import { beforeAll, describe, expect, test } from "vitest";
import { extendRoots, handshakeFailure, hashKey } from "../../../src/probe/network/tls.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

test.for<[failure: string, code: string | undefined, message?: string, syscall?: string]>([
  ["tls-closed", "ECONNRESET"],
  ["tls-reset", "ECONNRESET", "read ECONNRESET", "read"],
  ["tls-reset", "EPIPE"],
  ["tls-timeout", "ETIMEDOUT"],
  ["tls-version", "ERR_SSL_UNSUPPORTED_PROTOCOL"],
  ["tls-version", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"],
  ["tls-alert", "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"],
  ["tls-alert", "ERR_SSL_TLSV1_UNRECOGNIZED_NAME", "error:0A:SSL routines::SSL alert number 112"],
  ["tls-malformed", "ERR_SSL_WRONG_VERSION_NUMBER"],
  ["tls-malformed", undefined],
])("a handshake fails as %s by the error %s", ([failure, code, message = "", syscall]) => {
  const error = Object.assign(new Error(message), { code, ...(syscall && { syscall }) });
  expect(handshakeFailure(error)).toBe(failure);
});

let keys: webcrypto.CryptoKeyPair;
let otherKeys: webcrypto.CryptoKeyPair;
beforeAll(async () => {
  const make = () => webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  [keys, otherKeys] = await Promise.all([make(), make()]);
});

/** A certificate for the first keys, which a stranger has signed if its issuer is not itself. */
async function certify(isAuthority: boolean, issuer: string): Promise<X509Certificate> {
  const subject = "CN=Some Authority";
  const made = await x509.X509CertificateGenerator.create({
    subject,
    issuer,
    publicKey: keys.publicKey,
    signingKey: (issuer === subject ? keys : otherKeys).privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [new x509.BasicConstraintsExtension(isAuthority, undefined, true)],
  });
  return new X509Certificate(made.toString("pem"));
}

describe("roots are extended", () => {
  const extend = extendRoots({ public: [], national: [] });

  test("by an intermediate certificate, with one context for each trust", async () => {
    const intermediate = await certify(true, "CN=Some Root");
    const context = extend("public", intermediate);
    expect(context).toBeDefined();
    expect(extend("public", intermediate)).toBe(context);
    expect(extend("national", intermediate)).not.toBe(context);
  });

  test("neither by a root, nor by a certificate that may issue none", async () => {
    expect(extend("public", await certify(true, "CN=Some Authority"))).toBeUndefined();
    expect(extend("public", await certify(false, "CN=Some Root"))).toBeUndefined();
  });
});

test("a key is told by the SHA-256 of its public part", async () => {
  const spki = await webcrypto.subtle.exportKey("spki", keys.publicKey);
  const digest = Buffer.from(await webcrypto.subtle.digest("SHA-256", spki));
  expect(hashKey(await certify(false, "CN=Some Root"))).toBe(digest.toString("base64url"));
  expect(hashKey(undefined)).toBeUndefined();
});
