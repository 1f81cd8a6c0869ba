import { MONITOR } from "../../model/monitor/monitor-schema.ts";
import type { Finding } from "../../yaml/problem.ts";
import { REFUSED_KEYS, type Located } from "../../yaml/strict-yaml.ts";

/*
 * `JSON.parse` gives neither positions nor duplicate keys, so this module reads the line itself and leaves only the content of
 * strings to it.
 */

export type JsonLine =
  | { readonly kind: "read"; readonly root: Located; readonly findings: readonly Finding[] }
  | { readonly kind: "broken"; readonly finding: Finding };

/**
 * More than any monitor can need: all keys (and a few more, to report what is wrong with them), a URL, a list of all statuses, a
 * thousand escaped characters.
 */
const MAX_LINE_LENGTH = 65_536;
const MAX_KEYS = Object.keys(MONITOR.shape).length + 4;
const MAX_ITEMS = 1_000;
const DEEPEST = 4;

const BLANK = /[ \t\r\n]*/y;
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);

const NO_PARTS: Located["parts"] = new Map();

function parseQuoted(source: string): string | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads one line; its methods return undefined once the line has stopped being JSON, and `broken` says where and why. */
class LineReader {
  readonly findings: Finding[] = [];
  broken: Finding | undefined;
  readonly #line: string;
  /** Offset of the line in its file. */
  readonly #start: number;
  /** Keys and indices of the path to the current value. */
  readonly #path: PropertyKey[] = [];
  #at = 0;

  constructor(line: string, start: number) {
    this.#line = line;
    this.#start = start;
  }

  readRoot(): Located | undefined {
    if (this.#peek() !== "{") {
      return this.#fail("not a JSON object; write one object a line, in braces.");
    }
    const root = this.#readValue();
    return root === undefined || this.#peek() === undefined
      ? root
      : this.#fail("something stands after the object; write one object a line.");
  }

  #fail(message: string): undefined {
    this.broken ??= { offset: this.#start + this.#at, path: [], message };
    return undefined;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#line)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  /** The next character that is not a blank. */
  #peek(): string | undefined {
    this.#take(BLANK);
    return this.#line[this.#at];
  }

  #skip(mark: string): boolean {
    if (this.#peek() !== mark) return false;
    this.#at += 1;
    return true;
  }

  #readValue(): Located | undefined {
    const mark = this.#peek();
    const offset = this.#start + this.#at;
    if (this.#path.length > DEEPEST) {
      return this.#fail(`values are nested over ${DEEPEST} deep here; flatten them.`);
    }
    if (mark === "{") return this.#readObject(offset);
    if (mark === "[") return this.#readList(offset);
    const value = mark === '"' ? this.#readText() : this.#readPlain();
    return value === undefined ? undefined : { value, offset, isRefused: false, parts: NO_PARTS };
  }

  #readBelow(step: PropertyKey): Located | undefined {
    this.#path.push(step);
    const value = this.#readValue();
    this.#path.pop();
    return value;
  }

  #readText(): string | undefined {
    const before = this.#at;
    const source = this.#take(QUOTED);
    const value = source === undefined ? undefined : parseQuoted(source);
    if (value !== undefined) return value;
    this.#at = before;
    return this.#fail("not a valid JSON text; close its quotes, and escape what needs it.");
  }

  #readPlain(): number | boolean | null | undefined {
    const word = this.#take(WORD);
    if (word !== undefined) return WORDS.get(word);
    const number = this.#take(NUMBER);
    return number === undefined
      ? this.#fail("not valid JSON here; write a text in quotes, a number, true or false.")
      : Number(number);
  }

  #readList(offset: number): Located | undefined {
    const items: Located[] = [];
    this.#at += 1;
    if (!this.#skip("]")) {
      do {
        if (items.length === MAX_ITEMS) return this.#fail("the list is too long; shorten it.");
        const item = this.#readBelow(items.length);
        if (item === undefined) return undefined;
        items.push(item);
      } while (this.#skip(","));
      if (!this.#skip("]"))
        return this.#fail("not valid JSON here; put a comma or close the list.");
    }
    const parts = items.map((node, index) => [index, { offset: node.offset, node }] as const);
    const value = items.map((item) => item.value);
    return { value, offset, isRefused: false, parts: new Map(parts) };
  }

  #readObject(offset: number): Located | undefined {
    const value: Record<string, unknown> = Object.create(null);
    const parts = new Map<PropertyKey, { offset: number; node: Located }>();
    this.#at += 1;
    if (!this.#skip("}")) {
      for (let count = 1; ; count += 1) {
        if (count > MAX_KEYS) return this.#fail("the object has too many keys; remove some.");
        const member = this.#readMember();
        if (member === undefined) return undefined;
        const { key, at, node } = member;
        if (this.#isWelcome(key, at, parts.has(key))) {
          parts.set(key, { offset: at, node });
          value[key] = node.value;
        }
        if (!this.#skip(",")) break;
      }
      if (!this.#skip("}"))
        return this.#fail("not valid JSON here; put a comma or close the object.");
    }
    return { value, offset, isRefused: false, parts };
  }

  #readMember(): { readonly key: string; readonly at: number; readonly node: Located } | undefined {
    if (this.#peek() !== '"') return this.#fail("not valid JSON here; write a key in quotes.");
    const at = this.#start + this.#at;
    const key = this.#readText();
    if (key === undefined) return undefined;
    if (!this.#skip(":")) return this.#fail("not valid JSON here; put a colon after the key.");
    const node = this.#readBelow(key);
    return node && { key, at, node };
  }

  #isWelcome(key: string, at: number, isKnown: boolean): boolean {
    const message = isKnown ? "duplicate key; remove one of the two." : REFUSED_KEYS.get(key);
    if (message === undefined) return true;
    this.findings.push({ offset: at, path: [...this.#path, key], message });
    return false;
  }
}

/**
 * Reads one line of JSON lines: an object, with the position of each of its parts. `broken`: the line is not a JSON object; `read`
 * with findings: it is one with refused parts (duplicate or dangerous keys). Offsets are counted from `start`. Bounded in time and
 * memory for any line. Never throws.
 */
export function readJsonLine(line: string, start: number): JsonLine {
  if (line.length > MAX_LINE_LENGTH) {
    const message = `the line is over ${MAX_LINE_LENGTH} characters long; shorten it.`;
    return { kind: "broken", finding: { offset: start, path: [], message } };
  }
  const reader = new LineReader(line, start);
  const root = reader.readRoot();
  if (root !== undefined) return { kind: "read", root, findings: reader.findings };
  if (reader.broken === undefined) throw new Error("a line is broken for no reason");
  return { kind: "broken", finding: reader.broken };
}
