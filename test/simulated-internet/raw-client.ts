import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, TLSSocket } from "node:tls";

/** A request to the simulated internet with plain Node sockets. */
export interface RawQuestion {
  readonly port: number;
  readonly host: string;
  /** Roots to trust. Absent: plain HTTP. */
  readonly ca?: readonly string[];
  readonly path?: string;
  /** Ends as `silent` after this time without a byte, not counting time in which this process could not run. Default: no limit. */
  readonly idleMs?: number;
  /** Ends as `enough` after this number of bytes, or after `maxMs`. */
  readonly maxBytes?: number;
  readonly maxMs?: number;
}

export interface RawAnswer {
  /** `closed`, `silent` or `enough`, or the code of the error. */
  readonly ended: string;
  readonly message: string;
  readonly isConnected: boolean;
  /** Whether the handshake completed and the certificate was verified; false for plain HTTP. */
  readonly isSecure: boolean;
  /** Bytes received on the socket, below TLS. */
  readonly rawBytes: number;
  readonly text: string;
  readonly tookMs: number;
}

/** Checks per idle limit: one long event loop turn counts for one check only. */
const IDLE_CHECKS = 5;

/** Never rejects. */
export function askRaw(question: RawQuestion): Promise<RawAnswer> {
  const { host, ca, path = "/", maxBytes = 10_000_000 } = question;
  const startedAtMs = performance.now();
  const raw = connectTcp(question.port, "127.0.0.1");
  const stream = ca === undefined ? raw : wrap(raw, host, ca);
  const parts: string[] = [];
  let textBytes = 0;
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
      resolve({ ended, message, isConnected, isSecure, rawBytes, text, tookMs });
    }
    for (const socket of new Set([raw, stream])) {
      socket.on("error", (error: NodeJS.ErrnoException) => end(error.code ?? "", error.message));
    }
    stream.on("data", (bytes: Buffer) => {
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
  const { idleMs, maxMs } = question;
  let seenBytes = 0;
  let idleChecks = 0;
  const checkIdle = (): void => {
    // Below TLS, because a partial TLS record is activity as well.
    idleChecks = raw.bytesRead === seenBytes ? idleChecks + 1 : 0;
    seenBytes = raw.bytesRead;
    if (idleChecks >= IDLE_CHECKS) end("silent");
  };
  const idle = idleMs === undefined ? undefined : setInterval(checkIdle, idleMs / IDLE_CHECKS);
  const limit = maxMs === undefined ? undefined : setTimeout(() => end("enough"), maxMs);
  return () => {
    clearInterval(idle);
    clearTimeout(limit);
  };
}
