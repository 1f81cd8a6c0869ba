import { createServer, type AddressInfo, type Socket } from "node:net";
import { once } from "node:events";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";
import type { Path, SimpleBehaviour } from "./behaviour.ts";
import type { CertificateShop } from "./certificates.ts";
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

interface Visit {
  readonly raw: Socket;
  readonly scheme: Scheme;
  readonly host: string;
  readonly behaviour: SimpleBehaviour;
  /** To be called when the connection is over. */
  readonly finish: () => void;
}

/** A URL with an address in it makes a ClientHello without a name; it can only be ours. */
const NAMELESS_HOST = "127.0.0.1";

/** Listens on a free port of 127.0.0.1. Closing it ends its connections too. */
export async function listen(onSocket: (socket: Socket) => void): Promise<Listener> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Clients hang up whenever they like: that is no fault of ours.
    socket.on("error", () => socket.destroy());
    onSocket(socket);
  });
  server.listen(0, "127.0.0.1", 1_024);
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

/** The port of all https hosts: the name in the ClientHello decides what happens. */
export function startTlsFront(directory: Directory, shop: CertificateShop): Promise<Listener> {
  return listen((raw) => {
    peek(raw, (bytes) => {
      const hello = peekClientHello(bytes);
      if (hello.kind === "incomplete") return undefined;
      if (hello.kind === "other") return () => raw.destroy();
      const host = hello.serverName ?? NAMELESS_HOST;
      return () => {
        // No certificate can be had for what a client makes up as a name: it has to go without an answer.
        startTls(visit(directory, raw, "https", host), directory, shop).catch(() => raw.destroy());
      };
    });
  });
}

/** The port of all http hosts: the Host header decides what happens. */
export function startHttpFront(directory: Directory): Promise<Listener> {
  return listen((raw) => {
    peek(raw, (bytes) => {
      if (!bytes.includes("\r\n\r\n")) return undefined;
      const host = /^host: *([^:\r\n]*)/imu.exec(bytes.toString("latin1"))?.[1] ?? "";
      return () => {
        const arrived = visit(directory, raw, "http", host.toLowerCase());
        serve(wired(arrived), arrived, directory);
      };
    });
  });
}

/** Shows the first bytes to `look` until it knows what to do; then puts them back and does it. */
function peek(raw: Socket, look: (bytes: Buffer) => (() => void) | undefined): void {
  let seen: Buffer | undefined;
  raw.on("data", function onData(bytes: Buffer) {
    seen = seen === undefined ? bytes : Buffer.concat([seen, bytes]);
    const next = look(seen);
    if (next === undefined) return;
    raw.off("data", onData);
    raw.pause();
    raw.unshift(seen);
    next();
  });
}

function visit(directory: Directory, raw: Socket, scheme: Scheme, host: string): Visit {
  const finish = directory.open(host);
  raw.once("close", finish);
  return { raw, scheme, host, behaviour: directory.connect(scheme, host), finish };
}

async function startTls(
  arrived: Visit,
  directory: Directory,
  shop: CertificateShop,
): Promise<void> {
  const { raw, host, behaviour } = arrived;
  if (isHelloBehaviour(behaviour)) return actOnHello(raw, behaviour);
  const secureContext = await shop.contextFor(host, pathOf(behaviour).certificate ?? "public");
  if (raw.destroyed) return;
  const stream = new TLSSocket(wired(arrived), {
    isServer: true,
    secureContext,
    ALPNProtocols: ["http/1.1"],
  });
  stream.on("error", () => raw.destroy());
  serve(stream, arrived, directory);
}

/** The socket as it is, unless the behaviour puts a counting device on the path. */
function wired({ raw, behaviour }: Visit): Duplex {
  const { wire } = pathOf(behaviour);
  return wire === undefined ? raw : createWire(raw, wire);
}

function pathOf(behaviour: SimpleBehaviour): Path {
  return "certificate" in behaviour || "wire" in behaviour ? behaviour : {};
}

function serve(stream: Duplex, arrived: Visit, directory: Directory): void {
  const { raw, scheme, host, behaviour, finish } = arrived;
  readRequest(stream, scheme, (request, requestHead) => {
    directory.note(host, requestHead);
    const chosen = directory.request(scheme, host, request.path) ?? behaviour;
    const exchange = { stream, request, finish, reset: () => resetSoon(raw) };
    // What went wrong before HTTP in other places goes well on this one: port 80 of a host whose TLS is cut.
    act(exchange, isHelloBehaviour(chosen) || chosen.kind === "dns" ? { kind: "page" } : chosen);
  });
}
