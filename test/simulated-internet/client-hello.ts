/**
 * The content of the first bytes of a TLS connection. `incomplete`: more bytes are needed;
 * `other`: this is not a ClientHello.
 */
export type PeekedHello =
  | {
      readonly kind: "hello";
      readonly serverName: string | undefined;
      readonly hello: ClientHello;
    }
  | { readonly kind: "incomplete" }
  | { readonly kind: "other" };

/** What a box on the path can read of a client. Numbers are those of IANA, in the order of the client, GREASE included. */
export interface ClientHello {
  readonly cipherSuites: readonly number[];
  readonly extensions: readonly number[];
  /** The content of `supported_versions`; empty for a client without TLS 1.3. */
  readonly versions: readonly number[];
  readonly groups: readonly number[];
  readonly keyShares: readonly number[];
  readonly signatureAlgorithms: readonly number[];
  readonly alpn: readonly string[];
  /** Protocols whose settings are sent in the handshake, as Chromium does. */
  readonly alps: readonly string[];
  readonly certificateCompressions: readonly number[];
}

const RECORD_HANDSHAKE = 22;
const MESSAGE_CLIENT_HELLO = 1;

/** Record header (5), message header (4), version (2), random (32). */
const BEFORE_SESSION_ID = 43;

const EXTENSION = {
  serverName: 0,
  groups: 10,
  signatureAlgorithms: 13,
  alpn: 16,
  certificateCompressions: 27,
  versions: 43,
  keyShares: 51,
  // Not registered. Source: BoringSSL, TLSEXT_TYPE_application_settings.
  alps: 17_613,
} as const;

/**
 * Reads a ClientHello in one TLS record, without consuming it. Never throws.
 * Source: RFC 8446, sections 4.1.2, 4.2 and 5.1; RFC 6066, section 3; RFC 7301; RFC 8879.
 */
export function peekClientHello(bytes: Buffer): PeekedHello {
  if (bytes.length > 0 && bytes[0] !== RECORD_HANDSHAKE) return { kind: "other" };
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return { kind: "incomplete" };
  if (bytes[5] !== MESSAGE_CLIENT_HELLO) return { kind: "other" };
  try {
    return { kind: "hello", ...readHello(bytes) };
  } catch (error) {
    // Node's reads throw for a length that points outside the buffer.
    if (error instanceof RangeError) return { kind: "other" };
    throw error;
  }
}

/** Whether a number is one of those that mean nothing, which a client adds so that servers keep ignoring what they do not know. Source: RFC 8701. */
export function isGrease(value: number): boolean {
  return (value & 0x0f_0f) === 0x0a_0a && value >> 8 === (value & 0xff);
}

function readHello(bytes: Buffer): { serverName: string | undefined; hello: ClientHello } {
  let at = BEFORE_SESSION_ID;
  at += 1 + bytes.readUInt8(at);
  const cipherBytes = bytes.readUInt16BE(at);
  const cipherSuites = numbersIn(bytes.subarray(at + 2, at + 2 + cipherBytes));
  at += 2 + cipherBytes;
  at += 1 + bytes.readUInt8(at); // compression methods
  const contents = at >= bytes.length ? new Map<number, Buffer>() : readExtensions(bytes, at);
  const content = (type: number): Buffer => contents.get(type) ?? Buffer.alloc(0);
  const name = contents.get(EXTENSION.serverName);
  const hello: ClientHello = {
    cipherSuites,
    extensions: [...contents.keys()],
    versions: numbersIn(content(EXTENSION.versions).subarray(1)),
    groups: numbersIn(content(EXTENSION.groups).subarray(2)),
    keyShares: keySharesIn(content(EXTENSION.keyShares)),
    signatureAlgorithms: numbersIn(content(EXTENSION.signatureAlgorithms).subarray(2)),
    alpn: textsIn(content(EXTENSION.alpn).subarray(2)),
    alps: textsIn(content(EXTENSION.alps).subarray(2)),
    certificateCompressions: numbersIn(content(EXTENSION.certificateCompressions).subarray(1)),
  };
  return { serverName: name === undefined ? undefined : nameIn(name), hello };
}

function readExtensions(bytes: Buffer, start: number): Map<number, Buffer> {
  const contents = new Map<number, Buffer>();
  const end = start + 2 + bytes.readUInt16BE(start);
  let at = start + 2;
  while (at + 4 <= end) {
    const next = at + 4 + bytes.readUInt16BE(at + 2);
    contents.set(bytes.readUInt16BE(at), bytes.subarray(at + 4, next));
    at = next;
  }
  return contents;
}

/** List length (2), name type (1), name length (2). */
function nameIn(content: Buffer): string {
  return content.toString("latin1", 5, 5 + content.readUInt16BE(3)).toLowerCase();
}

function numbersIn(list: Buffer): number[] {
  return Array.from({ length: list.length >> 1 }, (_, index) => list.readUInt16BE(2 * index));
}

/** Each is a text with a length of one byte. */
function textsIn(list: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < list.length; at += 1 + list.readUInt8(at))
    texts.push(list.toString("latin1", at + 1, at + 1 + list.readUInt8(at)));
  return texts;
}

/** The groups of a list of keys, each a group (2), a length (2) and that many bytes. */
function keySharesIn(content: Buffer): number[] {
  const groups: number[] = [];
  for (let at = 2; at + 4 <= content.length; at += 4 + content.readUInt16BE(at + 2))
    groups.push(content.readUInt16BE(at));
  return groups;
}
