/**
 * The content of the first bytes of a TLS connection. `incomplete`: more bytes are needed;
 * `other`: this is not a ClientHello.
 */
export type PeekedHello =
  | { readonly kind: "hello"; readonly serverName: string | undefined }
  | { readonly kind: "incomplete" }
  | { readonly kind: "other" };

const RECORD_HANDSHAKE = 22;
const MESSAGE_CLIENT_HELLO = 1;
const EXTENSION_SERVER_NAME = 0;

/**
 * Reads the server name of a ClientHello in one TLS record, without consuming it. Never throws.
 * Source: RFC 8446, sections 4.1.2 and 5.1; RFC 6066, section 3.
 */
export function peekClientHello(bytes: Buffer): PeekedHello {
  if (bytes.length > 0 && bytes[0] !== RECORD_HANDSHAKE) return { kind: "other" };
  if (bytes.length < 5 || bytes.length < 5 + bytes.readUInt16BE(3)) return { kind: "incomplete" };
  if (bytes[5] !== MESSAGE_CLIENT_HELLO) return { kind: "other" };
  try {
    return { kind: "hello", serverName: readServerName(bytes) };
  } catch (error) {
    // Node's reads throw for a length that points outside the buffer.
    if (error instanceof RangeError) return { kind: "other" };
    throw error;
  }
}

function readServerName(bytes: Buffer): string | undefined {
  // Record header (5), message header (4), version (2), random (32).
  let at = 43;
  at += 1 + bytes.readUInt8(at); // session id
  at += 2 + bytes.readUInt16BE(at); // cipher suites
  at += 1 + bytes.readUInt8(at); // compression methods
  if (at >= bytes.length) return undefined;
  const end = at + 2 + bytes.readUInt16BE(at);
  at += 2;
  while (at + 4 <= end) {
    const type = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    at += 4;
    if (type === EXTENSION_SERVER_NAME) {
      // List length (2), name type (1), name length (2).
      const nameLength = bytes.readUInt16BE(at + 3);
      return bytes.toString("latin1", at + 5, at + 5 + nameLength).toLowerCase();
    }
    at += length;
  }
  return undefined;
}
