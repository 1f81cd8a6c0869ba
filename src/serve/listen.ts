import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type {
  AnswerFault,
  ConnectionObserver,
  NetworkOf,
  RequestFault,
} from "../model/connections.ts";
import { answerFault as answerFrontFault } from "./answer.ts";
import { connectionsOfNetwork, connectionsWithin, readDescriptorLimit } from "./descriptors.ts";
import { ConnectionGuard } from "./guard.ts";
import { backlogOf, type PoolLimits } from "./pool.ts";

/** Requests in hand when the server closes get this long to end. */
const GRACE_MS = 500;

/** How long a server waits for its clients, in milliseconds. */
export interface Times {
  /** From the first byte of a head, or the beginning of the connection, to the end of the head; then it is a 408. */
  readonly headMs: number;
  /** The rest of the request. An application may have less patience. */
  readonly bodyMs: number;
  /** How often somebody looks whether a client is late. */
  readonly checkMs: number;
  /** Without a byte in either direction, also while an answer is prepared or not taken. */
  readonly silenceMs: number;
  /** Between two requests. */
  readonly keepAliveMs: number;
  /** For a client to read that its request is refused, and to close. */
  readonly lingerMs: number;
}

/** Source: docs/intake.md, Connections. Answers take 20 s at the most, when a store is slow. */
const TIMES: Times = {
  headMs: 10_000,
  bodyMs: 10_000,
  checkMs: 1_000,
  silenceMs: 60_000,
  keepAliveMs: 5_000,
  lingerMs: 1_000,
};

/**
 * A request on a connection that is being closed is lost, and a front must not send a report twice. So a front has to close first:
 * Caddy does after 120 s, Varnish and nginx after 60 s. Source: their settings keepalive, backend_idle_timeout, keepalive_timeout.
 */
const BEHIND_FRONT = { keepAliveMs: 150_000 } as const satisfies Partial<Times>;

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
  /** @default Everybody is one network, without a limit of its own. */
  readonly networkOf?: NetworkOf;
  /** @default What the descriptors of this process allow; an eighth of it for each network. */
  readonly limits?: Partial<PoolLimits>;
  /** @default 10 s for a head, 10 s for a body */
  readonly times?: Partial<Times>;
  /** @default That of the public documents. */
  readonly answerFault?: AnswerFault;
  readonly observer?: Partial<ConnectionObserver>;
}

export interface Listening {
  /** Where it listens, without a trailing slash: `http://127.0.0.1:8080`. */
  readonly url: string;
  /** The address that it is bound to: `127.0.0.1`; `0.0.0.0` and `::` stand for every address. */
  readonly address: string;
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
 * Serves the handler over HTTP/1.1 until closed. Requests that are no HTTP, and what the handler throws, are answered by
 * `answerFault`. Slow clients, and too many, are cut off: docs/intake.md, Connections. Rejects with `ListenError` when the address is taken or cannot be used.
 */
export async function listen(handler: FetchHandler, options: ListenOptions): Promise<Listening> {
  const { port, host = "127.0.0.1", answerFault = answerFrontFault, observer = {} } = options;
  const times = { ...TIMES, ...(options.isBehindFront && BEHIND_FRONT), ...options.times };
  const limits = await limitsOf(options);
  const onAdapterFault = (fault: RequestFault): Response => {
    observer.onFault?.(fault);
    return answerFault(fault);
  };
  const server = createHttpServer(handler, onAdapterFault, times);
  const guard = new ConnectionGuard(server, {
    limits,
    networkOf: options.networkOf ?? (() => ""),
    answerFault,
    observer,
    nextHeadMs: times.keepAliveMs + times.headMs,
    lingerMs: times.lingerMs,
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(toListenError(error, host, port)));
    server.listen({ port, host, backlog: backlogOf(limits) }, resolve);
  });
  const bound = addressOf(server);
  return { url: urlOf(bound), address: bound.address, close: () => closeSoon(server, guard) };
}

async function limitsOf(options: ListenOptions): Promise<PoolLimits> {
  const inAll = options.limits?.inAll ?? connectionsWithin(await readDescriptorLimit());
  const perNetwork = options.networkOf === undefined ? inAll : connectionsOfNetwork(inAll);
  return { inAll, perNetwork, ...options.limits };
}

function createHttpServer(
  handler: FetchHandler,
  onAdapterFault: (fault: RequestFault) => Response,
  times: Times,
): Server {
  const listener = getRequestListener(
    // Served over node:http, so the bindings are those of HTTP/1; the adapter's type allows for HTTP/2 as well.
    (request, bindings) => handler(request, bindings as HttpBindings),
    {
      overrideGlobalObjects: false,
      errorHandler: (error) =>
        onAdapterFault(error instanceof RequestError ? "malformed" : "internal"),
    },
  );
  const server = createServer(
    {
      // Node itself would answer 400 to a request without Host, and without our headers.
      requireHostHeader: false,
      headersTimeout: times.headMs,
      requestTimeout: times.headMs + times.bodyMs,
      connectionsCheckingInterval: times.checkMs,
      keepAliveTimeout: times.keepAliveMs,
    },
    (request, response) => void listener(request, response),
  );
  server.timeout = times.silenceMs;
  return server;
}

async function closeSoon(server: Server, guard: ConnectionGuard): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  const cut = setTimeout(() => guard.closeAll(), GRACE_MS);
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

function addressOf(server: Server): AddressInfo {
  const bound = server.address();
  // A server that listens on a port has an address with a port.
  if (bound === null || typeof bound === "string") throw new TypeError("not a TCP server");
  return bound;
}

function urlOf({ address, port }: AddressInfo): string {
  return `http://${toUrlHost(address)}:${port}`;
}

/** "Every address" is nothing that one can connect to everywhere, so the URL names the loopback. */
function toUrlHost(address: string): string {
  if (address === "0.0.0.0") return "127.0.0.1";
  if (address === "::") return "[::1]";
  return address.includes(":") ? `[${address}]` : address;
}
