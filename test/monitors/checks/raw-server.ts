import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { flood } from "../../simulated-internet/flood.ts";

/** Behaviour of a server after a request. */
export type Act = (socket: Socket) => void;

export interface RawServer {
  readonly port: number;
  /** Connections so far. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** A TCP server on a loopback address that responds by the Host header, byte for byte, as no library would. */
export async function startRawServer(
  acts: (host: string) => Act | undefined,
  address = "127.0.0.1",
  port = 0,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    let seen = "";
    socket.on("data", (bytes: Buffer) => {
      const wasComplete = seen.includes("\r\n\r\n");
      seen += bytes.toString("latin1");
      if (wasComplete || !seen.includes("\r\n\r\n")) return;
      const host = /^host: *([^:\r\n]*)/imu.exec(seen)?.[1] ?? "";
      const act = acts(host);
      if (act === undefined) socket.destroy();
      else act(socket);
    });
  });
  server.listen(port, address, 1_024);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

/** Sends the text, one byte for each character, and closes. */
export function say(text: string): Act {
  return (socket) => void socket.end(Buffer.from(text, "latin1"));
}

/** Sends the start, then the rest repeatedly, as fast as it is read. */
export function floodAfter(start: string, rest: string): Act {
  const block = Buffer.from(rest.repeat(Math.ceil(16_384 / rest.length)), "latin1");
  return (socket) => {
    socket.write(start);
    flood(socket, block);
  };
}
