/** Types of TLS records. Source: RFC 8446, section 5.1. */
const APPLICATION_DATA = 23;

const HEADER_BYTES = 5;

/** An encrypted alert: two bytes, its type and the tag. All that a client of TLS 1.3 encrypts before its last handshake message. */
const ALERT_BYTES = 19;

/**
 * A record with the 24 bytes that begin HTTP/2 and nothing else: ChaCha20 and GCM of TLS 1.2, any cipher of TLS 1.3. The client writes
 * them by themselves, and neither a request of HTTP/1.1 nor a message of the handshake is that short or that long. Source: RFC 9113,
 * section 3.4; RFC 5288; RFC 7905.
 */
const PREFACE_BYTES: ReadonlySet<number> = new Set([40, 48, 41]);

/** What the records of a client tell, although they are encrypted. */
export interface ClientProgress {
  /** It has seen the end of the server's handshake, and sends the end of its own or a request. */
  isSecured: boolean;
  /** It speaks HTTP/2: nothing else outside of the encryption says which protocol was chosen. */
  isHttp2: boolean;
}

/** Follows the records of a client by their headers, and keeps none of their content. The returned function takes the next bytes. */
export function followClient(progress: ClientProgress): (bytes: Buffer) => void {
  const header = Buffer.alloc(HEADER_BYTES);
  let headerBytes = 0;
  let contentBytes = 0;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      const skipped = Math.min(contentBytes, bytes.length - at);
      contentBytes -= skipped;
      at += skipped;
      const copied = bytes.copy(header, headerBytes, at, at + HEADER_BYTES - headerBytes);
      headerBytes += copied;
      at += copied;
      if (headerBytes < HEADER_BYTES) return;
      headerBytes = 0;
      contentBytes = header.readUInt16BE(3);
      if (header[0] !== APPLICATION_DATA) continue;
      if (contentBytes > ALERT_BYTES) progress.isSecured = true;
      if (PREFACE_BYTES.has(contentBytes)) progress.isHttp2 = true;
    }
  };
}
