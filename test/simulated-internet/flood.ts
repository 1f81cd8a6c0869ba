import type { Writable } from "node:stream";

/** Sends the same bytes repeatedly, as fast as the client reads, until it closes the connection. */
export function flood(stream: Writable, bytes: Buffer): void {
  function pump(): void {
    // One buffer per event loop turn, because other connections share the thread.
    if (stream.destroyed) return;
    if (stream.write(bytes)) setImmediate(pump);
    else stream.once("drain", pump);
  }
  pump();
}
