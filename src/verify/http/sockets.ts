import { Pool } from "undici";
import {
  type Ask,
  CLIENT_HEADERS,
  MAX_AT_ONCE,
  type ReceivedAnswer,
  type Transport,
} from "./http-exchange.ts";
import { sendHead } from "./raw-head-request.ts";

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
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    chunks.push(bytes);
    sizeBytes += bytes.length;
    if (sizeBytes > MAX_BODY_BYTES) {
      throw Object.assign(new Error("too large"), { code: "body-too-large" });
    }
  }
  const lines = Object.entries(headers).flatMap(([name, value]): [string, readonly string[]][] =>
    value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value : [value]]],
  );
  return {
    kind: "answer",
    ask,
    status: statusCode,
    headers: new Map(lines),
    body: Buffer.concat(chunks),
  };
}
