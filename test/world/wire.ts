import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import type { Wire } from "./behaviour.ts";

/** Slices per second of a throttled wire: small enough not to look like bursts and pauses. */
const SLICES_PER_SECOND = 16;

/**
 * The server's end of a path with a counting device on it. It stands below TLS, so that records and
 * handshake count as they do for a real one; everything the client sends passes.
 */
export function createWire(raw: Socket, wire: Wire): Duplex {
  const send = wire.kind === "cut" ? cutter(raw, wire) : throttle(raw, wire.bytesPerSecond);
  const shaped = new Duplex({
    read: () => void raw.resume(),
    write: (chunk: Buffer, _encoding, done) => send(chunk, done),
    final(done) {
      // The close comes after the bytes: on a cut wire it is lost like everything else.
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

/** Passes bytes on; `undefined` stands for the end of them. */
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

/** How long bytes on their way get before the RST that would overtake them. */
const RESET_AFTER_MS = 30;

/** RST, after what was written has had time to arrive. A client of this process gets to read it, however late the timer is. */
export function resetSoon(raw: Socket): void {
  const timer = setTimeout(() => setImmediate(() => setImmediate(reset, raw)), RESET_AFTER_MS);
  raw.once("close", () => clearTimeout(timer));
}

/**
 * RST alone. `resetAndDestroy` of Node ends its side first, and a client that is busy between the two sees an end like any other; this
 * is the mark by which it then closes with an RST.
 */
function reset(raw: Socket): void {
  Object.assign(raw, { resetAndClosing: true });
  raw.destroy();
}
