import type { Duplex } from "node:stream";
import type { Scheme } from "./directory.ts";
import type { Request } from "./http-exchange.ts";

/** More than our clients send. */
const HEAD_BYTES_MAX = 65_536;

/** Reads the head of the only request of a connection, and discards all later bytes. */
export function readRequest(
  stream: Duplex,
  scheme: Scheme,
  onRequest: (request: Request, requestHead: string) => void,
): void {
  let seen = "";
  stream.on("error", () => stream.destroy());
  stream.on("data", function onData(bytes: Buffer) {
    seen += bytes.toString("latin1");
    const end = seen.indexOf("\r\n\r\n");
    if (end === -1) {
      if (seen.length > HEAD_BYTES_MAX) stream.destroy();
      return;
    }
    stream.off("data", onData);
    stream.resume();
    const requestHead = seen.slice(0, end);
    const path = /^\S+ (\S+)/u.exec(requestHead)?.[1] ?? "/";
    const host = /^host: *([^\r\n]*)/imu.exec(requestHead)?.[1] ?? "";
    onRequest({ path, url: `${scheme}://${host}${path}` }, requestHead);
  });
  // `peek` has paused the socket.
  stream.resume();
}
