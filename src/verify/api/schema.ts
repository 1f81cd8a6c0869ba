import * as z from "zod";
import { isObject, type JsonObject, show } from "./parse-json.ts";
import { SLUG } from "./specification.ts";

/** A schema whose messages say in these words what is expected. */
function saying<T extends z.ZodType>(words: string, toSchema: (words: string) => T): T {
  return toSchema(words).describe(words);
}

export const COUNT = saying("a whole number from 0", (words) => z.int(words).min(0, words));
/** The upper bound, in the year 5138, excludes milliseconds. */
export const SECONDS = saying("whole Unix seconds", (words) =>
  z.int(words).min(0, words).lt(1e11, words),
);
/** Negative as well: a report can come after the verdict. */
export const WHOLE = saying("a whole number", (words) => z.int(words));
export const RATIO = saying("a number from 0 to 1", (words) =>
  z.number(words).min(0, words).max(1, words),
);
export const FLAG = z.boolean("true or false");
export const NULL = z.null("null");
export const TEXT = z.string("a text");
export const NAME = matching(/\S/u, "a text that is not empty");
export const SLUG_TEXT = matching(SLUG, "lowercase letters, digits and hyphens");
/** A day. */
export const DATE = matching(/^\d{4}-\d\d-\d\d$/u, "YYYY-MM-DD");
export const MONTH = matching(/^\d{4}-\d\d$/u, "YYYY-MM");
/** A moment as `Date` writes it. */
export const TIMESTAMP = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u,
  "a time in UTC with milliseconds",
);

/** A text that matches a pattern. */
export function matching(pattern: RegExp, text: string): z.ZodString {
  return saying(text, (words) => z.string(words).regex(pattern, words));
}

/** One of some texts. */
export function oneOf<const T extends readonly string[]>(values: T) {
  return saying(`one of ${values.join(", ")}`, (words) => z.enum(values, words));
}

/** As the schema says, or null. */
export function orNull<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.null()], `${schema.description ?? ""} or null`);
}

/** An object that has exactly these fields, in any order. */
export function objectOf<const T extends z.ZodRawShape>(shape: T) {
  return z.strictObject(shape, "an object");
}

export function listOf<T extends z.ZodType>(entry: T) {
  return z.array(entry, "a list");
}

/** Whether a value is whole Unix seconds. */
export function isUnixSeconds(value: unknown): value is number {
  return SECONDS.safeParse(value).success;
}

/** Whether a value is a whole number from 0. */
export function isCount(value: unknown): value is number {
  return COUNT.safeParse(value).success;
}

/** More would repeat the same, and a large body could have millions. */
const MAX_PROBLEMS = 100;

/**
 * The first places where a value does not fit a schema: `days 2: date is 5, not YYYY-MM-DD`.
 *
 * @param only either fields that are missing or unknown, or values that are wrong; by default both
 */
export function findSchemaProblems(
  schema: z.ZodType,
  value: unknown,
  only?: "fields" | "values",
): readonly string[] {
  const issues = schema.safeParse(value, { reportInput: true }).error?.issues ?? [];
  const lines = issues.slice(0, MAX_PROBLEMS).flatMap((issue) => {
    const { path, input, message } = issue;
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [];
    if (only === (unknown.length > 0 || input === undefined ? "values" : "fields")) return [];
    if (unknown.length > 0) return unknown.map((key) => `${nameOf([...path, key])} is not a field`);
    return `${nameOf(path)} is ${input === undefined ? "missing" : `${show(input)}, not ${message}`}`;
  });
  return lines.slice(0, MAX_PROBLEMS);
}

/** `months 2: outages.told`: entries of lists are counted from 1. */
function nameOf(path: readonly PropertyKey[]): string {
  const parts = path.map((key, index) => {
    if (typeof key === "number") return ` ${key + 1}`;
    return `${index === 0 ? "" : typeof path[index - 1] === "number" ? ": " : "."}${String(key)}`;
  });
  return parts.join("");
}

/** Where a document does not fit its schema, or what `find` finds in one that does. */
export function findProblems<T>(
  schema: z.ZodType<T>,
  value: unknown,
  find: (document: T) => readonly string[],
): readonly string[] {
  const { success, data } = schema.safeParse(value);
  return success ? find(data) : findSchemaProblems(schema, value);
}

/** What `find` finds first in the entries of a list with a name. */
export function findInEach<T>(
  name: string,
  list: readonly T[],
  find: (entry: T) => readonly string[],
): readonly string[] {
  const found: string[] = [];
  for (const [index, entry] of list.entries()) {
    found.push(...find(entry).map((problem) => `${name} ${index + 1}: ${problem}`));
    if (found.length >= MAX_PROBLEMS) break;
  }
  return found;
}

/** Dates have to be the newest first. */
export function findOrderProblems(dates: readonly string[]): readonly string[] {
  const late = dates.findIndex((date, index) => index > 0 && date >= (dates[index - 1] ?? ""));
  return late === -1 ? [] : [`${show(dates[late])} follows ${show(dates[late - 1])}`];
}

/** Values that occur more than once, each once. */
export function repeatedOf(values: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>();
  const repeated = new Set<unknown>();
  for (const value of values) (seen.has(value) ? repeated : seen).add(value);
  return [...repeated];
}

/** The objects in a list; none if it is no list. For documents that need not fit their schema. */
export function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
