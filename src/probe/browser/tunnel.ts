import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** A request of the client to its tunnel is short; anything longer is refused. */
const MAX_REQUEST_BYTES = 4_096;

const NO_PROGRESS = {
  /** The client has sent its first bytes to the server. */
  hasBegun: false,
  /** The server has closed or reset the connection. */
  isServerClosed: false,
  /** Bytes from the server, below TLS. */
  rawBytes: 0,
  /** The client has seen the end of the server's handshake, and sends the end of its own or a request. */
  isSecured: false,
};

export type TunnelProgress = typeof NO_PROGRESS;

export type Tunnel = NonNullable<Awaited<ReturnType<typeof openTunnel>>>;

/**
 * Gives an open connection to a client that would otherwise open its own: to whatever host the client asks for, it gets this one. So the
 * client needs no DNS, cannot follow anything elsewhere, and what the connection does is seen from outside.
 *
 * @param maxRawBytes after so many bytes no more are read from the server, which bounds what a client with a large window buffers.
 * @param onProgress is called after each change of the progress.
 * @returns undefined if this machine has no port or socket left.
 */
export async function openTunnel(
  server: Socket,
  maxRawBytes: number,
  onProgress: (progress: TunnelProgress) => void,
) {
  const password = randomBytes(16).toString("hex");
  const progress = { ...NO_PROGRESS };
  const noteClosed = (): void => void (progress.isServerClosed = true);
  server.once("end", noteClosed).once("error", noteClosed);
  const clients = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client)).on("error", ignore);
    readRequest(client, password, () => {
      // A second connection, after a failure of the first one, would hide the failure.
      listener.close();
      join(client, server, progress, maxRawBytes, onProgress);
    });
  });
  /** Ends both connections. */
  const close = (): void => {
    listener.close();
    server.destroy();
    for (const client of clients) client.destroy();
  };
  // Without a connection there is nothing to wait for: the client gets an error.
  server.once("close", () => listener.close());
  try {
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
  } catch {
    close();
    return undefined;
  }
  const { port } = listener.address() as AddressInfo;
  /** A proxy for exactly one connection, with a password that only this process knows. */
  const proxyUrl = `http://probe:${password}@127.0.0.1:${port}`;
  return { proxyUrl, progress: progress as Readonly<TunnelProgress>, close };
}

/** Calls `accept` for a request with the password, and closes any other connection. */
function readRequest(client: Socket, password: string, accept: () => void): void {
  const credentials = Buffer.from(`probe:${password}`).toString("base64");
  let head = "";
  client.on("data", function onData(bytes: Buffer) {
    head += bytes.toString("latin1");
    const isTooLong = head.length > MAX_REQUEST_BYTES;
    if (!isTooLong && !head.endsWith("\r\n\r\n")) return;
    client.off("data", onData);
    const isAllowed = head.startsWith("CONNECT ") && head.includes(`Basic ${credentials}\r\n`);
    if (isAllowed && !isTooLong) accept();
    else client.destroy();
  });
}

function join(
  client: Socket,
  server: Socket,
  progress: TunnelProgress,
  maxRawBytes: number,
  onProgress: (progress: TunnelProgress) => void,
): void {
  if (server.destroyed) {
    client.destroy();
    return;
  }
  const follow = followClient(progress);
  client.on("data", (bytes: Buffer) => {
    progress.hasBegun = true;
    follow(bytes);
    onProgress(progress);
  });
  server.on("data", (bytes: Buffer) => {
    progress.rawBytes += bytes.length;
    if (progress.rawBytes >= maxRawBytes) server.unpipe(client).pause();
    onProgress(progress);
  });
  // A reset ends no pipe. The client takes an end without a farewell of TLS for an error.
  server.once("close", () => client.end());
  client.once("close", () => server.destroy());
  client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  client.pipe(server);
  server.pipe(client);
}

function ignore(): void {}

/** Types of TLS records. Source: RFC 8446, section 5.1. */
const APPLICATION_DATA = 23;

const HEADER_BYTES = 5;

/** An encrypted alert: two bytes, its type and the tag. All that a client of TLS 1.3 encrypts before its last handshake message. */
const ALERT_BYTES = 19;

/**
 * Follows the records of a client by their headers, which are not encrypted, and keeps nothing of their content. The returned function
 * takes the next bytes.
 */
export function followClient(progress: Pick<TunnelProgress, "isSecured">): (bytes: Buffer) => void {
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
      if (header[0] === APPLICATION_DATA && contentBytes > ALERT_BYTES) progress.isSecured = true;
    }
  };
}
