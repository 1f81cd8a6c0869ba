import { createServer, type Server, STATUS_CODES } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { answerError, COMMON_HEADERS } from "./answer.ts";

/** Requests in hand when the server closes get this long to end. */
const GRACE_MS = 500;

/**
 * A request on a connection that is being closed is lost, and a front must not send a report twice. So a front has to close first:
 * Caddy does after 120 s, Varnish and nginx after 60 s. Source: their settings keepalive, backend_idle_timeout, keepalive_timeout.
 */
const FRONT_KEEP_ALIVE_MS = 150_000;

export interface ListenOptions {
  /** 0: any free port. */
  readonly port: number;
  /**
   * Name or address of the interface to listen on.
   * @default "127.0.0.1"
   */
  readonly host?: string;
  /**
   * Only a front connects, which keeps its connections: they stay open for longer than it keeps them.
   * @default false
   */
  readonly isBehindFront?: boolean;
}

export interface Listening {
  /** Where it listens, without a trailing slash: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Takes no new connection, lets requests in hand end for half a second, and cuts what is left. */
  close(): Promise<void>;
}

/** The address cannot be listened on. The message says what to mend. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** What `Hono.fetch` is: a request and what the Node adapter knows of its socket, to an answer. */
export type FetchHandler = (
  request: Request,
  bindings: HttpBindings,
) => Response | Promise<Response>;

/**
 * Serves the handler over HTTP/1.1 until closed. Requests that are no HTTP, and what the handler throws, are answered as well,
 * with the headers that every answer carries. Rejects with `ListenError` when the address is taken or cannot be used.
 */
export async function listen(handler: FetchHandler, options: ListenOptions): Promise<Listening> {
  const { port, host = "127.0.0.1", isBehindFront = false } = options;
  const server = createHttpServer(handler);
  if (isBehindFront) server.keepAliveTimeout = FRONT_KEEP_ALIVE_MS;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  return { url: urlOf(server.address()), close: () => closeSoon(server) };
}

function createHttpServer(handler: FetchHandler): Server {
  const listener = getRequestListener(
    // Served over node:http, so the bindings are those of HTTP/1; the adapter's type allows for HTTP/2 as well.
    (request, bindings) => handler(request, bindings as HttpBindings),
    {
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        error instanceof RequestError
          ? answerError(400, "bad request")
          : answerError(500, "internal error"),
    },
  );
  // Without `requireHostHeader: false` Node itself answers 400 to a request without Host, and without our headers.
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    void listener(request, response);
  });
  server.on("clientError", refuseMalformed);
  return server;
}

/** Bytes that are no HTTP never become a request, so this answer is written by hand. */
function refuseMalformed(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : 400;
  const headers = Object.entries({
    ...COMMON_HEADERS,
    "Cache-Control": "no-store",
    Connection: "close",
    "Content-Length": "0",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("")}\r\n`);
}

async function closeSoon(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  await closed;
  clearTimeout(cut);
}

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there. Stop it, or choose another port.",
  EACCES: "this user may not listen there. Choose a port from 1024.",
  EADDRNOTAVAIL: "this machine has no such address. Choose another host.",
  ENOTFOUND: "this host name has no address. Choose another host.",
};

function toListenError(
  error: Error & { readonly code?: string },
  host: string,
  port: number,
): Error {
  const remedy = REMEDIES[error.code ?? ""] ?? error.message;
  return new ListenError(`Cannot listen on ${host}, port ${port}: ${remedy}`, { cause: error });
}

function urlOf(address: AddressInfo | string | null): string {
  // A server that listens on a port has an address with a port.
  if (address === null || typeof address === "string") throw new TypeError("not a TCP server");
  return `http://${toUrlHost(address.address)}:${address.port}`;
}

/** "Every address" is nothing that one can connect to everywhere, so the URL names the loopback. */
function toUrlHost(address: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return address.includes(":") ? `[${address}]` : address;
}
