import * as z from "zod";
import { FAILURE_CODES } from "./failures.ts";
import { SECOND_MS } from "./time.ts";

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

export const failureCode = z.enum(FAILURE_CODES);

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

/** Whole seconds since the epoch, of milliseconds. */
export const seconds = codecOf(
  instant,
  (at) => at * SECOND_MS,
  (atMs) => atMs / SECOND_MS,
);

/** A value that may be absent before others: JSON has null for it. */
export function orNull<Stored extends z.ZodType>(stored: Stored) {
  return codecOf(
    stored.nullable(),
    (value): z.output<Stored> | undefined => value ?? undefined,
    (value) => value ?? null,
  ).optional();
}

/** A yes or no as one digit. */
export const flag = codecOf(
  z.literal([0, 1]),
  (bit): boolean => bit === 1,
  (is) => (is ? 1 : 0),
);

/** The values that may be undefined may be left out. */
type Row<Shape extends z.ZodRawShape> = Readonly<z.output<z.ZodObject<Shape>>>;

/** An object as the tuple of its values: in thousands of rows the names would be most of the bytes. The last values may be absent. */
export function packedRow<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodType<Row<Shape>, readonly unknown[]> {
  const names = Object.keys(shape);
  const [first = z.never(), ...others] = Object.values(shape);
  const tuple: z.ZodType<readonly unknown[], readonly unknown[]> = z.tuple([first, ...others]);
  return codecOf(
    tuple,
    (values) =>
      Object.fromEntries(values.map((value, at) => [names[at] ?? "", value])) as Row<Shape>,
    (row) => {
      const valueOf = new Map<string, unknown>(Object.entries(row));
      const values = names.map((name) => valueOf.get(name));
      const isGiven = values.map((value) => value !== undefined);
      return values.slice(0, isGiven.lastIndexOf(true) + 1);
    },
  );
}
