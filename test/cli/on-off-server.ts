import type { Server } from "node:http";
import { findFreePort } from "../free-port.ts";

/** A server on 127.0.0.1 that can stop and start. */
export interface OnOffServer {
  readonly port: number;
  /** Stops with all connections, or starts on the same port. */
  readonly setUp: (isUp: boolean) => Promise<void>;
}

/** Lets a server listen on a free port. */
export async function listenOnOff(server: Server): Promise<OnOffServer> {
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => {
      server.listen(port, "127.0.0.1", resolve);
    });
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const port = await findFreePort();
  await listen(port);
  return {
    port,
    setUp: async (isUp) => {
      if (isUp !== server.listening) await (isUp ? listen(port) : stop());
    },
  };
}
