import * as z from "zod";
import { FAILURES, type FailureCode } from "./probe-outcome.ts";
import type { FoldedIds } from "./folded-ids.ts";

/** What the schemas and layouts of stored values have in common. */

/** The values of a schema. Nothing changes a value that was read. */
export type Stored<Schema extends z.ZodType> = Frozen<z.output<Schema>>;

type Frozen<T> =
  T extends ReadonlyMap<infer Key, infer Value>
    ? ReadonlyMap<Key, Frozen<Value>>
    : T extends object
      ? { readonly [K in keyof T]: Frozen<T[K]> }
      : T;

export const count = z.int().min(0);

/** Milliseconds since the epoch. */
export const instant = z.int().min(0);

export const failureCode = z.enum(Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]); // FAILURES is not empty

/** A list that is not changed. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly();
}

/** How a value is stored. `misfitOf` says what the schema cannot check, such as lengths that must agree. */
export function codecOf<Stored extends z.ZodType, Value>(
  stored: Stored,
  unpack: (stored: z.output<Stored>) => Value,
  pack: (value: Value) => z.output<Stored>,
  misfitOf: (stored: z.output<Stored>) => string | undefined = () => undefined,
) {
  const addMisfit = (value: z.output<Stored>, issues: z.core.$ZodRawIssue[]): boolean => {
    const message = misfitOf(value);
    if (message !== undefined) issues.push({ code: "custom", message, input: value });
    return message !== undefined;
  };
  return z.codec(stored, z.custom<Value>(), {
    decode: (value, { issues }) => (addMisfit(value, issues) ? z.NEVER : unpack(value)),
    encode: (value, { issues }) => {
      const packed = pack(value);
      addMisfit(packed, issues);
      return packed;
    },
  });
}

type Fields = Readonly<Record<string, z.ZodType>>;
type Row<Shape extends Fields> = { readonly [Name in keyof Shape]: z.output<Shape[Name]> };

/** An object as the tuple of its values: in thousands of rows the names would be most of the bytes. */
export function packedRow<Shape extends Fields>(
  shape: Shape,
): z.ZodType<Row<Shape>, readonly unknown[]> {
  const names = Object.keys(shape);
  const [first = z.never(), ...others] = Object.values(shape);
  const tuple: z.ZodType<readonly unknown[], readonly unknown[]> = z.tuple([first, ...others]);
  return codecOf(
    tuple,
    (values) => Object.fromEntries(names.map((name, at) => [name, values[at]])) as Row<Shape>,
    (row) => names.map((name) => row[name]),
  );
}

/** A map as its pairs, sorted by key: no key can be mistaken for a property of JavaScript's own. */
export function mapOf<Value, Stored>(value: z.ZodType<Value, Stored>) {
  return codecOf(
    listOf(z.tuple([z.string(), value]).readonly()),
    (stored): ReadonlyMap<string, Value> => new Map(stored),
    sortPairs,
    (stored) =>
      new Set(stored.map(([key]) => key)).size < stored.length ? "a key occurs twice" : undefined,
  );
}

/** The pairs of a map sorted by key, so that the bytes do not depend on the order in which it was filled. */
export function sortPairs<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  // By code unit, not by locale: the same bytes on every machine.
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Ids of counted inbox objects: the name of a series, when one of it was last counted, and both ends of each range of numbers. */
export const FOLDED_IDS = codecOf(
  listOf(z.tuple([z.string(), instant, listOf(count)]).readonly()),
  (stored): FoldedIds =>
    new Map(
      stored.map(([name, atMs, ends]) => {
        const ranges = Array.from({ length: ends.length / 2 }, (_, at) => {
          return [ends[2 * at] ?? 0, ends[2 * at + 1] ?? 0] as const;
        });
        return [name, { atMs, ranges }];
      }),
    ),
  (folded) =>
    sortPairs(folded).map(([name, { atMs, ranges }]) => [name, atMs, ranges.flat()] as const),
  (stored) => {
    const odd = stored.find(([, , ends]) => ends.length % 2 !== 0);
    return odd && `the numbers of the inbox objects of ${odd[0]} are not ranges`;
  },
);
