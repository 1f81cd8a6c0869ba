import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { HostileClient } from "../preview/hostile-clients.ts";

const PAUSE_MS = 20;

/** A connection for arbitrary bytes. It never closes its own side by itself. */
export interface RawClient {
  /** Sends one byte for each character; does nothing once the connection is closed. */
  readonly send: (bytes: string) => void;
  /** Closes the sending side. */
  readonly finish: () => void;
  /** All bytes received so far. */
  readonly received: () => string;
  /** Whether the server has closed or reset the connection. */
  readonly isClosed: () => boolean;
  readonly destroy: () => void;
}

interface ClientOptions {
  /** The loopback address to connect from. */
  readonly from?: string;
  /** Bytes to send immediately, before any time-out can start to matter. */
  readonly first?: string;
}

export async function openClient(url: string, options: ClientOptions = {}): Promise<RawClient> {
  const { from = "127.0.0.1", first = "" } = options;
  const { hostname, port } = new URL(url);
  const socket = connect({
    host: hostname,
    port: Number(port),
    localAddress: from,
    allowHalfOpen: true,
  });
  let received = "";
  let isClosed = false;
  const note = (): void => void (isClosed = true);
  socket.on("error", note).on("close", note).on("end", note);
  socket.on("data", (bytes) => (received += bytes.toString("latin1")));
  onTestFinished(() => void socket.destroy());
  if (first !== "") socket.write(Buffer.from(first, "latin1"));
  await once(socket, "connect");
  return {
    send: (bytes) => {
      if (socket.writable) socket.write(Buffer.from(bytes, "latin1"));
    },
    finish: () => void socket.end(),
    received: () => received,
    isClosed: () => isClosed,
    destroy: () => void socket.destroy(),
  };
}

/** The statuses received, in order. */
export function statusesOf({ received }: RawClient): readonly number[] {
  return [...received().matchAll(/HTTP\/1\.1 (\d{3}) /gu)].map(([, status]) => Number(status));
}

/** The result for one client after the server has closed: the statuses and all bytes. The client itself never closes. */
export interface Attack {
  readonly what: string;
  readonly statuses: readonly number[];
  readonly received: string;
}

/** Runs all clients at once, each on its own connection. */
export function attack(url: string, clients: readonly HostileClient[]): Promise<readonly Attack[]> {
  return Promise.all(
    clients.map(async ({ what, sends }) => {
      const [first, ...others] = sends;
      const client = await openClient(url, { first: first ?? "" });
      for (const piece of first === null ? sends : others) {
        if (client.isClosed()) break;
        if (piece === null) client.finish();
        else client.send(piece);
        await delay(PAUSE_MS);
      }
      while (!client.isClosed()) await delay(PAUSE_MS);
      return { what, statuses: statusesOf(client), received: client.received() };
    }),
  );
}
