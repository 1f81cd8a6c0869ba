import { parseJson } from "../../model/errors.ts";
import { MONITOR } from "../../model/monitor/monitor-schema.ts";
import type { Finding } from "../../yaml/problem.ts";
import { locateList, locateMapping, REFUSED_KEYS, type Located } from "../../yaml/strict-yaml.ts";

/*
 * `JSON.parse` gives neither positions nor duplicate keys, so this module reads the line itself and leaves only the content of
 * strings to it.
 */

/** More than any monitor needs: all keys and some more, a URL, a list of all statuses, a thousand escaped characters. */
const MAX_LINE_LENGTH = 65_536;
const MAX_DEPTH = 4;

const BRACKETS = {
  list: { end: "]", most: 1_000, tooMany: "the list is too long; shorten it." },
  object: {
    end: "}",
    most: Object.keys(MONITOR.shape).length + 4,
    tooMany: "the object has too many keys; remove some.",
  },
} as const;

const BLANK = /[ \t\r\n]*/y;
const QUOTED = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

const NO_PARTS: Located["parts"] = new Map();

/** A line has stopped being JSON. */
class BrokenLine extends Error {
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.message);
    this.finding = finding;
  }
}

/** Reads one line. Its methods throw `BrokenLine`. */
class LineReader {
  readonly findings: Finding[] = [];
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

  readRoot(): Located {
    if (this.#peek() !== "{")
      throw this.#broken("not a JSON object; write one object a line, in braces.");
    const root = this.#readValue();
    if (this.#peek() !== undefined)
      throw this.#broken("something stands after the object; write one object a line.");
    return root;
  }

  #broken(message: string): BrokenLine {
    return new BrokenLine({ offset: this.#start + this.#at, path: [], message });
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

  #readValue(): Located {
    const mark = this.#peek();
    const offset = this.#start + this.#at;
    if (this.#path.length > MAX_DEPTH)
      throw this.#broken(`values are nested over ${MAX_DEPTH} deep here; flatten them.`);
    if (mark === "{") return this.#readObject(offset);
    if (mark === "[") return this.#readList(offset);
    const value = mark === '"' ? this.#readText() : this.#readPlain();
    return { value, offset, isRefused: false, parts: NO_PARTS };
  }

  #readBelow(step: PropertyKey): Located {
    this.#path.push(step);
    const value = this.#readValue();
    this.#path.pop();
    return value;
  }

  #readText(): string {
    const before = this.#at;
    const value = parseJson(this.#take(QUOTED) ?? "");
    if (typeof value === "string") return value;
    this.#at = before;
    throw this.#broken("not a valid JSON text; close its quotes, and escape what needs it.");
  }

  #readPlain(): number | boolean | null {
    const word = this.#take(WORD);
    if (word !== undefined) return word === "null" ? null : word === "true";
    const number = this.#take(NUMBER);
    if (number === undefined)
      throw this.#broken("not valid JSON here; write a text in quotes, a number, true or false.");
    return Number(number);
  }

  #readItems(kind: keyof typeof BRACKETS, readOne: (index: number) => void): void {
    const { end, most, tooMany } = BRACKETS[kind];
    this.#at += 1;
    if (this.#skip(end)) return;
    let count = 0;
    do {
      if (count === most) throw this.#broken(tooMany);
      readOne(count);
      count += 1;
    } while (this.#skip(","));
    if (!this.#skip(end))
      throw this.#broken(`not valid JSON here; put a comma or close the ${kind}.`);
  }

  #readList(offset: number): Located {
    const items: Located[] = [];
    this.#readItems("list", (index) => void items.push(this.#readBelow(index)));
    return locateList(items, offset);
  }

  #readObject(offset: number): Located {
    const parts = new Map<PropertyKey, { offset: number; node: Located }>();
    this.#readItems("object", () => {
      if (this.#peek() !== '"') throw this.#broken("not valid JSON here; write a key in quotes.");
      const at = this.#start + this.#at;
      const key = this.#readText();
      if (!this.#skip(":")) throw this.#broken("not valid JSON here; put a colon after the key.");
      const node = this.#readBelow(key);
      const fault = parts.has(key)
        ? "duplicate key; remove one of the two."
        : REFUSED_KEYS.get(key);
      if (fault === undefined) parts.set(key, { offset: at, node });
      else this.findings.push({ offset: at, path: [...this.#path, key], message: fault });
    });
    return locateMapping(parts, offset);
  }
}

/** Reads one line, with the position of each part from `start` on; `broken`: it cannot be read. Bounded in time and memory for any line. Never throws. */
export function readJsonLine(line: string, start: number) {
  if (line.length > MAX_LINE_LENGTH) {
    const message = `the line is over ${MAX_LINE_LENGTH} characters long; shorten it.`;
    return { kind: "broken", finding: { offset: start, path: [], message } } as const;
  }
  const reader = new LineReader(line, start);
  try {
    return { kind: "read", root: reader.readRoot(), findings: reader.findings } as const;
  } catch (error) {
    if (error instanceof BrokenLine) return { kind: "broken", finding: error.finding } as const;
    throw error;
  }
}
