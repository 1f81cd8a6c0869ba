import { Composer, isAlias, isMap, isScalar, isSeq, type Document, type YAMLMap } from "yaml";
import { firstIndexWhere } from "../model/lists.ts";
import { type Finding, nameCharacter } from "./problem.ts";
import { readYamlTokens } from "./yaml-tokens.ts";

/** A plain value with the text offset of each of its parts. */
export interface Located {
  /** Strings, numbers, booleans, null, arrays, and objects without a prototype. */
  readonly value: unknown;
  readonly offset: number;
  /** Already reported: further findings about it would be noise. */
  readonly isRefused: boolean;
  /** Parts of a mapping by key, of a list by index; `offset` is that of the key. */
  readonly parts: ReadonlyMap<PropertyKey, { readonly offset: number; readonly node: Located }>;
}

const NO_PARTS: Located["parts"] = new Map();

export function locateList(items: readonly Located[], offset: number): Located {
  const parts = items.map((node, index) => [index, { offset: node.offset, node }] as const);
  return {
    value: items.map(({ value }) => value),
    offset,
    isRefused: false,
    parts: new Map(parts),
  };
}

/** None of the keys may be in `REFUSED_KEYS`. */
export function locateMapping(parts: Located["parts"], offset: number): Located {
  const value: Record<PropertyKey, unknown> = Object.create(null);
  for (const [key, { node }] of parts) value[key] = node.value;
  return { value, offset, isRefused: false, parts };
}

/** Keys with which a file could attack a program that reads it (prototype pollution). */
export const REFUSED_KEYS: ReadonlyMap<string, string> = new Map([
  ["<<", "merge keys are not allowed; write the keys out here."],
  ...["__proto__", "constructor", "prototype"].map(
    (key) => [key, "this key is not allowed; remove it."] as const,
  ),
]);

/** The usual fix, by error code of the YAML library. */
const SYNTAX_HINTS: Readonly<Record<string, string>> = {
  BAD_INDENT: "make the indentation of this line match its neighbours",
  BLOCK_AS_IMPLICIT_KEY: "put the nested value on a line of its own, or quote the text",
  BAD_DQ_ESCAPE: "double the backslash, or use single quotes",
  MISSING_CHAR: "add what is missing, or quote the text",
  MULTILINE_IMPLICIT_KEY: "put a key and its colon on one line",
  TAB_AS_INDENT: "indent with spaces, not with tabs",
  UNEXPECTED_TOKEN: "quote the text, or remove the extra characters",
};

/** Reads the nodes of one document and collects findings. */
class NodeReader {
  readonly findings: Finding[] = [];

  read(node: unknown, at: number, path: readonly PropertyKey[]): Located {
    const offset = startOf(node, at);
    if (isMap(node)) return this.readMap(node, offset, path);
    if (isSeq(node)) {
      const items = node.items.map((item, index) => this.read(item, offset, [...path, index]));
      return locateList(items, offset);
    }
    if (isScalar(node)) return { value: node.value, offset, isRefused: false, parts: NO_PARTS };
    // The remaining nodes are empty values, and aliases, which `readYamlTokens` reports.
    return { value: null, offset, isRefused: isAlias(node), parts: NO_PARTS };
  }

  private readMap(map: YAMLMap, offset: number, path: readonly PropertyKey[]): Located {
    const parts = new Map<PropertyKey, { offset: number; node: Located }>();
    for (const pair of map.items) {
      const at = startOf(pair.key, offset);
      const key = isScalar(pair.key) ? pair.key.value : undefined;
      if (typeof key !== "string") {
        const message = "a key must be plain text; write it as a word before a colon.";
        this.findings.push({ offset: at, path, message });
        continue;
      }
      const inside = [...path, key];
      const message = parts.has(key)
        ? "duplicate key; remove one of the two."
        : REFUSED_KEYS.get(key);
      if (message === undefined)
        parts.set(key, { offset: at, node: this.read(pair.value, at, inside) });
      else this.findings.push({ offset: at, path: inside, message });
    }
    return locateMapping(parts, offset);
  }
}

function startOf(node: unknown, otherwise: number): number {
  const range = isMap(node) || isSeq(node) || isScalar(node) ? node.range : undefined;
  return range?.[0] ?? otherwise;
}

function syntaxFindings(document: Document.Parsed): Finding[] {
  return document.errors.map((error) => {
    const said = error.message.split("\n", 1)[0]?.replace(/[.:]$/, "").slice(0, 200) ?? "";
    const hint = SYNTAX_HINTS[error.code] ?? "rewrite this place";
    const [offset] = error.pos;
    return { offset, path: [], message: `not valid YAML (${said}); ${hint}.` };
  });
}

/**
 * Reads one YAML 1.2 document, restricted to what people write by hand: no aliases, anchors, tags, directives, merge keys, duplicate or
 * dangerous keys, second documents, control characters. Bounded in time and memory. `unreadable`: the text has no value; `read` with findings:
 * parts of it are refused, and further checks can report the rest. Offsets refer to the returned text. Never throws. See
 * docs/services/catalogue.md, "What is refused".
 */
export function readStrictYaml(source: Uint8Array | string, maxBytes: number, maxLexemes?: number) {
  const decoded = decodeText(source, maxBytes);
  const { text } = decoded;
  const fail = (findings: readonly Finding[]) => ({ kind: "unreadable", text, findings }) as const;
  if (decoded.kind === "refused") return fail([decoded.finding]);
  const read = readYamlTokens(text, maxLexemes);
  if (read.kind === "refused") return fail(read.findings);
  // The library's own check for duplicate keys takes quadratic time; `readMap` checks them instead.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  const [document] = composer.compose(read.tokens, true, text.length);
  if (document === undefined) throw new Error("the YAML composer yielded no document");
  if (document.errors.length > 0) return fail([...read.findings, ...syntaxFindings(document)]);
  const reader = new NodeReader();
  const root = reader.read(document.contents, 0, []);
  const findings: readonly Finding[] = [...read.findings, ...reader.findings];
  return { kind: "read" as const, text, root, findings };
}

type DecodedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "refused"; readonly text: string; readonly finding: Finding };

/** Not printable by YAML 1.2, section 5.1: controls, two noncharacters, lone surrogates; and lone carriage returns. */
const UNPRINTABLE = /(?![\t\n\r\u0085])[\p{Cc}\uFFFE\uFFFF\p{Surrogate}]|\r(?!\n)/u;

function refuse(text: string, offset: number, message: string): DecodedText {
  return { kind: "refused", text, finding: { offset, path: [], message } };
}

/** The text of bytes, or of the beginning of a longer text; undefined if they are not UTF-8. */
function tryDecode(bytes: Uint8Array, options?: { readonly stream: boolean }): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, options);
  } catch {
    return undefined;
  }
}

function decodeBytes(bytes: Uint8Array): DecodedText {
  const whole = tryDecode(bytes);
  if (whole !== undefined) return { kind: "text", text: whole };
  const decodeStart = (length: number): string | undefined =>
    tryDecode(bytes.subarray(0, length), { stream: true });
  const bad = firstIndexWhere(bytes.length + 1, (length) => decodeStart(length) === undefined);
  const text = decodeStart(bad - 1) ?? "";
  return refuse(text, text.length, "the file is not valid UTF-8 from here on; save it as UTF-8.");
}

/** Decodes at most `maxBytes` of UTF-8, without a byte order mark; refuses others with a finding. Never throws. */
export function decodeUtf8(source: Uint8Array | string, maxBytes: number): DecodedText {
  const isTooLong =
    source.length > maxBytes ||
    (typeof source === "string" && new TextEncoder().encode(source).length > maxBytes);
  if (isTooLong) return refuse("", 0, `the file is over ${maxBytes} bytes; make it shorter.`);
  return typeof source === "string"
    ? { kind: "text", text: source.replace(/^\uFEFF/, "") }
    : decodeBytes(source);
}

/** Decodes a file that people write: as `decodeUtf8`, but with printable characters only. Never throws. */
export function decodeText(source: Uint8Array | string, maxBytes: number): DecodedText {
  const decoded = decodeUtf8(source, maxBytes);
  if (decoded.kind === "refused") return decoded;
  const offset = decoded.text.search(UNPRINTABLE);
  if (offset < 0) return decoded;
  const message = `the character ${nameCharacter(decoded.text, offset)} is not allowed in this file; remove it.`;
  return refuse(decoded.text, offset, message);
}
