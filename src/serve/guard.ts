import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { AnswerFault, ConnectionObserver, NetworkOf } from "../model/connections.ts";
import { findFault, type FoundFault, type ParserError } from "./faults.ts";
import { ConnectionPool, type PoolLimits } from "./pool.ts";
import { endWith } from "./raw-answer.ts";

export interface GuardRules {
  readonly limits: PoolLimits;
  readonly networkOf: NetworkOf;
  readonly answerFault: AnswerFault;
  readonly observer: Partial<ConnectionObserver>;
  /** After an answer, the head of the next request has to be there within so many milliseconds. */
  readonly nextHeadMs: number;
  /** A client that was told of its fault has so many milliseconds to close. */
  readonly lingerMs: number;
}

/** What is known of a connection. */
interface Connection {
  readonly socket: Socket;
  /** Requests that came and are not answered yet. */
  inHand: number;
  last?: { readonly request: IncomingMessage; readonly response: ServerResponse };
  /** Met, and answered in its turn. In the body: of the last request, of which the application knows. */
  fault?: FoundFault & { readonly isInBody: boolean };
  isEnding: boolean;
  idleTimer?: NodeJS.Timeout;
}

/**
 * Keeps the connections of a server within limits, and answers what never becomes a request. To be made before the server listens.
 */
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
    // An expectation that nobody knows may be ignored (RFC 9110, section 10.1.1). Node would answer 417 without our headers.
    server.on("checkExpectation", (request, response) => server.emit("request", request, response));
    // A tunnel is the one kind of request that Node hands to nobody.
    server.on("connect", ({ url }, socket) => {
      const target = url === undefined ? {} : { target: url };
      this.#meetFault(socket, { fault: "unknown-method", ...target });
    });
    server.on("clientError", (error: Error & ParserError, socket) => {
      // While a connection ends, what still comes is no request, and Node says so with each packet.
      if (this.#connections.get(socket)?.isEnding === true) return;
      if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
      else this.#meetFault(socket, findFault(error));
    });
  }

  /** Closes every connection at once. */
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
    // Its request may have come with it, and has to be read before the connection counts as one that waits for its client.
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
    // A body that nobody reads any more ends as well.
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
    // Blank lines before a request begin none, so Node would wait for ever for a client that sends nothing else.
    connection.idleTimer = setTimeout(() => socket.destroy(), this.#rules.nextHeadMs).unref();
  }

  #meetFault(duplex: Duplex, found: FoundFault): void {
    const connection = this.#connections.get(duplex);
    if (connection === undefined || connection.isEnding || connection.fault !== undefined) return;
    const { socket, last } = connection;
    const { observer } = this.#rules;
    if (found.fault === "too-slow") observer.onCut?.("timed-out");
    // Browsers open connections in advance, and would take a 408 for the answer to what they ask next.
    if (found.fault === "too-slow" && socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    const isInBody = last !== undefined && !last.request.complete;
    // An application that reads the body meets and counts it by itself.
    if (!isInBody) observer.onFault?.(found.fault);
    connection.fault = { ...found, isInBody };
    this.#answerFault(connection);
  }

  /** Answers keep the order of their requests, and no request gets two. */
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

/**
 * When the loop has polled its sockets once more: what is called here comes after the poll in hand, and what that calls after the
 * next one.
 */
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
  return inHand === 0 || (last !== undefined && hasBody(last.request) && !last.request.complete);
}
