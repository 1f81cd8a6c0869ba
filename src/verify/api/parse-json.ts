/** A JSON object, by field. */
export type JsonObject = Readonly<Record<string, unknown>>;

export type ParsedObject =
  | { readonly kind: "object"; readonly value: JsonObject }
  | { readonly kind: "not-json"; readonly reason: string };

/** Parses bytes as one JSON object in UTF-8. Rejects a byte-order mark, as RFC 8259, section 8.1, allows. Never throws. */
export function parseObject(body: Uint8Array): ParsedObject {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return { kind: "not-json", reason: "the bytes are not UTF-8" };
  }
  try {
    const value: unknown = JSON.parse(text);
    const problem = findSizeProblem(value);
    if (problem !== undefined) return { kind: "not-json", reason: problem };
    if (isObject(value)) return { kind: "object", value };
    return { kind: "not-json", reason: `${shorten(text)} is not an object` };
  } catch {
    return { kind: "not-json", reason: `${shorten(text)} is not JSON` };
  }
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

/** Whether a parsed value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value as JSON, short enough for a message. */
export function show(value: unknown): string {
  return value === undefined ? "absent" : shorten(JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}
