import { readFile } from "node:fs/promises";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type HttpBindings, RequestError, getRequestListener } from "@hono/node-server";
import type { AnswerFault, ConnectionObserver, NetworkOf } from "../model/connections.ts";
import { type PoolLimits, backlogOf } from "./connection-pool.ts";
import { ConnectionGuard } from "./guard.ts";

/** Time for open requests to end when the server closes. */
const GRACE_MS = 500;

/** Source: docs/reports/intake.md, Connections. Responses take at most 20 s, if a store is slow. */
const TIMES = {
  /** From the first byte of a head, or the start of the connection, to the end of the head; then the response is 408. */
  headMs: 10_000,
  /** For the rest of the request. An application may have a shorter limit. */
  bodyMs: 10_000,
  /** Interval between checks for late clients. */
  checkMs: 1_000,
  /** Longest silence in both directions, also while a response is being prepared or is not read. */
  silenceMs: 60_000,
  keepAliveMs: 5_000,
  /** For a client to read the error response and to close. */
  lingerMs: 1_000,
};

type Times = Readonly<typeof TIMES>;

/**
 * A request is lost if its connection is being closed, and a front must not send a report twice. So the front must close first: Caddy does
 * after 120 s, Varnish and nginx after 60 s. Source: their settings keepalive, backend_idle_timeout, keepalive_timeout.
 */
const BEHIND_FRONT = { keepAliveMs: 150_000 } as const satisfies Partial<Times>;

export interface ListenOptions {
  readonly port: number;
  /** Name or address of the interface to listen on; 127.0.0.1 if it is left out. */
  readonly host?: string;
  /** Whether only a front connects. Idle connections then stay open for longer than the front keeps them. */
  readonly isBehindFront?: boolean;
  readonly networkOf?: NetworkOf;
  /** @default As many connections as the descriptors of this process allow; an eighth of them for each network. */
  readonly limits?: Partial<PoolLimits>;
  /** @default 10 s for a head, 10 s for a body */
  readonly times?: Partial<Times>;
  readonly answerFault: AnswerFault;
  readonly observer?: Partial<ConnectionObserver>;
}

export type Listening = Awaited<ReturnType<typeof listen>>;

/** The server cannot listen on the address. The message says what to fix. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

/** The type of `Hono.fetch`: the request and the Node adapter's socket data in, a response out. */
export type FetchHandler = (
  request: Request,
  bindings: HttpBindings,
) => Response | Promise<Response>;

/**
 * Serves the handler over HTTP/1.1 until closed. `answerFault` answers invalid requests and errors thrown by the handler. Slow clients, and
 * too many of them, are cut off: docs/reports/intake.md, Connections. Rejects with `ListenError` if the address cannot be used.
 */
export async function listen(handler: FetchHandler, options: ListenOptions) {
  const { port, host = "127.0.0.1", answerFault, observer = {} } = options;
  const times = { ...TIMES, ...(options.isBehindFront && BEHIND_FRONT), ...options.times };
  const limits = await limitsOf(options);
  const server = createHttpServer(handler, times, (error) => {
    const fault = error instanceof RequestError ? "malformed" : "internal";
    observer.onFault?.(fault);
    return answerFault(fault);
  });
  const guard = new ConnectionGuard(server, {
    limits,
    networkOf: options.networkOf ?? (() => ""),
    answerFault,
    observer,
    nextHeadMs: times.keepAliveMs + times.headMs,
    lingerMs: times.lingerMs,
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const remedy = REMEDIES[error.code ?? ""] ?? error.message;
      reject(
        new ListenError(`Cannot listen on ${host}, port ${port}: ${remedy}`, { cause: error }),
      );
    });
    server.listen({ port, host, backlog: backlogOf(limits) }, resolve);
  });
  // A server that listens on a port always has an address with a port.
  const { address, port: bound } = server.address() as AddressInfo;
  return {
    /** URL of the server, without a trailing slash: `http://127.0.0.1:8080`. */
    url: `http://${toUrlHost(address)}:${bound}`,
    /** The bound address: `127.0.0.1`; `0.0.0.0` and `::` mean every address. */
    address,
    /** Accepts no new connections, gives open requests half a second to end, and destroys the remaining ones. */
    close: async (): Promise<void> => {
      const cut = setTimeout(() => guard.closeAll(), GRACE_MS);
      await new Promise((resolve) => void server.close(resolve));
      clearTimeout(cut);
    },
  };
}

async function limitsOf(options: ListenOptions): Promise<PoolLimits> {
  const inAll = options.limits?.inAll ?? connectionsWithin(await readDescriptorLimit());
  const perNetwork = options.networkOf === undefined ? inAll : connectionsOfNetwork(inAll);
  return { inAll, perNetwork, ...options.limits };
}

function createHttpServer(
  handler: FetchHandler,
  times: Times,
  errorHandler: (error: unknown) => Response,
): Server {
  const listener = getRequestListener(
    // The server is node:http, so the bindings are those of HTTP/1; the adapter's type also allows HTTP/2.
    (request, bindings) => handler(request, bindings as HttpBindings),
    { errorHandler },
  );
  const server = createServer(
    {
      // Node itself would answer a request without Host with a 400 that lacks our headers.
      requireHostHeader: false,
      headersTimeout: times.headMs,
      requestTimeout: times.headMs + times.bodyMs,
      connectionsCheckingInterval: times.checkMs,
      keepAliveTimeout: times.keepAliveMs,
    },
    (request, response) => {
      // HTTP/1.0 has no obligatory one, and the health checks of load balancers speak it.
      if (request.httpVersion === "1.0") request.headers.host ??= "localhost";
      void listener(request, response);
    },
  );
  server.timeout = times.silenceMs;
  return server;
}

const REMEDIES: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there. Stop it, or choose another port.",
  EACCES: "this user may not listen there. Choose a port from 1024.",
  EADDRNOTAVAIL: "this machine has no such address. Choose another host.",
  ENOTFOUND: "this host name has no address. Choose another host.",
};

/** The URL names the loopback address for "every address", because not every client can connect to `0.0.0.0` or `::`. */
function toUrlHost(address: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return address.includes(":") ? `[${address}]` : address;
}

/**
 * Descriptors that connections may not use: 32 for the process and its threads (26 were seen), 64 for the stores (one client with 16
 * requests at once, the publishing thread up to three), 16 for journal, catalogue and registry, 16 for the operations port.
 */
const RESERVED_DESCRIPTORS = 32 + 64 + 16 + 16;

/** An intake needs no more, and each takes some 10 kB of memory. */
const MAX_CONNECTIONS = 4_096;

/** The default of most systems, if they do not report their limit. */
const USUAL_DESCRIPTORS = 1_024;

/** The descriptors that this process may open, as the system reports; otherwise 1,024. Never rejects. */
export async function readDescriptorLimit(file = "/proc/self/limits"): Promise<number> {
  // Only Linux has this file. The first number is the soft limit, which Node has already raised to the hard limit.
  const text = await readFile(file, "utf8").catch(() => "");
  const [, limit] = /^Max open files\s+(\d+|unlimited)\s/mu.exec(text) ?? [];
  if (limit === undefined) return USUAL_DESCRIPTORS;
  return limit === "unlimited" ? Number.POSITIVE_INFINITY : Number(limit);
}

/** Connections that a server may keep open: the limit without the reserve, at least a quarter of it, at most 4,096. */
export function connectionsWithin(descriptors: number): number {
  const left = Math.max(descriptors - RESERVED_DESCRIPTORS, Math.floor(descriptors / 4));
  return Math.max(1, Math.min(left, MAX_CONNECTIONS));
}

/** An eighth of all, so that eight networks are needed to fill them; at most 64, enough for an office with its browsers. */
export function connectionsOfNetwork(inAll: number): number {
  return Math.min(64, Math.max(4, Math.floor(inAll / 8)));
}
