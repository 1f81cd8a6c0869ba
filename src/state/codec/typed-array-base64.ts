/** Integers of 32 or 53 bits as text: a schema for each number in JSON costs more than the whole rest of a state. */
export type ColumnArray = Uint32Array | Float64Array;

/** Bytes are stored little-endian on every machine. */
const IS_SWAPPED = new Uint8Array(Uint32Array.of(1).buffer)[0] === 0;

/** A column as base64, little-endian. */
export function packColumn(column: ColumnArray): string {
  const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength);
  return (IS_SWAPPED ? swap(Buffer.from(bytes), column.BYTES_PER_ELEMENT) : bytes).toString(
    "base64",
  );
}

/** Integers from 0 to 2^32 − 1. */
export function unpackWords(text: string): Uint32Array {
  return new Uint32Array(toBuffer(text, Uint32Array.BYTES_PER_ELEMENT));
}

/** Any numbers. */
export function unpackDoubles(text: string): Float64Array {
  return new Float64Array(toBuffer(text, Float64Array.BYTES_PER_ELEMENT));
}

/** The number of values of `bytesEach` bytes in the text; undefined when it is not a column of them. */
export function lengthOfColumn(text: string, bytesEach: number): number | undefined {
  // Decoding skips characters that are not base64, so a wrong length shows them.
  const length = Buffer.from(text, "base64").length;
  const isWhole = text.length === 4 * Math.ceil(length / 3) && length % bytesEach === 0;
  return isWhole ? length / bytesEach : undefined;
}

function toBuffer(text: string, bytesEach: number): ArrayBuffer {
  const bytes = Buffer.from(text, "base64");
  if (IS_SWAPPED) swap(bytes, bytesEach);
  // A copy, because small buffers share a pool at any offset.
  const own = new Uint8Array(bytes.length - (bytes.length % bytesEach));
  own.set(bytes.subarray(0, own.length));
  return own.buffer;
}

function swap(bytes: Buffer, bytesEach: number): Buffer {
  return bytesEach === Uint32Array.BYTES_PER_ELEMENT ? bytes.swap32() : bytes.swap64();
}

/** The numbers in 32 bits each. Throws `RangeError` for one that does not fit: it could not be read back. */
export function toWords(length: number, numberAt: (place: number) => number): Uint32Array {
  const words = new Uint32Array(length);
  for (let place = 0; place < length; place += 1) {
    const number = numberAt(place);
    words[place] = number;
    if (words[place] !== number) throw new RangeError(`${number} does not fit in 32 bits`);
  }
  return words;
}

/** Rows of three as three columns; the first, which ascends, as differences from the row before. Throws `RangeError`. */
export function packTriples(
  rows: readonly (readonly [number, number, number])[],
): readonly [string, string, string] {
  const pack = (numberAt: (place: number) => number | undefined): string =>
    packColumn(toWords(rows.length, (place) => numberAt(place) ?? 0));
  return [
    pack((place) => (rows[place]?.[0] ?? 0) - (rows[place - 1]?.[0] ?? 0)),
    pack((place) => rows[place]?.[1]),
    pack((place) => rows[place]?.[2]),
  ];
}

/** The inverse of `packTriples`. */
export function unpackTriples(
  columns: readonly string[],
): readonly (readonly [number, number, number])[] {
  const [steps = new Uint32Array(), second, third] = columns.map(unpackWords);
  let first = 0;
  return Array.from(steps, (step, at) => {
    first += step;
    return [first, second?.[at] ?? 0, third?.[at] ?? 0] as const;
  });
}
