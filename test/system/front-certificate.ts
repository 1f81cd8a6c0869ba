// @peculiar/x509 builds on tsyringe, which needs this polyfill before it.
import "reflect-metadata";
import { KeyObject, webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

const DAY_MS = 86_400_000;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** The host name of all fronts in tests, instead of status.example: it resolves on every machine, to both IPv4 and IPv6. */
export const FRONT_HOST = "localhost";

export interface FrontCertificate {
  /** Self-signed, so it is its own root. */
  readonly certificatePem: string;
  readonly keyPem: string;
}

let made: Promise<FrontCertificate> | undefined;

/** The certificate of all fronts that this process starts, for `localhost` and the loopback addresses. */
export function getFrontCertificate(): Promise<FrontCertificate> {
  made ??= make();
  return made;
}

async function make(): Promise<FrontCertificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const nowMs = Date.now();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: "CN=A front of the tests",
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(nowMs - DAY_MS),
    notAfter: new Date(nowMs + DAY_MS),
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: "dns", value: FRONT_HOST },
        { type: "ip", value: "127.0.0.1" },
        { type: "ip", value: "::1" },
      ]),
    ],
  });
  return {
    certificatePem: certificate.toString("pem"),
    keyPem: String(KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" })),
  };
}
