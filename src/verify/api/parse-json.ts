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
    if (isTooDeep(value))
      return { kind: "not-json", reason: `it is nested deeper than ${MAX_DEPTH}` };
    if (isObject(value)) return { kind: "object", value };
    return { kind: "not-json", reason: `${shorten(text)} is not an object` };
  } catch {
    return { kind: "not-json", reason: `${shorten(text)} is not JSON` };
  }
}

/** Far more than in any document. Functions of Node that compare or print a value fail at some thousand. */
const MAX_DEPTH = 100;

/** Level by level, because a recursion would fail where it has to tell. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= MAX_DEPTH; depth += 1) {
    level = level.flatMap((one): unknown[] =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
    if (level.length === 0) return false;
  }
  return true;
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
