import { deflate } from "node:zlib";

/** Colours that a palette can hold. Source: PNG, third edition, 11.2.2. */
const MOST_COLORS = 256;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** Bytes of a pixel: red, green, blue, opacity. */
const PIXEL_BYTES = 4;
/** Number of the filter that leaves a row as it is. Source: PNG, third edition, 9.2. */
const NO_FILTER = 0;

/** What a renderer makes: rows from above, each pixel in four bytes. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** Writes one picture after the other: each has to be done before the next begins. */
export type EncodePng = (pixels: Pixels) => Promise<Uint8Array>;

/**
 * Writes opaque pictures of few colours as PNG with a palette: a quarter of what a PNG with four bytes for each pixel takes.
 * Where edges have more than 256 shades in all, those that are nearest become one. Pixels are read at once, and not held
 * while they are packed.
 * Source: https://www.w3.org/TR/png-3/
 */
export function createPngEncoder(): EncodePng {
  // Kept from picture to picture: new ones would stay in memory until V8 collects its whole heap.
  let rows = new Uint8Array();
  return (pixels) => {
    const { width, height } = pixels;
    const bytes = (width + 1) * height;
    if (rows.length !== bytes) rows = new Uint8Array(bytes);
    const palette = indexColors(pixels, rows);
    return writePng(width, height, { palette, rows });
  };
}

async function writePng(
  width: number,
  height: number,
  { palette, rows }: Indexed,
): Promise<Uint8Array> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Eight bits of a palette; compression, filters and interlace as ever.
  header.set([8, 3, 0, 0, 0], 8);
  return join([
    SIGNATURE,
    writeChunk("IHDR", header),
    writeChunk("PLTE", palette),
    writeChunk("IDAT", await pack(rows)),
    writeChunk("IEND", new Uint8Array()),
  ]);
}

interface Indexed {
  /** Three bytes for each colour. */
  readonly palette: Uint8Array;
  /** Each row begins with the number of its filter. */
  readonly rows: Uint8Array;
}

/** Fills the rows and returns their palette: the finest steps of shade with which the picture has at most 256 colours. */
function indexColors(pixels: Pixels, rows: Uint8Array): Uint8Array {
  for (let dropped = 0; dropped < 8; dropped += 1) {
    const palette = indexPixels(pixels, rows, dropped);
    if (palette !== undefined) return palette;
  }
  throw new RangeError("Three bits cannot be more than 256 colours.");
}

/** @param dropped lowest bits of each channel in which colours may differ and yet be one. */
function indexPixels(
  { width, height, rgba }: Pixels,
  rows: Uint8Array,
  dropped: number,
): Uint8Array | undefined {
  const mask = (0xff << dropped) & 0xff;
  const indices = new Map<number, number>();
  const palette: number[] = [];
  let [before, index, to] = [-1, 0, 0];
  for (let from = 0; from < width * height * PIXEL_BYTES; from += PIXEL_BYTES) {
    if (to % (width + 1) === 0) {
      rows[to] = NO_FILTER;
      to += 1;
    }
    // One by one: a list for each pixel is so much garbage that the heap doubles.
    const red = rgba[from] ?? 0;
    const green = rgba[from + 1] ?? 0;
    const blue = rgba[from + 2] ?? 0;
    const color = ((red & mask) << 16) | ((green & mask) << 8) | (blue & mask);
    // Most pixels are as the one before them.
    if (color !== before) {
      const known = indices.get(color);
      if (known === undefined && indices.size === MOST_COLORS) return undefined;
      index = known ?? indices.size;
      if (known === undefined) {
        indices.set(color, index);
        palette.push(red, green, blue);
      }
      before = color;
    }
    rows[to] = index;
    to += 1;
  }
  return Uint8Array.from(palette);
}

function pack(bytes: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    deflate(bytes, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  });
}

function writeChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(12 + data.length);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, data.length);
  chunk.set(new TextEncoder().encode(type), 4);
  chunk.set(data, 8);
  view.setUint32(8 + data.length, checksum(chunk.subarray(4, 8 + data.length)));
  return chunk;
}

/** What each byte makes of a checksum. Source: PNG, third edition, annex D. */
const CRC_OF = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function checksum(bytes: Uint8Array): number {
  let value = 0xffff_ffff;
  for (const byte of bytes) value = (CRC_OF[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return ~value >>> 0;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
