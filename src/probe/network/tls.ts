import { constants, createHash, type X509Certificate } from "node:crypto";
import { isIP, type Socket } from "node:net";
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  DEFAULT_CIPHERS,
  rootCertificates,
  type SecureContext,
  type TLSSocket,
} from "node:tls";
import { createNewestMap } from "../../model/bounded-map.ts";
import type { Trust } from "../../model/service/catalogue.ts";
import type { FailureCode } from "../../model/failures.ts";

type TlsFailure = Extract<FailureCode, `tls-${string}` | `cert-${string}`>;

export type TlsResult =
  | {
      readonly kind: "secured";
      readonly socket: TLSSocket;
      /** With the chain that was sent. A socket gives it only once. */
      readonly leaf: X509Certificate | undefined;
      readonly isVerified: boolean;
      /** Not verified, because the national root is not configured, but the chain names the national authority. */
      readonly isNationalIssuer: boolean;
      readonly certExpiresAtMs: number | undefined;
    }
  | {
      readonly kind: "failed";
      readonly code: TlsFailure;
      readonly certExpiresAtMs?: number | undefined;
      readonly certKey?: string | undefined;
      /** Where the last certificate that was sent says that its issuer can be fetched. */
      readonly issuerUrl?: string | undefined;
    };

/**
 * What browsers accept: servers of TLS 1.2 without RFC 5746, and RSA keys from 1,024 bits. Source: net/cert of Chromium, IsWeakKey;
 * OpenSSL, SSL_CTX_set_security_level.
 */
function createContextAsBrowsers(ca?: string[]): SecureContext {
  return createSecureContext({
    secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
    ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=1`,
    ...(ca && { ca }),
  });
}

/** Intermediates that are missing somewhere: far fewer in all of the Web. */
const MAX_EXTENDED = 64;

/** Roots for each kind of trust. Contexts are shared, because building one parses every root again (milliseconds of CPU). */
export interface TrustRoots {
  readonly contexts: Readonly<Record<Trust, SecureContext>>;
  /** False without extra roots: a national chain then cannot be verified, which is not a fault of the service. */
  readonly canJudgeNational: boolean;
  /** The roots with a certificate of a stranger. Undefined: it is not an intermediate one; one that has issued itself would become a root. */
  readonly extend: (trust: Trust, certificate: X509Certificate) => SecureContext | undefined;
}

/**
 * Builds the trust roots. Ignores text that is not a certificate, as OpenSSL does: check it first. Never throws.
 *
 * @param everywhere PEM certificates of `NODE_EXTRA_CA_CERTS`: Node adds them to its default roots, but not to a list of roots.
 * @param national PEM certificates trusted only for `trust: national` (`--extra-ca`).
 */
export function createTrustRoots(
  everywhere: readonly string[],
  national: readonly string[],
): TrustRoots {
  const publicContext = createContextAsBrowsers();
  const common = [...rootCertificates, ...everywhere];
  const ca = [...common, ...national];
  const canJudgeNational = national.length > 0;
  return {
    contexts: {
      public: publicContext,
      national: canJudgeNational ? createContextAsBrowsers(ca) : publicContext,
    },
    canJudgeNational,
    extend: extendRoots({ public: common, national: ca }),
  };
}

/** OpenSSL takes every certificate in its store for a root that has issued itself by its names, compared as by `checkIssued`. */
function isIntermediate(certificate: X509Certificate): boolean {
  const isOwnIssuer =
    certificate.checkIssued(certificate) || certificate.verify(certificate.publicKey);
  return certificate.ca && !isOwnIssuer;
}

/** Makes contexts with one more certificate, and keeps them, because each parses all roots. */
export function extendRoots(
  roots: Readonly<Record<Trust, readonly string[]>>,
): TrustRoots["extend"] {
  const known = createNewestMap<string, SecureContext>(MAX_EXTENDED);
  return (trust, certificate) => {
    if (!isIntermediate(certificate)) return undefined;
    const intermediate = certificate.toString();
    const key = `${trust} ${intermediate}`;
    const context = known.get(key) ?? createContextAsBrowsers([...roots[trust], intermediate]);
    known.set(key, context);
    return context;
  };
}

/**
 * Starts TLS over an open connection and never resumes a session. A certificate that does not verify is a failure with its reason, as in
 * a browser, except the unknown issuer of a national chain if the national root is not configured.
 */
export function secure(
  raw: Socket,
  host: string,
  trust: Trust,
  roots: Pick<TrustRoots, "contexts" | "canJudgeNational">,
  timeoutMs: number,
): Promise<TlsResult> {
  return new Promise((resolve) => {
    let leaf: X509Certificate | undefined;
    const socket: TLSSocket = connect({
      socket: raw,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: roots.contexts[trust],
      ALPNProtocols: ["http/1.1"],
      // `classifyHandshake` decides about the certificate; Node would only end the connection.
      rejectUnauthorized: false,
      checkServerIdentity: (name) => {
        leaf = socket.getPeerX509Certificate();
        return faultInName(name, leaf);
      },
    });
    leavePacked(socket);
    const settle = (result: TlsResult): void => {
      clearTimeout(timer);
      socket.off("secureConnect", onSecure).off("close", onClose);
      if (result.kind === "failed") socket.destroy();
      resolve(result);
    };
    const onSecure = (): void => {
      leaf ??= socket.getPeerX509Certificate();
      const isForgiven = trust === "national" && !roots.canJudgeNational;
      settle(classifyHandshake(socket, leaf, host, isForgiven));
    };
    const onClose = (): void => settle({ kind: "failed", code: "tls-closed" });
    const timer = setTimeout(() => settle({ kind: "failed", code: "tls-timeout" }), timeoutMs);
    // This listener stays: the next stage handles an error after the handshake, but no error may be unhandled.
    socket.on("error", (error: NodeJS.ErrnoException) =>
      settle({ kind: "failed", code: handshakeFailure(error) }),
    );
    socket.once("secureConnect", onSecure);
    socket.once("close", onClose);
  });
}

/**
 * The fault of a certificate that is not for this host, as Node says it. Names are in `subjectAltName` alone: no browser has taken the
 * common name since 2017. OpenSSL answers first, because unpacking a certificate for Node's check costs four times as much. Node decides
 * about what OpenSSL refuses, such as a label with an underscore below a wildcard.
 */
export function faultInName(host: string, leaf: X509Certificate | undefined): Error | undefined {
  if (leaf === undefined) return new Error("the server has sent no certificate");
  const found =
    isIP(host) === 0
      ? leaf.checkHost(host, { subject: "never", partialWildcards: false })
      : leaf.checkIP(host);
  if (found !== undefined) return undefined;
  const { subject, subjectaltname = "", ...certificate } = leaf.toLegacyObject();
  const names = subjectaltname.replaceAll(PARTIAL_WILDCARD, "DNS:");
  const common = { ...subject, CN: "" };
  return checkServerIdentity(host, { ...certificate, subject: common, subjectaltname: names });
}

/** A name whose wildcard is a part of a label, `a*.example.org`: Node takes it, no browser does (Chromium, `VerifyHostname`). */
const PARTIAL_WILDCARD = /DNS:(?!\*\.)[^,"]*\*[^,"]*/gu;

/** Node unpacks the whole chain for a check of the name that we make ourselves: a quarter of the CPU time of a probe. */
function leavePacked(socket: TLSSocket): void {
  Object.defineProperty(socket, "getPeerCertificate", { value: () => undefined });
}

/** The server has no version that we accept, and says so, or answers with its own. */
const OLD_VERSION = /^ERR_SSL_(?:UNSUPPORTED_PROTOCOL|TLSV1_ALERT_PROTOCOL_VERSION)$/u;

/** The failure of a handshake that ended with this error. */
export function handshakeFailure(error: NodeJS.ErrnoException): TlsFailure {
  const code = error.code ?? "";
  // Node reports an orderly close during the handshake as ECONNRESET too, but without a system call. It reports an RST before the
  // ClientHello in the same form, because it hides the error of that write and then reads an end of the stream.
  if (code === "ECONNRESET") return error.syscall === undefined ? "tls-closed" : "tls-reset";
  if (code === "EPIPE") return "tls-reset";
  if (code === "ETIMEDOUT") return "tls-timeout";
  if (OLD_VERSION.test(code)) return "tls-version";
  // Some alerts lack `ALERT` in their code (ERR_SSL_TLSV1_UNRECOGNIZED_NAME), but OpenSSL's text contains the number.
  return /_ALERT_|:SSL alert number \d/u.test(code + error.message) ? "tls-alert" : "tls-malformed";
}

/** Failure codes by OpenSSL's verification error (`X509_V_ERR_*`, as Node spells them). */
const CERTIFICATE_CODES: Readonly<Record<string, TlsFailure>> = {
  CERT_HAS_EXPIRED: "cert-expired",
  CERT_NOT_YET_VALID: "cert-not-yet-valid",
  ERR_TLS_CERT_ALTNAME_INVALID: "cert-wrong-host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "cert-self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "cert-unknown-issuer",
  UNABLE_TO_GET_ISSUER_CERT: "cert-unknown-issuer",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "cert-unknown-issuer",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "cert-unknown-issuer",
};

function classifyHandshake(
  socket: TLSSocket,
  leaf: X509Certificate | undefined,
  host: string,
  isIssuerForgiven: boolean,
): TlsResult {
  const validToMs = Date.parse(leaf?.validTo ?? "");
  const certExpiresAtMs = Number.isNaN(validToMs) ? undefined : validToMs;
  const secured = { kind: "secured", socket, leaf, certExpiresAtMs } as const;
  if (socket.authorized) return { ...secured, isVerified: true, isNationalIssuer: false };
  const told = CERTIFICATE_CODES[String(socket.authorizationError)] ?? "cert-invalid";
  // Node looks at the name only if all else is right, but a stranger's certificate that has ended says nothing of this host.
  const isOfStranger = told === "cert-expired" && faultInName(host, leaf) !== undefined;
  const code = isOfStranger ? "cert-wrong-host" : told;
  const failed = { kind: "failed", code, certExpiresAtMs, certKey: hashKey(leaf) } as const;
  if (!isIssuerForgiven || (code !== "cert-unknown-issuer" && code !== "cert-self-signed"))
    return { ...failed, issuerUrl: issuerOf(socket, leaf) };
  // Only the name is still unchecked, because Node checks it last: OpenSSL would have reported a wrong date instead of the issuer.
  if (faultInName(host, leaf) !== undefined) return { ...failed, code: "cert-wrong-host" };
  return { ...secured, isVerified: false, isNationalIssuer: isIssuedNationally(leaf) };
}

/**
 * Issuer names of the national authority. Source: the root published at https://www.gosuslugi.ru/crt, and chains seen at gw.api.vtb.ru
 * and alfabank.ru in 2026.
 */
const NATIONAL_ISSUERS = [
  /^O=The Ministry of Digital Development and Communications$/mu,
  /^CN=Russian Trusted (?:Root|Sub) CA\b/mu,
];

/** Public sites have no longer chains. */
const MAX_CHAIN_LENGTH = 8;

const INCOMPLETE: ReadonlySet<string> = new Set([
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Where the issuer of the last certificate is, if it is missing. Source: RFC 5280, section 4.2.2.1. */
function issuerOf(
  { authorizationError }: TLSSocket,
  leaf: X509Certificate | undefined,
): string | undefined {
  if (!INCOMPLETE.has(String(authorizationError))) return undefined;
  const last = chainOf(leaf).at(-1);
  return /^CA Issuers - URI:(http:\/\/[^\s"]+)$/mu.exec(last?.infoAccess ?? "")?.[1];
}

/** Whether a certificate of the chain that the server sent names the national authority as its issuer. */
function isIssuedNationally(leaf: X509Certificate | undefined): boolean {
  return chainOf(leaf).some(({ issuer }) =>
    NATIONAL_ISSUERS.some((pattern) => pattern.test(issuer)),
  );
}

/** The certificates that a server sent, from its own upwards. */
function chainOf(leaf: X509Certificate | undefined): readonly X509Certificate[] {
  const chain: X509Certificate[] = [];
  for (let one = leaf; one !== undefined && chain.length < MAX_CHAIN_LENGTH;) {
    chain.push(one);
    one = one.issuerCertificate;
  }
  return chain;
}

/** SHA-256 of the public key of a certificate, base64url. Undefined: it cannot be read. */
export function hashKey(leaf: X509Certificate | undefined): string | undefined {
  try {
    const key = leaf?.publicKey.export({ type: "spki", format: "der" });
    return key === undefined ? undefined : createHash("sha256").update(key).digest("base64url");
  } catch {
    // A key of a kind that OpenSSL does not know.
    return undefined;
  }
}
