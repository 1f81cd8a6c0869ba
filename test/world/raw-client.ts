import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, TLSSocket } from "node:tls";

/** A question to the world, put with nothing but Node's own sockets. */
export interface RawQuestion {
  readonly port: number;
  readonly host: string;
  /** Roots to trust. Absent: plain HTTP. */
  readonly ca?: readonly string[];
  readonly path?: string;
  /** Without a byte for so long: `silent`. */
  readonly idleMs?: number;
  /** Hang up after so many bytes of answer, or so much time: `enough`. */
  readonly maxBytes?: number;
  readonly maxMs?: number;
}

export interface RawAnswer {
  /** `closed`, `silent` and `enough`, or the code of the error that ended it. */
  readonly ended: string;
  readonly message: string;
  readonly isConnected: boolean;
  /** Whether the handshake was finished and the certificate found good; false for plain HTTP. */
  readonly isSecure: boolean;
  /** Bytes that arrived on the socket, below TLS. */
  readonly rawBytes: number;
  readonly text: string;
  readonly tookMs: number;
  /** When the first byte of the answer came, counted from the start. */
  readonly firstByteMs: number;
}

/** Asks, and tells how it ended. Never throws. */
export function askRaw(question: RawQuestion): Promise<RawAnswer> {
  const { host, ca, path = "/", maxBytes = 10_000_000 } = question;
  const startedAtMs = performance.now();
  const raw = connectTcp(question.port, "127.0.0.1");
  const stream = ca === undefined ? raw : wrap(raw, host, ca);
  const parts: string[] = [];
  let textBytes = 0;
  let firstByteMs = Number.NaN;
  let isConnected = false;
  raw.once("connect", () => (isConnected = true));
  stream.once(ca === undefined ? "connect" : "secureConnect", () => {
    stream.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: identity\r\n\r\n`);
  });
  return new Promise((resolve) => {
    const stopClocks = startClocks(raw, question, end);
    function end(ended: string, message = ""): void {
      stopClocks();
      const isSecure = stream instanceof TLSSocket && stream.authorized;
      const tookMs = performance.now() - startedAtMs;
      const rawBytes = raw.bytesRead;
      const text = parts.join("");
      raw.destroy();
      resolve({ ended, message, isConnected, isSecure, rawBytes, text, tookMs, firstByteMs });
    }
    for (const socket of new Set([raw, stream])) {
      socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? "", error.message));
    }
    stream.on("data", (bytes: Buffer) => {
      if (textBytes === 0) firstByteMs = performance.now() - startedAtMs;
      parts.push(bytes.toString("latin1"));
      textBytes += bytes.length;
      if (textBytes >= maxBytes) end("enough");
    });
    stream.on("end", () => end("closed"));
  });
}

function wrap(raw: Socket, host: string, ca: readonly string[]): TLSSocket {
  const servername = isIP(host) === 0 ? host : "";
  return connectTls({ socket: raw, host, servername, ca: [...ca], ALPNProtocols: ["http/1.1"] });
}

function startClocks(raw: Socket, question: RawQuestion, end: (ended: string) => void): () => void {
  let seenBytes = 0;
  const idle = setInterval(() => {
    // Counted below TLS: half a record is a sign of life as well.
    if (raw.bytesRead === seenBytes) end("silent");
    seenBytes = raw.bytesRead;
  }, question.idleMs ?? 250);
  const limit = setTimeout(() => end("enough"), question.maxMs ?? 20_000);
  return () => {
    clearInterval(idle);
    clearTimeout(limit);
  };
}
