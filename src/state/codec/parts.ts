import * as z from "zod";
import { FAILURES, type FailureCode } from "../../model/probe-outcome.ts";

/** What several layouts have in common. */

export const count = z.int().min(0);

/** Milliseconds since the epoch. */
export const instant = z.int().min(0);

export const failureCode = z.enum(Object.keys(FAILURES) as [FailureCode, ...FailureCode[]]); // FAILURES is not empty

/**
 * A value and how it is stored.
 *
 * @param misfitOf says what the schema of what is stored cannot check, for example lengths that must agree.
 */
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

/** A map as its pairs, sorted by key: no key can be mistaken for a property of JavaScript's own. */
export function mapOf<Value, Stored>(value: z.ZodType<Value, Stored>) {
  return codecOf(
    z.array(z.tuple([z.string(), value]).readonly()).readonly(),
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
