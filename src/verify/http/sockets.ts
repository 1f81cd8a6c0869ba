import { connect as connectTcp, type Socket } from "node:net";
import { addAbortSignal } from "node:stream";
import { connect as connectTls } from "node:tls";
import { Pool } from "undici";
import { withoutBrackets } from "../../model/host-name.ts";
import { readStart } from "../../model/read-start.ts";
import {
  type Ask,
  CLIENT_HEADERS,
  MAX_AT_ONCE,
  type ReceivedAnswer,
  type Transport,
} from "./client.ts";

/** The list of 85 services is below 16 KiB; this bounds the memory if the address is not of a deployment. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Reaches the deployment over the network. `timeoutMs` bounds each attempt to connect. */
export function connectSockets(baseUrl: URL, timeoutMs: number): Transport {
  const pool = new Pool(baseUrl.origin, {
    connections: MAX_AT_ONCE,
    pipelining: 1,
    connect: { timeout: timeoutMs },
  });
  const prefix = baseUrl.pathname.replace(/\/+$/u, "");
  return {
    exchange: (ask, signal) =>
      ask.method === "HEAD"
        ? sendHead(baseUrl, prefix + ask.target, ask, signal)
        : sendPooled(pool, prefix + ask.target, ask, signal),
    close: () => pool.destroy(),
  };
}

async function sendPooled(
  pool: Pool,
  path: string,
  ask: Ask,
  signal: AbortSignal,
): Promise<ReceivedAnswer> {
  const { statusCode, headers, body } = await pool.request({
    method: ask.method,
    path,
    headers: { ...CLIENT_HEADERS, ...ask.headers },
    signal,
  });
  const bytes = await readStart(body, MAX_BODY_BYTES);
  if (bytes.length > MAX_BODY_BYTES)
    throw Object.assign(new Error("too large"), { code: "body-too-large" });
  const lines = Object.entries(headers).flatMap(([name, value]): [string, readonly string[]][] =>
    value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value : [value]]],
  );
  return { kind: "answer", ask, status: statusCode, headers: new Map(lines), body: bytes };
}

/** More than the headers of any response. A longer body, which is an error anyway, is cut off. */
const MAX_HEAD_BYTES = 128 * 1024;

/**
 * Sends a HEAD on its own connection and reads until the server closes it, to detect a body, which HTTP clients cut off or fail on.
 * Rejects with the error of the socket, of TLS or of the signal, or an error with the code `no-http`.
 */
async function sendHead(
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
  const host = withoutBrackets(origin.hostname);
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
  const socket = addAbortSignal(signal, openSocket(origin));
  try {
    socket.write(request, "latin1");
    return await readStart(socket, MAX_HEAD_BYTES);
  } finally {
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
