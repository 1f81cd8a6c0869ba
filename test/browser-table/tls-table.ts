import "reflect-metadata";
import { KeyObject, webcrypto } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer, type TlsOptions } from "node:tls";
import { brotliCompressSync } from "node:zlib";
import * as x509 from "@peculiar/x509";
import type { FailureCode, Oddity } from "../../src/model/failures.ts";
import { createIssuerFetcher } from "../../src/probe/probe-config.ts";
import type { ProbeDependencies } from "../../src/probe/probe.ts";
import { createTrustRoots } from "../../src/probe/network/tls.ts";
import { rulesOf } from "../probe/harness.ts";
import { SIGN } from "./page.ts";

/** What the rows are about must be sent, however weak. */
const WEAK = { ciphers: "DEFAULT@SECLEVEL=0" };
const EC = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const DAY_MS = 86_400_000;
/** Where the missing intermediate is. */
const AIA_HOST = "aia.test";

type Algorithm = Parameters<webcrypto.SubtleCrypto["generateKey"]>[0] & { readonly hash: string };

/** Paths of certificates that can be fetched. */
const FETCHED = {
  intermediate: "/ca.der",
  /** The root of the chain itself, which no browser knows. */
  "unknown root": "/root.der",
  /** Issued by that root. */
  stray: "/stray.der",
  /** Issued by itself, under its name in another case. */
  disguised: "/disguised.der",
} as const;

/** `lower`: an intermediate that another has issued, where it also names that one. */
type AuthorityName = "root" | "intermediate" | "lower" | "unknown" | "stray" | "disguised";

/** A server of TLS that is odd in one way, and what a visitor gets there. */
export interface TlsRow {
  readonly name: string;
  readonly verdict: "opens" | FailureCode;
  readonly oddities?: readonly Oddity[];
  /** Why the verdict is not that of a browser. */
  readonly butBrowser?: string;
  readonly leaf?: {
    readonly algorithm?: Algorithm;
    readonly signing?: Algorithm;
    /** Names of the certificate; absent: the host. */
    readonly names?: readonly { readonly type: "dns" | "ip" | "email"; readonly value: string }[];
    readonly days?: readonly [from: number, until: number];
    readonly issuer?: AuthorityName | "self";
    /** What is at the address that the certificate names for its issuer. */
    readonly fetched?: keyof typeof FETCHED;
  };
  readonly isWholeChain?: boolean;
  readonly server?: TlsOptions;
  readonly answer?: string;
}

const rsa = (modulusLength: number, hash = "SHA-256"): Algorithm =>
  ({
    name: "RSASSA-PKCS1-v1_5",
    modulusLength,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash,
  }) as Algorithm;

const page = (body: Buffer, ...lines: readonly string[]): string =>
  `${["HTTP/1.1 200 OK", "Content-Type: text/html; charset=utf-8", ...lines, `Content-Length: ${body.length}`, "", ""].join("\r\n")}${body.toString("latin1")}`;
const PAGE = Buffer.from(`<!doctype html><title>x</title><p>${SIGN}</p>`);

export const TLS_ROWS: readonly TlsRow[] = [
  { name: "an ordinary certificate", verdict: "opens" },
  { name: "a key of RSA with 2,048 bits", verdict: "opens", leaf: { algorithm: rsa(2_048) } },
  { name: "a key of RSA with 1,024 bits", verdict: "opens", leaf: { algorithm: rsa(1_024) } },
  {
    name: "a name with a wildcard",
    verdict: "opens",
    leaf: { names: [{ type: "dns", value: "*.tls.test" }] },
  },
  { name: "a common name alone", verdict: "cert-wrong-host", leaf: { names: [] } },
  {
    name: "a common name beside an address",
    verdict: "cert-wrong-host",
    leaf: { names: [{ type: "ip", value: "127.0.0.1" }] },
  },
  {
    name: "a common name beside a mailbox",
    verdict: "cert-wrong-host",
    leaf: { names: [{ type: "email", value: "a@tls.test" }] },
  },
  {
    name: "another name",
    verdict: "cert-wrong-host",
    leaf: { names: [{ type: "dns", value: "other.test" }] },
  },
  { name: "an expired certificate", verdict: "cert-expired", leaf: { days: [-20, -1] } },
  {
    name: "an expired certificate of another name",
    verdict: "cert-wrong-host",
    leaf: { days: [-20, -1], names: [{ type: "dns", value: "other.test" }] },
  },
  { name: "a certificate of tomorrow", verdict: "cert-not-yet-valid", leaf: { days: [1, 20] } },
  {
    name: "a certificate that signs itself",
    verdict: "cert-self-signed",
    leaf: { issuer: "self" },
  },
  { name: "an unknown issuer", verdict: "cert-unknown-issuer", leaf: { issuer: "unknown" } },
  { name: "a whole chain", verdict: "opens", leaf: { issuer: "intermediate" }, isWholeChain: true },
  {
    name: "a chain without its intermediate",
    verdict: "opens",
    oddities: ["chain-incomplete"],
    leaf: { issuer: "intermediate", fetched: "intermediate" },
  },
  {
    name: "a chain without the upper of two intermediates",
    verdict: "opens",
    oddities: ["chain-incomplete"],
    // Only what the last certificate names completes the chain.
    leaf: { issuer: "lower", fetched: "stray" },
    isWholeChain: true,
  },
  {
    name: "a chain to a root that can be fetched",
    verdict: "cert-unknown-issuer",
    leaf: { issuer: "unknown", fetched: "unknown root" },
  },
  {
    name: "a chain to a root in disguise that can be fetched",
    verdict: "cert-unknown-issuer",
    leaf: { issuer: "disguised", fetched: "disguised" },
  },
  {
    name: "a chain that ends at a fetched intermediate",
    verdict: "cert-unknown-issuer",
    leaf: { issuer: "stray", fetched: "stray" },
  },
  {
    name: "a chain that cannot be completed",
    verdict: "cert-unknown-issuer",
    leaf: { issuer: "intermediate" },
  },
  {
    name: "a signature with SHA-1",
    verdict: "cert-invalid",
    leaf: { issuer: "intermediate", signing: rsa(2_048, "SHA-1") },
    isWholeChain: true,
  },
  {
    name: "an old version of TLS",
    verdict: "tls-version",
    server: { minVersion: "TLSv1", maxVersion: "TLSv1.1" },
  },
  { name: "TLS 1.2", verdict: "opens", server: { maxVersion: "TLSv1.2" } },
  {
    name: "br over TLS",
    verdict: "opens",
    oddities: ["coding-unasked"],
    answer: page(brotliCompressSync(PAGE), "Content-Encoding: br"),
  },
];

/** The host of a row of this table. */
export function tlsHostOf(index: number): string {
  return `row-${index}.tls.test`;
}

interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly algorithm: Algorithm;
}

const keysOf = (algorithm: Algorithm): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ]) as Promise<webcrypto.CryptoKeyPair>;
const validFor = ([from, until]: readonly [number, number]) => ({
  notBefore: new Date(Date.now() + from * DAY_MS),
  notAfter: new Date(Date.now() + until * DAY_MS),
});
const pemOf = (key: webcrypto.CryptoKey): string =>
  String(KeyObject.from(key).export({ type: "pkcs8", format: "pem" }));

interface IssuedBy {
  readonly by?: Authority;
  readonly issuerName?: string;
  readonly fetched?: keyof typeof FETCHED;
}

function whereIssuerIs(fetched: keyof typeof FETCHED | undefined): readonly x509.Extension[] {
  if (fetched === undefined) return [];
  const caIssuers = `http://${AIA_HOST}${FETCHED[fetched]}`;
  return [new x509.AuthorityInfoAccessExtension({ caIssuers })];
}

async function createAuthority(
  name: string,
  algorithm: Algorithm,
  { by, issuerName = name, fetched }: IssuedBy = {},
): Promise<Authority> {
  const keys = await keysOf(algorithm);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validFor([-30, 300]),
    subject: `CN=${name}`,
    issuer: by?.certificate.subject ?? `CN=${issuerName}`,
    publicKey: keys.publicKey,
    signingKey: by?.keys.privateKey ?? keys.privateKey,
    signingAlgorithm: by?.algorithm ?? algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
      ...whereIssuerIs(fetched),
    ],
  });
  return { certificate, keys, algorithm };
}

/** A key and its certificates. */
interface Pem {
  readonly key: string;
  readonly cert: string;
}

async function createLeaf(
  host: string,
  { leaf = {}, isWholeChain = false }: TlsRow,
  authorities: Readonly<Record<AuthorityName, Authority>>,
): Promise<Pem> {
  const { algorithm = EC, issuer = "root", names = [{ type: "dns", value: host } as const] } = leaf;
  const keys = await keysOf(algorithm);
  const by = issuer === "self" ? undefined : authorities[issuer];
  let signingKey = by?.keys.privateKey ?? keys.privateKey;
  // The same key signs with another hash.
  if (leaf.signing !== undefined && by !== undefined) {
    const der = KeyObject.from(by.keys.privateKey).export({ type: "pkcs8", format: "der" });
    signingKey = await webcrypto.subtle.importKey("pkcs8", der, leaf.signing, true, ["sign"]);
  }
  const certificate = await x509.X509CertificateGenerator.create({
    ...validFor(leaf.days ?? [-1, 30]),
    subject: `CN=${host}`,
    issuer: by?.certificate.subject ?? `CN=${host}`,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: leaf.signing ?? by?.algorithm ?? algorithm,
    extensions: [
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      ...(names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension([...names])]),
      ...whereIssuerIs(leaf.fetched),
    ],
  });
  const chain = isWholeChain && by !== undefined ? by.certificate.toString("pem") : "";
  return { key: pemOf(keys.privateKey), cert: `${certificate.toString("pem")}\n${chain}` };
}

/** The servers of the table. */
export interface TlsTable {
  /** Of the row with this index. */
  readonly ports: readonly number[];
  /** Where `http://aia.test/` is. */
  readonly issuerPort: number;
  readonly rootPem: string;
  /** Key and certificate of the first row, as PEM. */
  readonly ordinary: Pem;
  /** Dependencies of a probe that trusts the root, and reaches every server. */
  readonly depsOf: (deps: ProbeDependencies) => ProbeDependencies;
  close(): Promise<void>;
}

/** Starts a server for each row, and one for the intermediate. */
export async function openTlsTable(): Promise<TlsTable> {
  const root = await createAuthority("Table Root", rsa(2_048));
  const intermediate = await createAuthority("Table Intermediate", rsa(2_048), { by: root });
  const lower = await createAuthority("Table Lower", EC, {
    by: intermediate,
    fetched: "intermediate",
  });
  const unknown = await createAuthority("Unknown Root", EC);
  const stray = await createAuthority("Stray Intermediate", EC, { by: unknown });
  const disguised = await createAuthority("Disguised Root", EC, { issuerName: "DISGUISED  root" });
  const authorities = { root, intermediate, lower, unknown, stray, disguised };
  const leaves = await Promise.all(
    TLS_ROWS.map((row, index) => createLeaf(tlsHostOf(index), row, authorities)),
  );
  const servers = await Promise.all(
    TLS_ROWS.map(async (row, index) => {
      const server = createServer({ ...WEAK, ...leaves[index], ...row.server }, (socket) => {
        socket.on("error", () => undefined);
        socket.once("data", () => socket.end(Buffer.from(row.answer ?? page(PAGE), "latin1")));
      });
      server.on("tlsClientError", () => undefined);
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      return server;
    }),
  );
  const fetched = new Map<string, Authority>([
    [FETCHED.intermediate, intermediate],
    [FETCHED["unknown root"], unknown],
    [FETCHED.stray, stray],
    [FETCHED.disguised, disguised],
  ]);
  const issuers = createHttpServer(({ url = "" }, response) => {
    const authority = fetched.get(url);
    if (authority === undefined) response.writeHead(404).end();
    else response.end(Buffer.from(authority.certificate.rawData));
  });
  issuers.listen(0, "127.0.0.1");
  await once(issuers, "listening");
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
  const ports = servers.map(portOf);
  const rootPem = root.certificate.toString("pem");
  return {
    ports,
    issuerPort: portOf(issuers),
    rootPem,
    ordinary: leaves[0] ?? { key: "", cert: "" },
    depsOf: (deps) => {
      // As the program makes them.
      const { contexts, extend } = createTrustRoots([], [rootPem]);
      const lines = ports.map((port, index) => `${tlsHostOf(index)}:443::${port}`);
      const all: ProbeDependencies = {
        ...deps,
        connectTo: rulesOf([...lines, `${AIA_HOST}:80::${portOf(issuers)}`]),
        resolve: async () => ({ kind: "records", records: ["127.0.0.1"] }),
        roots: {
          contexts: { public: contexts.national, national: contexts.national },
          canJudgeNational: false,
          extend: (_, pem) => extend("national", pem),
        },
      };
      return { ...all, fetchIssuer: createIssuerFetcher(all, () => undefined) };
    },
    async close() {
      for (const server of [...servers, issuers]) server.close();
      issuers.closeAllConnections();
      await Promise.all([...servers, issuers].map((server) => once(server, "close")));
    },
  };
}
