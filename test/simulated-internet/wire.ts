import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Wire } from "./behaviour.ts";

/** Slices per second of a throttled connection: enough to avoid bursts and pauses. */
const SLICES_PER_SECOND = 16;

/**
 * The server's end of a connection through a middlebox that counts bytes below TLS, including records and handshake, like a real
 * one. All bytes from the client pass.
 */
export function createWire(raw: Socket, wire: Wire): Duplex {
  const send = wire.kind === "cut" ? cutter(raw, wire) : throttle(raw, wire.bytesPerSecond);
  const shaped = new Duplex({
    read: () => void raw.resume(),
    write: (chunk: Buffer, _encoding, done) => send(chunk, done),
    final(done) {
      // A FIN comes after the bytes, so a cut drops it as well.
      send(undefined, done);
    },
    destroy(error, done) {
      raw.destroy();
      done(error);
    },
  });
  raw.on("data", (chunk: Buffer) => {
    if (!shaped.push(chunk)) raw.pause();
  });
  raw.on("end", () => shaped.push(null));
  raw.on("close", () => shaped.destroy());
  shaped.on("error", () => raw.destroy());
  return shaped;
}

/** Forwards bytes; `undefined` is their end. */
type Send = (chunk: Buffer | undefined, done: () => void) => void;

function cutter(raw: Socket, wire: Extract<Wire, { kind: "cut" }>): Send {
  let leftBytes = wire.afterRawBytes;
  let isCut = false;
  return (chunk, done) => {
    if (isCut) return done();
    if (chunk === undefined) {
      raw.end();
      return done();
    }
    if (chunk.length <= leftBytes) {
      leftBytes -= chunk.length;
      raw.write(chunk, () => done());
      return;
    }
    isCut = true;
    raw.write(chunk.subarray(0, leftBytes), () => {
      if (wire.ending === "reset") resetSoon(raw);
      if (wire.ending === "close") raw.end();
      done();
    });
  };
}

function throttle(raw: Socket, bytesPerSecond: number): Send {
  const sliceBytes = Math.max(1, Math.floor(bytesPerSecond / SLICES_PER_SECOND));
  let timer: NodeJS.Timeout | undefined;
  raw.once("close", () => clearTimeout(timer));
  function sendFrom(chunk: Buffer, at: number, done: () => void): void {
    if (raw.destroyed || at >= chunk.length) return done();
    const slice = chunk.subarray(at, at + sliceBytes);
    raw.write(slice);
    const pauseMs = (slice.length * 1_000) / bytesPerSecond;
    timer = setTimeout(() => sendFrom(chunk, at + slice.length, done), pauseMs);
  }
  return (chunk, done) => {
    if (chunk !== undefined) return sendFrom(chunk, 0, done);
    raw.end();
    done();
  };
}

/** Delay of an RST, so that it does not overtake bytes in transit. */
const RESET_AFTER_MS = 30;

/** Sends RST after the written bytes had time to arrive. A client in this process can read them even if the timer is late. */
export function resetSoon(raw: Socket): void {
  const timer = setTimeout(() => setImmediate(() => setImmediate(reset, raw)), RESET_AFTER_MS);
  raw.once("close", () => clearTimeout(timer));
}

/**
 * Sends only RST. Node's `resetAndDestroy` sends FIN first, and a client that is busy between the two sees a normal end; this
 * internal flag makes `destroy` close with RST.
 */
function reset(raw: Socket): void {
  Object.assign(raw, { resetAndClosing: true });
  raw.destroy();
}
