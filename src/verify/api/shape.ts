import { findFieldProblems, isCount, isUnixSeconds } from "./field-rules.ts";
import { isObject, type JsonObject, show } from "./parse-json.ts";
import { SLUG } from "./specification.ts";

/** What the value of a field has to be, also in words. */
export interface FieldRule {
  readonly isRight: (value: unknown) => boolean;
  readonly words: string;
}

/** The exact fields of an object, each with its rule. */
export type Shape = Readonly<Record<string, FieldRule>>;

export const COUNT: FieldRule = { isRight: isCount, words: "a whole number from 0" };
export const SECONDS: FieldRule = { isRight: isUnixSeconds, words: "whole Unix seconds" };
export const FLAG: FieldRule = {
  isRight: (value) => typeof value === "boolean",
  words: "true or false",
};
export const NULL: FieldRule = { isRight: (value) => value === null, words: "null" };
export const LIST: FieldRule = { isRight: Array.isArray, words: "a list" };
export const TEXT: FieldRule = {
  isRight: (value) => typeof value === "string",
  words: "a text",
};
export const NAME: FieldRule = {
  isRight: (value) => typeof value === "string" && value.trim() !== "",
  words: "a text that is not empty",
};
export const SLUG_TEXT: FieldRule = matching(SLUG, "lowercase letters, digits and hyphens");
/** A day. */
export const DATE: FieldRule = matching(/^\d{4}-\d\d-\d\d$/u, "YYYY-MM-DD");
/** A moment as `Date` writes it. */
export const TIMESTAMP: FieldRule = matching(
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u,
  "a time in UTC with milliseconds",
);

/** A text that matches a pattern. */
export function matching(pattern: RegExp, words: string): FieldRule {
  return { isRight: (value) => typeof value === "string" && pattern.test(value), words };
}

/** One of some texts. */
export function oneOf(values: readonly string[]): FieldRule {
  return {
    isRight: (value) => typeof value === "string" && values.includes(value),
    words: `one of ${values.join(", ")}`,
  };
}

/** As the rule says, or null. */
export function orNull({ isRight, words }: FieldRule): FieldRule {
  return { isRight: (value) => value === null || isRight(value), words: `${words} or null` };
}

/** An object of a shape. */
export function objectOf(shape: Shape): FieldRule {
  return {
    isRight: (value) => isObject(value) && findShapeProblems(value, shape).length === 0,
    words: `an object with right ${Object.keys(shape).join(", ")}`,
  };
}

/** Missing, unknown and wrong fields of an object. */
export function findShapeProblems(value: JsonObject, shape: Shape): readonly string[] {
  const wrong = Object.entries(shape).filter(
    ([name, { isRight }]) => name in value && !isRight(value[name]),
  );
  return [
    ...findFieldProblems(value, Object.keys(shape)),
    ...wrong.map(([name, { words }]) => `${name} is ${show(value[name])}, not ${words}`),
  ];
}

/** More would repeat the same, and a large body could have millions. */
const MAX_PROBLEMS = 100;

/**
 * The first problems of a list of objects of one shape, and those that `find` finds in an object of that shape. `name` is that of the
 * list, for messages.
 */
export function findListProblems(
  list: unknown,
  name: string,
  shape: Shape,
  find: (entry: JsonObject) => readonly string[] = () => [],
): readonly string[] {
  if (!Array.isArray(list)) return [`${name} is ${show(list)}, not a list`];
  const found: string[] = [];
  for (const [index, entry] of list.entries()) {
    const problems = isObject(entry)
      ? findShapeProblems(entry, shape)
      : [`it is ${show(entry)}, not an object`];
    const all = isObject(entry) && problems.length === 0 ? find(entry) : problems;
    const first = all.slice(0, MAX_PROBLEMS);
    found.push(...first.map((problem) => `${name} ${index + 1}: ${problem}`));
    if (found.length >= MAX_PROBLEMS) break;
  }
  return found;
}

/** The objects in a list; none if it is no list. */
export function objectsOf(list: unknown): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Values that occur more than once, each once. */
export function repeatedOf(values: readonly unknown[]): readonly unknown[] {
  const seen = new Set<unknown>();
  const repeated = new Set<unknown>();
  for (const value of values) (seen.has(value) ? repeated : seen).add(value);
  return [...repeated];
}
