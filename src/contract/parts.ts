import * as z from "zod";

/** Any text. */
export const TEXT = z.string();
/** How many of something. */
export const COUNT = z.int().min(0);
/** Whole Unix seconds; 32 bits would only last until 2038. */
export const TIME = z.int().min(0).meta({ format: "int64" });
/** A UTC day, `YYYY-MM-DD`. */
export const DATE = z.iso.date();
/** As in the registry of monitors. */
export const MONITOR_ID_PATTERN = /^[A-Za-z0-9_-]{1,64}$/u;

/** An object with exactly these fields. */
export function exact<S extends z.ZodRawShape>(
  description: string,
  shape: S,
): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape).describe(description);
}

/** The items of a document. */
export function listOf<S extends z.ZodType>(item: S): z.ZodReadonly<z.ZodArray<S>> {
  return z.array(item).readonly();
}
