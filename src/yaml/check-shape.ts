import * as z from "zod";
import { suggestWord } from "./suggest.ts";
import type { Finding } from "./problem.ts";
import type { Located } from "./strict-yaml.ts";
import { faultInSlug } from "./validators.ts";

/** One for all: a registry has a million entries without a fault. */
const NO_FINDINGS: readonly Finding[] = [];

const KIND_WORDS: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a mapping of keys to values",
};

function unknownKey(key: string, known: readonly string[]): string {
  const word = suggestWord(key, known);
  return word === undefined
    ? `unknown key; remove it, or use one of ${known.join(", ")}.`
    : `unknown key; did you mean "${word}"? Remove it or rename it.`;
}

/** A mapping with these keys and no others. Only here the known keys are available: the message has one line for each of `issue.keys`. */
export function strictMapping<Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => unknownKey(key, known)).join("\n")
        : undefined,
  });
}

function nameKind(kind: string): string {
  return KIND_WORDS[kind] ?? kind;
}

function kindOf(value: unknown): string {
  if (value === null) return "nothing";
  return nameKind(Array.isArray(value) ? "array" : typeof value);
}

/** A text, validated by a function that returns the fault in it. */
export function checkedText(faultIn: (written: string) => string | undefined): z.ZodString {
  return z.string().check((context) => {
    const message = faultIn(context.value);
    if (message !== undefined)
      context.issues.push({ code: "custom", input: context.value, message });
  });
}

const MAX_ID_LENGTH = 32;

/** An id as operators write it. */
export const ID_TEXT: z.ZodString = checkedText((written) =>
  faultInSlug(written, "an id", MAX_ID_LENGTH),
);

/** Complains about each item of a list that has a value of these keys in common with one before. @param what an item is. */
export function refuseRepeated<Item>(
  what: string,
  ...keys: readonly (keyof Item)[]
): z.core.CheckFn<Item[]> {
  return ({ value, issues }) => {
    for (const key of keys)
      for (const [index, one] of value.entries())
        if (value.findIndex((other) => other[key] === one[key]) < index)
          issues.push({
            code: "custom",
            input: one[key],
            path: [index, key],
            message: `another ${what} has the same ${String(key)}; each needs its own.`,
          });
  };
}

function describeIssue(issue: z.core.$ZodIssue, found: Located | undefined): string {
  if (issue.code !== "invalid_type" && issue.code !== "invalid_value") return issue.message;
  if (found === undefined) return "missing; add this key.";
  const { value } = found;
  if (issue.code === "invalid_type") {
    const expected = nameKind(issue.expected);
    const isQuotable = issue.expected === "string" && /^(number|boolean)$/.test(typeof value);
    const fix = isQuotable ? "put it in quotes" : `write ${expected} here`;
    return `expected ${expected} but found ${kindOf(value)}; ${fix}.`;
  }
  const known = issue.values.map(String);
  const word = typeof value === "string" ? suggestWord(value, known) : undefined;
  const fix = word === undefined ? "write" : `did you mean "${word}"? Write`;
  return `not a known value; ${fix} one of ${known.join(", ")}.`;
}

/** The node at a path, or its nearest ancestor that is there. */
function findNearest(root: Located, path: readonly PropertyKey[]) {
  let node = root;
  for (const step of path) {
    const part = node.parts.get(step);
    if (part === undefined) return { node, isThere: false };
    ({ node } = part);
  }
  return { node, isThere: true };
}

function toFindings(issue: z.core.$ZodIssue, root: Located): Finding[] {
  const { node, isThere } = findNearest(root, issue.path);
  if (node.isRefused) return [];
  if (issue.code !== "unrecognized_keys") {
    const message = describeIssue(issue, isThere ? node : undefined);
    return [{ offset: node.offset, path: issue.path, message }];
  }
  const messages = issue.message.split("\n");
  return issue.keys.map((key, index) => ({
    offset: node.parts.get(key)?.offset ?? node.offset,
    path: [...issue.path, key],
    message: messages[index] ?? issue.message,
  }));
}

/** The schema's output, or a finding for every fault. Parts that are refused already give none. Throws only if the schema does. */
export function checkShape<T>(root: Located, schema: z.ZodType<T>) {
  const result = schema.safeParse(root.value);
  if (result.success) return { kind: "ok" as const, value: result.data, findings: NO_FINDINGS };
  const findings = result.error.issues.flatMap((issue) => toFindings(issue, root));
  return { kind: "misshapen" as const, findings };
}
