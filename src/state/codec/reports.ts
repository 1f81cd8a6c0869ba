import * as z from "zod";
import type { RecentReports } from "../../model/service/recent-reports.ts";
import { OTHER_OPERATOR } from "../../contract/codes/operator.ts";
import {
  NO_OPERATORS,
  type ReportsState,
  type ServiceReports,
  SURGE,
} from "../../model/service/reports.ts";
import { FOLDED_IDS, mapOf } from "../../model/stored-maps.ts";
import { codecOf, count, instant, listOf } from "../../model/stored-parts.ts";

/** Bytes are stored little-endian on every machine. */
const IS_SWAPPED = new Uint8Array(Uint32Array.of(1).buffer)[0] === 0;

const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** A column as base64. `misfitOfColumns` checks it: a pattern would cost more than decoding. */
const column = z.string();

const triples = codecOf(
  z.tuple([column, column, column]).readonly(),
  unpackTriples,
  packTriples,
  (columns) => misfitOfColumns(columns.map((text) => lengthOfColumn(text, WORD_BYTES))),
);

const recent = codecOf(
  z.strictObject({
    fromMs: instant,
    /** Milliseconds since `fromMs`. */
    times: column,
    networks: column,
    blocks: column,
    /** A byte each; absent: no operator is known. */
    operators: column.optional(),
  }),
  ({ fromMs, times, networks, blocks, operators }): RecentReports => {
    const steps = unpackWords(times);
    return {
      times: Float64Array.from(steps, (step) => fromMs + step),
      networks: new Float64Array(toBuffer(networks, DOUBLE_BYTES)),
      blocks: unpackWords(blocks),
      operators:
        operators === undefined
          ? new Uint8Array(steps.length)
          : new Uint8Array(Buffer.from(operators, "base64")),
    };
  },
  ({ times, networks, blocks, operators }) => {
    const fromMs = times[0] ?? 0;
    return {
      fromMs,
      times: packColumn(toWords(times.length, (place) => (times[place] ?? 0) - fromMs)),
      networks: packColumn(networks),
      blocks: packColumn(blocks),
      ...(operators.some((one) => one !== OTHER_OPERATOR) && {
        operators: Buffer.from(operators).toString("base64"),
      }),
    };
  },
  ({ times, networks, blocks, operators }) =>
    misfitOfColumns([
      lengthOfColumn(times, WORD_BYTES),
      lengthOfColumn(networks, DOUBLE_BYTES),
      lengthOfColumn(blocks, WORD_BYTES),
      ...(operators === undefined ? [] : [lengthOfColumn(operators, 1)]),
    ]),
);

const countRows = listOf(z.tuple([count, listOf(count)]).readonly());

const serviceReports = codecOf(
  z.strictObject({
    firstAtMs: instant,
    minutes: triples,
    symptoms: countRows,
    /** Absent: no operator was counted yet. */
    operators: z.strictObject({ hours: countRows, weeks: countRows }).optional(),
    recent,
    hours: triples,
    surge: SURGE,
  }),
  ({ operators = NO_OPERATORS, ...others }): ServiceReports => ({ ...others, operators }),
  ({ operators, ...others }) => ({
    ...others,
    ...(operators.hours.length + operators.weeks.length > 0 && { operators }),
  }),
);

export const STORED_REPORTS = codecOf(
  z.strictObject({
    services: mapOf(serviceReports),
    evaluatedSlot: z.int().min(-1),
    folded: FOLDED_IDS,
  }),
  ({ folded, ...ledger }): ReportsState => ({ ledger, folded }),
  ({ ledger, folded }) => ({ ...ledger, folded }),
);

/** Columns of one table have one length; undefined stands for one that cannot be read. */
function misfitOfColumns([first, ...others]: readonly (number | undefined)[]): string | undefined {
  const isOdd = first === undefined || others.some((other) => other !== first);
  return isOdd ? "the columns differ in length" : undefined;
}

/** Integers as base64, little-endian: a schema for each number in JSON costs more than the whole rest of a state. */
function packColumn(column: Uint32Array | Float64Array): string {
  const bytes = Buffer.from(column.buffer, column.byteOffset, column.byteLength);
  return (IS_SWAPPED ? swap(Buffer.from(bytes), column.BYTES_PER_ELEMENT) : bytes).toString(
    "base64",
  );
}

/** Integers from 0 to 2^32 − 1. */
function unpackWords(text: string): Uint32Array {
  return new Uint32Array(toBuffer(text, WORD_BYTES));
}

/** The number of values of `bytesEach` bytes in the text; undefined when it is not a column of them. */
function lengthOfColumn(text: string, bytesEach: number): number | undefined {
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
  return bytesEach === WORD_BYTES ? bytes.swap32() : bytes.swap64();
}

/** The numbers in 32 bits each. Throws `RangeError` for one that does not fit: it could not be read back. */
function toWords(length: number, numberAt: (place: number) => number): Uint32Array {
  const words = new Uint32Array(length);
  for (let place = 0; place < length; place += 1) {
    const number = numberAt(place);
    words[place] = number;
    if (words[place] !== number) throw new RangeError(`${number} does not fit in 32 bits`);
  }
  return words;
}

type Triples = readonly (readonly [number, number, number])[];

/** Rows of three as three columns; the first, which ascends, as differences from the row before. Throws `RangeError`. */
function packTriples(rows: Triples): readonly [string, string, string] {
  const pack = (numberAt: (place: number) => number | undefined): string =>
    packColumn(toWords(rows.length, (place) => numberAt(place) ?? 0));
  return [
    pack((place) => (rows[place]?.[0] ?? 0) - (rows[place - 1]?.[0] ?? 0)),
    pack((place) => rows[place]?.[1]),
    pack((place) => rows[place]?.[2]),
  ];
}

/** The inverse of `packTriples`. */
function unpackTriples(columns: readonly string[]): Triples {
  const [steps = new Uint32Array(), second, third] = columns.map(unpackWords);
  let first = 0;
  return Array.from(steps, (step, at) => {
    first += step;
    return [first, second?.[at] ?? 0, third?.[at] ?? 0] as const;
  });
}
