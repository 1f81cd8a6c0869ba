import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type ReceivedAnswer, type Ask, CLIENT_HEADERS } from "./http-exchange.ts";

/** More than the headers of any response. A longer body, which is an error anyway, is cut off. */
const LIMIT_BYTES = 128 * 1024;

/**
 * Sends a HEAD on its own connection and reads until the server closes it, to detect a body, which HTTP clients cut off or fail on.
 * Rejects with the error of the socket or TLS, the reason of the signal, or an error with the code `no-http`.
 */
export async function sendHead(
  origin: URL,
  path: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
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
    // SNI allows only names (RFC 6066, section 3); the certificate is verified against `host` in both cases.
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

function parseAnswer(bytes: Buffer, ask: Ask): ReceivedAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  const [statusLine = "", ...lines] = bytes
    .subarray(0, Math.max(end, 0))
    .toString("latin1")
    .split("\r\n");
  const status = /^HTTP\/1\.[01] (?<status>\d{3})(?: |$)/u.exec(statusLine)?.groups?.["status"];
  if (status === undefined) {
    throw Object.assign(new Error("not HTTP"), {
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
