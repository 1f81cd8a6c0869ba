import { get } from "node:http";
import { connect, type Socket } from "node:net";
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";
import { unpackLeafOnly } from "../src/probe/tls.ts";

/**
 * The minimal exchange of a probe: a connection to the port on 127.0.0.1, TLS with a verified certificate, one GET, and the
 * answer up to `bodyBytes`, without timings, limits or classification. The additional cost of a probe is that of its own
 * code. Rejects on any failure.
 *
 * @param isLeafOnly Node unpacks only the leaf to check its name, as a probe makes it do, and not the whole chain.
 */
export function getBarely(
  host: string,
  port: number,
  secureContext: SecureContext,
  bodyBytes: number,
  isLeafOnly = false,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const raw = connect({ host: "127.0.0.1", port, noDelay: true });
    raw.once("error", reject);
    raw.once("connect", () => {
      const socket = beginTls(raw, host, secureContext);
      if (isLeafOnly) unpackLeafOnly(socket);
      let isInBody = false;
      let bytes = 0;
      socket.once("secureConnect", () => {
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      });
      socket.on("data", (chunk: Buffer) => {
        const headEnd = isInBody ? 0 : chunk.indexOf("\r\n\r\n") + 4;
        isInBody = true;
        bytes += chunk.length - headEnd;
        if (bytes < bodyBytes) return;
        socket.destroy();
        raw.destroy();
        resolve();
      });
      socket.once("error", reject);
      socket.once("close", () => reject(new Error(`${host}: closed after ${bytes} bytes`)));
    });
  });
}

function beginTls(socket: Socket, servername: string, secureContext: SecureContext): TLSSocket {
  return connectTls({ socket, servername, secureContext, ALPNProtocols: ["http/1.1"] });
}

/** The same exchange by Node's client for HTTP, up to the end of the answer. Rejects on any failure. */
export function getByNodeHttp(
  host: string,
  port: number,
  secureContext: SecureContext,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const raw = connect({ host: "127.0.0.1", port, noDelay: true });
    raw.once("error", reject);
    raw.once("connect", () => {
      const socket = beginTls(raw, host, secureContext);
      unpackLeafOnly(socket);
      socket.once("error", reject);
      socket.once("secureConnect", () => {
        const headers = { connection: "close" };
        const request = get({ createConnection: () => socket, host, headers }, (response) => {
          response.resume().once("end", () => {
            socket.destroy();
            raw.destroy();
            resolve();
          });
        });
        request.once("error", reject);
      });
    });
  });
}
