import { createHash } from "node:crypto";
import { type ClientHello, isGrease } from "./client-hello.ts";

/** What stays the same in each connection of one browser: GREASE is a word, extensions are sorted, and padding is left out. */
export interface HelloShape extends Omit<
  { readonly [Key in keyof ClientHello]: readonly (number | string)[] },
  "alpn" | "alps"
> {
  readonly alpn: readonly string[];
  readonly alps: readonly string[];
}

const EXTENSION_SERVER_NAME = 0;
const EXTENSION_ALPN = 16;
/** Its presence depends on the length of the name. Source: RFC 7685. */
const EXTENSION_PADDING = 21;

/** The shape of a ClientHello, for comparing clients. */
export function shapeOf(hello: ClientHello): HelloShape {
  const extensions = hello.extensions
    .filter((type) => type !== EXTENSION_PADDING)
    .toSorted((a, b) => Number(isGrease(b)) - Number(isGrease(a)) || a - b);
  return {
    versions: hello.versions.map(named),
    cipherSuites: hello.cipherSuites.map(named),
    extensions: extensions.map(named),
    groups: hello.groups.map(named),
    keyShares: hello.keyShares.map(named),
    signatureAlgorithms: hello.signatureAlgorithms.map(named),
    certificateCompressions: hello.certificateCompressions.map(named),
    alpn: hello.alpn,
    alps: hello.alps,
  };
}

function named(value: number): number | string {
  return isGrease(value) ? "GREASE" : value;
}

/** The fingerprint by which much software names clients. Source: https://github.com/FoxIO-LLC/ja4, technical_details/JA4.md. */
export function ja4Of(hello: ClientHello): string {
  const ciphers = hello.cipherSuites.filter((value) => !isGrease(value));
  const extensions = hello.extensions.filter((value) => !isGrease(value));
  const version = hello.versions.includes(0x03_04) ? "13" : "12";
  const name = extensions.includes(EXTENSION_SERVER_NAME) ? "d" : "i";
  const [protocol = "00"] = hello.alpn;
  const counts = [ciphers, extensions].map(({ length }) => String(length).padStart(2, "0"));
  const rest = extensions.filter(
    (type) => type !== EXTENSION_SERVER_NAME && type !== EXTENSION_ALPN,
  );
  const signatures = hello.signatureAlgorithms.filter((value) => !isGrease(value)).map(hex);
  const head = `t${version}${name}${counts.join("")}${protocol.at(0)}${protocol.at(-1)}`;
  return [
    head,
    shortHash(ciphers.map(hex).toSorted().join(",")),
    shortHash(`${rest.map(hex).toSorted().join(",")}_${signatures.join(",")}`),
  ].join("_");
}

function hex(value: number): string {
  return value.toString(16).padStart(4, "0");
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
