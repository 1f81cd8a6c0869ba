import { isUtf8 } from "node:buffer";
import * as z from "zod";
import { TIME } from "../../contract/parts.ts";
import { isObject, parseJson } from "../../model/errors.ts";
import { about, unless } from "../finding.ts";

/** A JSON object, by field. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** What could be read, or what is wrong with it. */
export interface Reading<T> {
  readonly data?: T | undefined;
  readonly problems: readonly string[];
}

/** Bytes as a text; undefined if they are not UTF-8. A byte-order mark stays. */
export function readUtf8(body: Uint8Array): string | undefined {
  return isUtf8(body) ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(body) : undefined;
}

/** Parses bytes as one JSON object in UTF-8. Rejects a byte-order mark, as RFC 8259, section 8.1, allows. Never throws. */
export function parseObject(body: Uint8Array): Reading<JsonObject> {
  const text = readUtf8(body);
  if (text === undefined) return { problems: ["the bytes are not UTF-8"] };
  const data = parseJson(text);
  if (data === undefined) return { problems: [`${shorten(text)} is not JSON`] };
  const problem = findSizeProblem(data);
  if (problem !== undefined) return { problems: [problem] };
  if (isObject(data)) return { data, problems: [] };
  return { problems: [`${shorten(text)} is not an object`] };
}

/** Far more than in any document. Functions of Node that compare or print a value fail at some thousand. */
const MAX_DEPTH = 100;

/** Far more than in any document. A schema says of each value what is wrong with it, which takes half a kilobyte. */
const MAX_VALUES = 1_000_000;

/** Level by level, because a recursion would fail where it has to tell. */
function findSizeProblem(value: unknown): string | undefined {
  let level = [value];
  let count = 0;
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((one): unknown[] =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
    count += level.length;
    if (count > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
    if (level.length === 0) return undefined;
  }
  return `it is nested deeper than ${MAX_DEPTH}`;
}

/** The objects in a list; none if it is not a list. For documents that need not fit their schema. */
export function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Whether a value is whole Unix seconds. */
export function isUnixSeconds(value: unknown): value is number {
  return TIME.safeParse(value).success;
}

/** A value as JSON, short enough for a message. */
export function show(value: unknown): string {
  return value === undefined ? "absent" : shorten(JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** Of a document. More would repeat the same, and a large body could have millions. */
export const MAX_PROBLEMS = 100;

/**
 * A place where a value does not fit its schema: the field of the document, whether it is missing or unknown, or otherwise has a wrong
 * value, and a text such as `days 2: date is 5, not YYYY-MM-DD`.
 */
export type SchemaProblem = ReturnType<typeof problemAt>;

/** The first places where a value does not fit a schema. Rules of a whole document are left to their own checks. */
export function findSchemaProblems(schema: z.ZodType, value: unknown): readonly SchemaProblem[] {
  const { error } = schema.safeParse(value, { reportInput: true, error: expectedBy });
  const problems = (error?.issues ?? []).slice(0, MAX_PROBLEMS).flatMap((issue) => {
    const { code, path, input, message } = issue;
    if (code === "unrecognized_keys")
      return issue.keys.map((key) => problemAt([...path, key], true, "not a field"));
    if (code === "custom" && path.length === 0) return [];
    if (input === undefined) return [problemAt(path, true, "missing")];
    const words = allowsNull(schema, path) ? `${message} or null` : message;
    return [problemAt(path, false, `${show(input)}, not ${words}`)];
  });
  return problems.slice(0, MAX_PROBLEMS);
}

function problemAt(path: readonly PropertyKey[], isField: boolean, what: string) {
  return { field: String(path[0] ?? ""), isField, text: `${nameOf(path)} is ${what}` };
}

const TYPES: Readonly<Record<string, string>> = {
  string: "a text",
  int: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** What a schema expects that has no words of its own. */
function expectedBy(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return TYPES[issue.expected] ?? issue.expected;
    case "invalid_value":
      return `${issue.values.length > 1 ? "one of " : ""}${issue.values.join(", ")}`;
    case "invalid_format":
      return `a text of the form ${issue.pattern ?? issue.format}`;
    case "too_small":
      return `at least ${issue.minimum}${issue.origin === "array" ? " entries" : ""}`;
    case "too_big":
      return `at most ${issue.maximum}${issue.origin === "array" ? " entries" : ""}`;
    default:
      return undefined;
  }
}

/** Whether a place of a document may be null. */
function allowsNull(schema: unknown, path: readonly PropertyKey[]): boolean {
  const [step, ...rest] = path;
  if (schema instanceof z.ZodReadonly) return allowsNull(schema.unwrap(), path);
  if (schema instanceof z.ZodNullable)
    return step === undefined || allowsNull(schema.unwrap(), path);
  if (schema instanceof z.ZodArray) return allowsNull(schema.element, rest);
  return schema instanceof z.ZodObject && allowsNull(schema.shape[String(step)], rest);
}

/** `months 2: outages.told`: entries of lists are counted from 1. */
function nameOf(path: readonly PropertyKey[]): string {
  const parts = path.map((key, index) => {
    if (typeof key === "number") return ` ${key + 1}`;
    return `${index === 0 ? "" : typeof path[index - 1] === "number" ? ": " : "."}${String(key)}`;
  });
  return parts.join("");
}

/** A value that fits a schema, or where it does not. */
export function readAs<T>(schema: z.ZodType<T>, value: unknown): Reading<T> {
  const { data } = schema.safeParse(value);
  if (data !== undefined) return { data, problems: [] };
  return { problems: findSchemaProblems(schema, value).map(({ text }) => text) };
}

/** What `find` finds first in the entries of a list with a name. */
export function findInEach<T>(
  name: string,
  list: readonly T[],
  find: (entry: T) => readonly string[],
): readonly string[] {
  const found: string[] = [];
  for (const [index, entry] of list.entries()) {
    found.push(...about(`${name} ${index + 1}`, find(entry)));
    if (found.length >= MAX_PROBLEMS) break;
  }
  return found;
}

/** Dates have to be the newest first. */
export function findOrderProblems(dates: readonly string[]): readonly string[] {
  const late = dates.findIndex((date, index) => index > 0 && date >= (dates[index - 1] ?? ""));
  return unless(late === -1, `${show(dates[late])} follows ${show(dates[late - 1])}`);
}

/** What entries have more than once, such as `the id "x"` with `the id ` before each value. */
export function findRepeated<T>(
  before: string,
  entries: readonly T[],
  valueOf: (entry: T) => unknown,
): readonly string[] {
  const repeated = repeatedOf(entries.map(valueOf));
  return repeated.map((value) => `${before}${show(value)} occurs more than once`);
}

/** Values that occur more than once, each once. */
export function repeatedOf(values: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>();
  const repeated = new Set<unknown>();
  for (const value of values) (seen.has(value) ? repeated : seen).add(value);
  return [...repeated];
}
