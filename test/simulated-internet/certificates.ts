// @peculiar/x509 builds on tsyringe, which needs this polyfill before it.
import "reflect-metadata";
import { createPrivateKey, KeyObject, webcrypto } from "node:crypto";
import { isIP } from "node:net";
import { createSecureContext, type SecureContext } from "node:tls";
import * as x509 from "@peculiar/x509";
import type { CertificateKind } from "./behaviour.ts";

const DAY_MS = 86_400_000;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

const PUBLIC_NAME = "CN=World Public Root";
/** A different name, because OpenSSL tries only one of two roots with the same name. */
const SHARED_NAME = "CN=World Public Root of a Run";

/** Name of the root of the Russian national authority, which the simulated one replaces. */
const NATIONAL_NAME =
  "C=RU, O=The Ministry of Digital Development and Communications, CN=Russian Trusted Root CA";

/** Addresses of the anchors of the shipped catalogue that are probed by address. */
const ANCHOR_ADDRESSES = ["77.88.8.8", "8.8.8.8"];

const FOREIGN: ReadonlySet<CertificateKind> = new Set([
  "unknown-issuer",
  "self-signed",
  "wrong-host",
]);

interface Authority {
  readonly name: string;
  readonly keys: webcrypto.CryptoKeyPair;
  readonly certificate: x509.X509Certificate;
}

/** Test roots, and leaf certificates that are issued on demand. */
export interface CertificateIssuer {
  /** Represents the public roots. */
  readonly publicRootPem: string;
  /** Represents the national root, which only `--extra-ca` adds. */
  readonly nationalRootPem: string;
  /** The certificate of a server named `host`. The same object for the same arguments, and for the other hosts of a domain. */
  contextFor(host: string, kind: CertificateKind): Promise<SecureContext>;
}

/** A root and its key as text, so that several processes can share it. */
export interface WrittenRoot {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Creates a root that represents the public ones. */
export async function writePublicRoot(nowMs: number): Promise<WrittenRoot> {
  const { certificate, keys } = await createRoot(SHARED_NAME, nowMs);
  return { certificatePem: toPem(certificate), keyPem: keyToPem(keys.privateKey) };
}

async function readRoot({ certificatePem, keyPem }: WrittenRoot): Promise<Authority> {
  const certificate = new x509.X509Certificate(certificatePem);
  const der = createPrivateKey(keyPem).export({ type: "pkcs8", format: "der" });
  const privateKey = await webcrypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
  const publicKey = await certificate.publicKey.export();
  return { name: SHARED_NAME, keys: { privateKey, publicKey }, certificate };
}

/**
 * Creates the roots; `written` replaces the public one. Validity, expired or not, is relative to `nowMs`.
 */
export async function openCertificateIssuer(
  nowMs: number,
  written?: WrittenRoot,
): Promise<CertificateIssuer> {
  const [publicRoot, nationalRoot, unknownRoot] = await Promise.all([
    written === undefined ? createRoot(PUBLIC_NAME, nowMs) : readRoot(written),
    createRoot(NATIONAL_NAME, nowMs),
    createRoot("CN=World Unknown Root", nowMs),
  ]);
  const intermediate = await createIntermediate(publicRoot, nowMs);
  const nationalIntermediate = await createIntermediate(nationalRoot, nowMs);
  // One key for all leaves of servers, and one for those that a box shows in their place.
  const [leafKeys, foreignKeys] = await Promise.all([generateKeys(), generateKeys()]);
  const authorities = {
    public: publicRoot,
    national: nationalRoot,
    "national-with-intermediate": nationalIntermediate,
    "unknown-issuer": unknownRoot,
    "with-intermediate": intermediate,
    "no-intermediate": intermediate,
    "self-signed": undefined,
    expired: publicRoot,
    "not-yet-valid": publicRoot,
    "wrong-host": publicRoot,
  } as const satisfies Record<CertificateKind, Authority | undefined>;
  const contexts = new Map<string, Promise<SecureContext>>();

  async function issue(host: string, kind: CertificateKind): Promise<SecureContext> {
    const keys = FOREIGN.has(kind) ? foreignKeys : leafKeys;
    const leaf = await issueLeaf(host, kind, authorities[kind], keys, nowMs);
    const authority = kind.endsWith("with-intermediate") ? authorities[kind] : undefined;
    const chain = [leaf, ...(authority === undefined ? [] : [authority.certificate])];
    const key = keyToPem(keys.privateKey);
    return createSecureContext({ key, cert: chain.map(toPem).join("\n") });
  }

  return {
    publicRootPem: toPem(publicRoot.certificate),
    nationalRootPem: toPem(nationalRoot.certificate),
    contextFor(host, kind) {
      const key = `${kind} ${certifiedName(host)}`;
      const known = contexts.get(key) ?? issue(host, kind);
      contexts.set(key, known);
      return known;
    },
  };
}

async function createRoot(name: string, nowMs: number): Promise<Authority> {
  const keys = await generateKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(nowMs - 900 * DAY_MS),
    notAfter: new Date(nowMs + 900 * DAY_MS),
    extensions: authorityExtensions(),
  });
  return { name, keys, certificate };
}

async function createIntermediate(root: Authority, nowMs: number): Promise<Authority> {
  const keys = await generateKeys();
  const name = "World Intermediate";
  const certificate = await x509.X509CertificateGenerator.create({
    subject: `CN=${name}`,
    issuer: root.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: root.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(nowMs - 800 * DAY_MS),
    notAfter: new Date(nowMs + 800 * DAY_MS),
    extensions: authorityExtensions(),
  });
  return { name, keys, certificate };
}

async function issueLeaf(
  host: string,
  kind: CertificateKind,
  authority: Authority | undefined,
  keys: webcrypto.CryptoKeyPair,
  nowMs: number,
): Promise<x509.X509Certificate> {
  const shownHost = kind === "wrong-host" ? "elsewhere.invalid" : certifiedName(host);
  // A ClientHello has no server name for an address, so all addresses are one host with one certificate.
  const names = isIP(shownHost) === 0 ? [shownHost] : [shownHost, ...ANCHOR_ADDRESSES];
  const [fromDays, toDays] = validityDays(kind);
  const common = {
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(nowMs + fromDays * DAY_MS),
    notAfter: new Date(nowMs + toDays * DAY_MS),
    extensions: [
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: isIP(value) === 0 ? "dns" : "ip", value })),
      ),
    ],
  };
  // A common name has at most 64 characters, a host name 253: the host name is only in the extension.
  const subject = "CN=World Leaf";
  if (authority === undefined) {
    return x509.X509CertificateGenerator.createSelfSigned({ ...common, name: subject, keys });
  }
  return x509.X509CertificateGenerator.create({
    ...common,
    subject,
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
  });
}

/** The name in the certificate of a host: that of all hosts of its domain, because a test has many and each costs CPU time. */
function certifiedName(host: string): string {
  const domain = host.slice(host.indexOf(".") + 1);
  return isIP(host) === 0 && domain.includes(".") ? `*.${domain}` : host;
}

function validityDays(kind: CertificateKind): readonly [number, number] {
  if (kind === "expired") return [-90, -1];
  if (kind === "not-yet-valid") return [1, 90];
  return [-1, 90];
}

function authorityExtensions(): x509.Extension[] {
  return [
    new x509.BasicConstraintsExtension(true, undefined, true),
    new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
  ];
}

function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
}

function keyToPem(key: webcrypto.CryptoKey): string {
  return String(KeyObject.from(key).export({ type: "pkcs8", format: "pem" }));
}

function toPem(certificate: x509.X509Certificate): string {
  return certificate.toString("pem");
}
