import {
  type IncomingMessage,
  METHODS,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type {
  AnswerFault,
  ConnectionObserver,
  NetworkOf,
  RequestFault,
} from "../model/connections.ts";
import { ConnectionPool, type PoolLimits } from "./connection-pool.ts";

export interface GuardRules {
  readonly limits: PoolLimits;
  readonly networkOf: NetworkOf;
  readonly answerFault: AnswerFault;
  readonly observer: Partial<ConnectionObserver>;
  /** Time for the complete head of the next request after a response, milliseconds. */
  readonly nextHeadMs: number;
  /** Time for a client to close after the response to its fault, milliseconds. */
  readonly lingerMs: number;
}

interface Connection {
  readonly socket: Socket;
  inHand: number;
  last?: { readonly request: IncomingMessage; readonly response: ServerResponse };
  /** Found but not yet answered. In the body: of the last request, which the application already handles. */
  fault?: FoundFault & { readonly isInBody: boolean };
  isEnding: boolean;
  idleTimer?: NodeJS.Timeout;
}

/** Limits the connections of a server, and answers invalid requests. Create it before the server listens. */
export class ConnectionGuard {
  readonly #rules: GuardRules;
  readonly #pool: ConnectionPool<Socket>;
  readonly #connections = new Map<Duplex, Connection>();

  constructor(server: Server, rules: GuardRules) {
    this.#rules = rules;
    this.#pool = new ConnectionPool(rules.limits);
    this.#tellOpen();
    server.on("connection", (socket) => this.#open(socket));
    server.on("request", (request, response) => this.#beginRequest(request, response));
    // A server may ignore an unknown expectation (RFC 9110, section 10.1.1). Node would answer 417 without our headers.
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    // CONNECT is the only kind of request that Node does not pass to the request handler.
    server.on("connect", ({ url: target }, socket) =>
      this.#meetFault(socket, { fault: "unknown-method", target }),
    );
    server.on("clientError", (error: Error & ParserError, socket) => {
      // While a connection ends, further bytes are not a request, but Node emits this event for each packet.
      if (this.#connections.get(socket)?.isEnding === true) return;
      if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
      else this.#meetFault(socket, findFault(error));
    });
  }

  closeAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #open(socket: Socket): void {
    const { networkOf, observer } = this.#rules;
    const admission = this.#pool.admit(socket, networkOf(socket.remoteAddress ?? ""));
    if (admission.kind !== "admitted") observer.onCut?.(admission.reason);
    if (admission.kind === "refused") {
      socket.destroy();
      return;
    }
    if (admission.kind === "replacing") admission.dropped.destroy();
    const connection: Connection = { socket, inHand: 0, isEnding: false };
    this.#connections.set(socket, connection);
    this.#tellOpen();
    socket.once("close", () => this.#forget(connection));
    // A request may have arrived with the connection. It must be read before the connection counts as waiting for its client.
    afterNextRead(() => {
      if (this.#connections.has(socket) && isClientsTurn(connection)) this.#pool.wait(socket);
    });
  }

  #forget({ socket, idleTimer }: Connection): void {
    clearTimeout(idleTimer);
    this.#pool.remove(socket);
    this.#connections.delete(socket);
    this.#tellOpen();
  }

  #tellOpen(): void {
    this.#rules.observer.onOpen?.(this.#pool.size, this.#rules.limits.inAll);
  }

  #beginRequest(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    const { socket } = connection;
    clearTimeout(connection.idleTimer);
    connection.inHand += 1;
    connection.last = { request, response };
    // The body ends even if the application does not read it.
    if (hasBody(request)) {
      request.once("end", () => connection.inHand > 0 && this.#pool.hold(socket));
    } else this.#pool.hold(socket);
    response.once("close", () => this.#endRequest(connection));
  }

  #endRequest(connection: Connection): void {
    const { socket } = connection;
    connection.inHand -= 1;
    this.#answerFault(connection);
    if (connection.inHand > 0 || socket.destroyed) return;
    this.#pool.wait(socket);
    // Blank lines before a request do not start it, so Node would wait forever for a client that sends only those.
    connection.idleTimer = setTimeout(() => socket.destroy(), this.#rules.nextHeadMs).unref();
  }

  #meetFault(duplex: Duplex, found: FoundFault): void {
    const connection = this.#connections.get(duplex);
    if (connection === undefined || connection.fault !== undefined) return;
    const { socket, last } = connection;
    const { observer } = this.#rules;
    if (found.fault === "too-slow") observer.onCut?.("timed-out");
    // Browsers open connections in advance, and would take a 408 for the response to their next request.
    if (found.fault === "too-slow" && socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const isInBody = last !== undefined && !last.request.complete;
    // An application that reads the body finds and counts the fault itself.
    if (!isInBody) observer.onFault?.(found.fault);
    connection.fault = { ...found, isInBody };
    this.#answerFault(connection);
  }

  /** Responses keep the order of their requests, and no request gets two. */
  #answerFault(connection: Connection): void {
    const { fault, last, inHand, socket } = connection;
    if (fault === undefined || connection.isEnding || inHand > (fault.isInBody ? 1 : 0)) return;
    if (fault.isInBody && last?.response.headersSent === true) {
      if (inHand === 0) socket.destroySoon();
      return;
    }
    connection.isEnding = true;
    const { answerFault, lingerMs } = this.#rules;
    void endWith(socket, answerFault(fault.fault, fault.target), lingerMs);
  }
}

/** Calls `act` after the event loop has polled its sockets once more: one `setImmediate` runs after the current poll. */
function afterNextRead(act: () => void): void {
  setImmediate(() => setImmediate(act));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return (
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? "0") !== 0
  );
}

/** Whether the server waits for a request, or for the rest of one. */
function isClientsTurn({ inHand, last }: Connection): boolean {
  return inHand === 0 || last?.request.complete === false;
}

/** Ends a connection with a response written by hand. Closing at once would reset it, and a reset can overtake the response. Never rejects. */
async function endWith(socket: Socket, answer: Response, lingerMs: number): Promise<void> {
  const body = await answer.text();
  const linger = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once("close", () => clearTimeout(linger));
  const headers = new Headers(answer.headers);
  headers.set("Connection", "close");
  headers.set("Content-Length", String(Buffer.byteLength(body)));
  headers.set("Date", new Date().toUTCString());
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const { status } = answer;
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines}\r\n${body}`);
  socket.resume();
}

/** Node's error for bytes that are not a valid request. `rawPacket` is the last packet received. */
export interface ParserError {
  readonly code?: string;
  /** Offset in the packet at which the parser stopped. */
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
}

/** `target`: that of the request line, if there was one. */
interface FoundFault {
  readonly fault: RequestFault;
  readonly target?: string | undefined;
}

/** Longest part of a request line that is parsed: no response depends on a longer target. */
const MAX_LINE_BYTES = 1_024;

const LINE_FEED = 0x0a;

/** The token of RFC 9110, section 5.6.2, and the request line of RFC 9112, section 3. */
const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const LINE = new RegExp(`^(${TOKEN}) (\\S+) HTTP/\\d\\.\\d\\r?$`, "u");
const BEGINNING = new RegExp(`^(${TOKEN})(?: (\\S*)(?: [HTP/\\d.]*\\r?)?)?$`, "u");

/** Node rejects unknown methods as invalid HTTP, with one of these two codes. */
const METHOD_CODES = new Set(["HPE_INVALID_METHOD", "HPE_INVALID_CONSTANT"]);

/** Classifies the fault of a request: is an unknown method HTTP at all? An incomplete line is assumed to become valid. Never throws. */
export function findFault(error: ParserError): FoundFault {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") return { fault: "too-slow" };
  if (error.code === "HPE_HEADER_OVERFLOW") return { fault: "head-too-large" };
  if (!METHOD_CODES.has(error.code ?? "")) return { fault: "malformed" };
  const { text, isWhole } = lineOf(error);
  const [, method, target] = (isWhole ? LINE : BEGINNING).exec(text) ?? [];
  if (method === undefined || METHODS.includes(method)) return { fault: "malformed" };
  return { fault: "unknown-method", target };
}

/** The line in which the parser stopped: the same packet may contain other requests before it. */
function lineOf({ rawPacket, bytesParsed = 0 }: ParserError): { text: string; isWhole: boolean } {
  if (rawPacket === undefined) return { text: "", isWhole: false };
  const begin = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf(LINE_FEED, bytesParsed - 1) + 1;
  const rest = rawPacket.subarray(begin, begin + MAX_LINE_BYTES);
  const end = rest.indexOf(LINE_FEED);
  return { text: rest.toString("latin1", 0, end < 0 ? rest.length : end), isWhole: end >= 0 };
}
