import { createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { Path, SimpleBehaviour } from "./behaviour.ts";
import type { CertificateIssuer } from "./certificates.ts";
import { peekClientHello } from "./client-hello.ts";
import type { Directory, Scheme } from "./directory.ts";
import { act } from "./http-answers.ts";
import { readRequest } from "./http-request.ts";
import { actOnHello, isHelloBehaviour } from "./tls-faults.ts";
import { createWire, resetSoon } from "./wire.ts";

export interface Listener {
  readonly port: number;
  close(): Promise<void>;
}

interface Connection {
  readonly raw: Socket;
  readonly scheme: Scheme;
  readonly host: string;
  readonly behaviour: SimpleBehaviour;
  /** Must be called at the end of the connection. */
  readonly finish: () => void;
}

/** For a URL with an address, the ClientHello has no server name. */
const NAMELESS_HOST = "127.0.0.1";

/** Listens on a free port of an address of this machine. `close` ends its connections as well. */
export async function listen(
  onSocket: (socket: Socket) => void,
  address = "127.0.0.1",
): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Clients may close at any time.
    socket.on("error", () => socket.destroy());
    onSocket(socket);
  });
  server.listen(0, address, 1_024);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** The port of all https hosts, which are distinguished by the name in the ClientHello. */
export function startTlsFront(directory: Directory, issuer: CertificateIssuer): Promise<Listener> {
  return listen((raw) => {
    peek(raw, (bytes) => {
      const hello = peekClientHello(bytes);
      if (hello.kind === "incomplete") return undefined;
      if (hello.kind === "other") return () => raw.destroy();
      const host = hello.serverName ?? NAMELESS_HOST;
      return () => {
        // No certificate can be issued for an invalid name from a client: close without an answer.
        startTls(accept(directory, raw, "https", host), directory, issuer).catch(() =>
          raw.destroy(),
        );
      };
    });
  });
}

/** The port of all http hosts, which are distinguished by the Host header. */
export function startHttpFront(directory: Directory): Promise<Listener> {
  return listen((raw) => {
    peek(raw, (bytes) => {
      if (!bytes.includes("\r\n\r\n")) return undefined;
      const host = /^host: *([^:\r\n]*)/imu.exec(bytes.toString("latin1"))?.[1] ?? "";
      return () => {
        const connection = accept(directory, raw, "http", host.toLowerCase());
        serve(wired(connection), connection, directory);
      };
    });
  });
}

/** Passes the first bytes to `decide` until it gives an action; then unshifts them and runs the action. */
function peek(raw: Socket, decide: (bytes: Buffer) => (() => void) | undefined): void {
  let seen: Buffer | undefined;
  raw.on("data", function onData(bytes: Buffer) {
    seen = seen === undefined ? bytes : Buffer.concat([seen, bytes]);
    const next = decide(seen);
    if (next === undefined) return;
    raw.off("data", onData);
    raw.pause();
    raw.unshift(seen);
    next();
  });
}

function accept(directory: Directory, raw: Socket, scheme: Scheme, host: string): Connection {
  const finish = directory.open(host);
  raw.once("close", finish);
  return { raw, scheme, host, behaviour: directory.connect(scheme, host), finish };
}

async function startTls(
  connection: Connection,
  directory: Directory,
  issuer: CertificateIssuer,
): Promise<void> {
  const { raw, host, behaviour } = connection;
  if (isHelloBehaviour(behaviour)) return actOnHello(raw, behaviour);
  const secureContext = await issuer.contextFor(host, pathOf(behaviour).certificate ?? "public");
  if (raw.destroyed) return;
  const stream = new TLSSocket(wired(connection), {
    isServer: true,
    secureContext,
    ALPNProtocols: ["http/1.1"],
  });
  stream.on("error", () => raw.destroy());
  serve(stream, connection, directory);
}

/** The socket, with the simulated middlebox if the behaviour has one. */
function wired({ raw, behaviour }: Connection): Duplex {
  const { wire } = pathOf(behaviour);
  return wire === undefined ? raw : createWire(raw, wire);
}

function pathOf(behaviour: SimpleBehaviour): Path {
  return "certificate" in behaviour || "wire" in behaviour ? behaviour : {};
}

function serve(stream: Duplex, connection: Connection, directory: Directory): void {
  const { raw, scheme, host, behaviour, finish } = connection;
  readRequest(stream, scheme, (request, requestHead) => {
    directory.note(host, requestHead);
    const chosen = directory.request(scheme, host, request.path) ?? behaviour;
    const exchange = { stream, request, finish, reset: () => resetSoon(raw) };
    // A fault below HTTP does not affect this port: port 80 of a host with a TLS fault answers.
    act(exchange, isHelloBehaviour(chosen) || chosen.kind === "dns" ? { kind: "page" } : chosen);
  });
}
