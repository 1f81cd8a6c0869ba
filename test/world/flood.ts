import type { Writable } from "node:stream";

/** Sends the same bytes over and over, as fast as they are taken, until the other side hangs up. */
export function flood(stream: Writable, bytes: Buffer): void {
  function pump(): void {
    // One buffer per turn: the server has others to serve on the same thread.
    if (stream.destroyed) return;
    if (stream.write(bytes)) setImmediate(pump);
    else stream.once("drain", pump);
  }
  pump();
}
