import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

/** Colours that a palette can hold. Source: PNG, third edition, 11.2.2. */
const MAX_COLORS = 256;
const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const PIXEL_BYTES = 4;
/** Number of the filter that leaves a row unchanged. Source: PNG, third edition, 9.2. */
const NO_FILTER = 0;

/** The output of a renderer: rows from the top, each pixel in four bytes. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const pack = promisify(deflate) as (bytes: Uint8Array) => Promise<Uint8Array>;

/** Encodes one picture at a time: each call has to end before the next begins. */
export type EncodePng = (pixels: Pixels) => Promise<Uint8Array>;

/**
 * Encodes opaque pictures of few colours as PNG with a palette: a quarter of the size of a PNG with four bytes per pixel. If edges
 * have more than 256 shades in all, the nearest ones are merged. The pixels are read at once and not referenced while they are
 * compressed. Source: https://www.w3.org/TR/png-3/
 */
export function createPngEncoder(): EncodePng {
  // Reused for each picture: new buffers would stay in memory until V8 collects its whole heap.
  let rows = new Uint8Array();
  return (pixels) => {
    const { width, height } = pixels;
    const bytes = (width + 1) * height;
    if (rows.length !== bytes) rows = new Uint8Array(bytes);
    const palette = indexColors(pixels, rows);
    return writePng(width, height, palette, rows);
  };
}

/**
 * @param palette three bytes for each colour.
 * @param rows each begins with the number of its filter.
 */
async function writePng(
  width: number,
  height: number,
  palette: Uint8Array,
  rows: Uint8Array,
): Promise<Uint8Array> {
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  // Palette indexes of eight bits; standard compression and filters, no interlacing.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    writeChunk("IHDR", header),
    writeChunk("PLTE", palette),
    writeChunk("IDAT", await pack(rows)),
    writeChunk("IEND", new Uint8Array()),
  ]);
}

/**
 * Fills the rows and returns their palette: the finest shades with which the picture has at most 256 colours. It ends: with one bit of each
 * channel there are sixteen at most.
 */
function indexColors(pixels: Pixels, rows: Uint8Array, dropped = 0): Uint8Array {
  return indexPixels(pixels, rows, dropped) ?? indexColors(pixels, rows, dropped + 1);
}

/** @param dropped lowest bits of each channel that are ignored when colours are compared. */
function indexPixels(
  { width, height, rgba }: Pixels,
  rows: Uint8Array,
  dropped: number,
): Uint8Array | undefined {
  const mask = ((0xff << dropped) & 0xff) * 0x01010101;
  // A pixel at a time: reading its bytes one by one takes twice as long.
  const isAligned = rgba.byteOffset % PIXEL_BYTES === 0;
  const { buffer, byteOffset } = isAligned ? rgba : new Uint8Array(rgba);
  const words = new Uint32Array(buffer, byteOffset, width * height);
  const indices = new Map<number, number>();
  const palette: number[] = [];
  let [before, index, to, from] = [-1, 0, 0, 0];
  for (let row = 0; row < height; row += 1) {
    rows[to] = NO_FILTER;
    to += 1;
    for (const end = from + width; from < end; from += 1) {
      const color = ((words[from] ?? 0) & mask) >>> 0;
      // Most pixels are equal to the previous one.
      if (color !== before) {
        const known = indices.get(color);
        if (known === undefined && indices.size === MAX_COLORS) return undefined;
        index = known ?? indices.size;
        if (known === undefined) {
          indices.set(color, index);
          palette.push(...rgba.subarray(from * PIXEL_BYTES, from * PIXEL_BYTES + 3));
        }
        before = color;
      }
      rows[to] = index;
      to += 1;
    }
  }
  return Uint8Array.from(palette);
}

function writeChunk(type: string, data: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
