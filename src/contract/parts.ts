import * as z from "zod";

/* The parts of which documents are made. Their messages say what is expected; without one, `verify` derives it from the schema. */

const A_COUNT = "a whole number from 0";
const A_TIME = "whole Unix seconds";
const A_NAME = "a text that is not empty";

/** In the year 5138. Later times are in milliseconds. */
const MAX_TIME = 1e11;

export const TEXT = z.string();
/** A text that has more than blanks. */
export const NAME = z
  .string(A_NAME)
  .refine((text) => text.trim() !== "", A_NAME)
  .meta({ minLength: 1 });
export const BOOLEAN = z.boolean();
export const COUNT = z.int(A_COUNT).min(0, A_COUNT);
/** Whole Unix seconds; 32 bits would only last until 2038. */
export const TIME = z
  .int(A_TIME)
  .min(0, A_TIME)
  .refine((seconds) => seconds < MAX_TIME, A_TIME)
  .meta({ format: "int64" });
/** A UTC day. */
export const DATE = z.iso.date("YYYY-MM-DD");
/** A month of UTC. */
export const MONTH = z.string().regex(/^\d{4}-\d\d$/u, "YYYY-MM");

/** An object with exactly these fields. */
export function exact<S extends z.ZodRawShape>(
  description: string,
  shape: S,
): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape).describe(description);
}

/** The items of a document. */
export function itemsOf<S extends z.ZodType>(item: S): z.ZodReadonly<z.ZodArray<S>> {
  return z.array(item).readonly();
}
