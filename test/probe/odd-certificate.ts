import "reflect-metadata";
import { KeyObject, webcrypto } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createSecureContext, createServer, type SecureContext } from "node:tls";
import * as x509 from "@peculiar/x509";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;

export interface OddTlsServer {
  readonly port: number;
  /** Trusts the issuer of the certificate. */
  readonly rootContext: SecureContext;
  close(): Promise<void>;
}

/** A server with a valid certificate that is issued for clients only. This error has no code of its own. */
export async function startOddTlsServer(host: string): Promise<OddTlsServer> {
  const validity = {
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: ALGORITHM,
  };
  const rootKeys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: "CN=Odd Root",
    keys: rootKeys,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const leaf = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: "CN=Odd Leaf",
    issuer: root.subject,
    publicKey: keys.publicKey,
    signingKey: rootKeys.privateKey,
    extensions: [
      new x509.SubjectAlternativeNameExtension([{ type: "dns", value: host }]),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
    ],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
  const server = createServer({ key, cert: leaf.toString("pem") });
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    rootContext: createSecureContext({ ca: root.toString("pem") }),
    async close() {
      server.close();
      await once(server, "close");
    },
  };
}
