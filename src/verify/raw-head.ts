import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Answer, type Ask, CLIENT_HEADERS } from "./exchange.ts";

/** More than any head; a body that should not be there need not be read to its end. */
const LIMIT_BYTES = 128 * 1024;

/**
 * Sends a HEAD on a connection of its own and reads until the server closes. HTTP clients cut off or trip over a body that a
 * HEAD must not have; here it is seen. Rejects with what the socket, TLS or the signal says, or with `no-http`.
 */
export async function sendHead(
  origin: URL,
  path: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<Answer> {
  const lines = Object.entries({
    Host: origin.host,
    Connection: "close",
    ...CLIENT_HEADERS,
    ...ask.headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = await exchangeBytes(
    origin,
    `${ask.method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`,
    signal,
  );
  return parseAnswer(bytes, ask);
}

function openSocket(origin: URL): Socket {
  const host = origin.hostname.replace(/^\[|\]$/gu, "");
  if (origin.protocol === "http:") return connectTcp({ host, port: Number(origin.port || 80) });
  return connectTls({
    host,
    port: Number(origin.port || 443),
    // An address is no name for SNI; the certificate is checked against the host all the same.
    ...(/^[\d.]+$|:/u.test(host) ? {} : { servername: host }),
    ALPNProtocols: ["http/1.1"],
  });
}

async function exchangeBytes(origin: URL, request: string, signal: AbortSignal): Promise<Buffer> {
  const socket = openSocket(origin);
  const stop = (): void => {
    socket.destroy(signal.reason instanceof Error ? signal.reason : new Error("aborted"));
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    socket.write(request, "latin1");
    for await (const chunk of socket) {
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
      chunks.push(bytes);
      sizeBytes += bytes.length;
      if (sizeBytes > LIMIT_BYTES) break;
    }
    return Buffer.concat(chunks);
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}

function parseAnswer(bytes: Buffer, ask: Ask): Answer {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes
    .subarray(0, Math.max(end, 0))
    .toString("latin1")
    .split("\r\n");
  const status = /^HTTP\/1\.[01] (?<status>\d{3})(?: |$)/u.exec(statusLine)?.groups?.["status"];
  if (status === undefined) {
    throw Object.assign(new Error("no HTTP"), {
      code: bytes.length === 0 ? "UND_ERR_SOCKET" : "no-http",
    });
  }
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  return { kind: "answer", ask, status: Number(status), headers, body: bytes.subarray(end + 4) };
}
