import {
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  type Pair,
  type YAMLSeq,
} from "yaml";

export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The changes of an edit; undefined if the text is written in a form that is better edited by hand. */
export type Splices = readonly Splice[] | undefined;

/** The text after changes that do not overlap. Never throws. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = text;
  for (const { start, end, text: piece } of splices.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + piece + result.slice(end);
  return result;
}

/** The line break that a text uses. Never throws. */
export function lineBreakOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Beginning of the line after the one with the character before `offset`. */
function nextLine(text: string, offset: number): number {
  const feed = text.indexOf("\n", offset - 1);
  return feed < 0 ? text.length : feed + 1;
}

/** The list of monitors in a text that is known to be a registry. */
function findList(text: string) {
  const { contents } = parseDocument(text, {
    keepSourceTokens: true,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
  });
  const pair = isMap(contents)
    ? contents.items.find(({ key }) => isScalar(key) && key.value === "monitors")
    : undefined;
  return { document: contents, pair, list: isSeq(pair?.value) ? pair.value : undefined };
}

/** The end of a value, without the comments and line breaks that follow it. */
function endOf(node: unknown, otherwise: number): number {
  if (isCollection(node) && node.srcToken?.type !== "flow-collection") {
    const last: unknown = node.items.at(-1);
    if (isPair(last)) return endOf(last.value, endOf(last.key, otherwise));
    return endOf(last, otherwise);
  }
  return isCollection(node) || isScalar(node) ? (node.range?.[1] ?? otherwise) : otherwise;
}

function startOf(node: unknown): number | undefined {
  return isCollection(node) || isScalar(node) ? node.range?.[0] : undefined;
}

/** Offsets of the dashes of a list in block style, one for each item; undefined for any other list. */
function dashesOf(list: YAMLSeq): readonly number[] | undefined {
  if (list.srcToken?.type !== "block-seq") return undefined;
  const dashes = list.srcToken.items.flatMap(({ start }) => {
    const dash = start.find(({ type }) => type === "seq-item-ind");
    return dash === undefined ? [] : [dash.offset];
  });
  return dashes.length === list.items.length ? dashes : undefined;
}

/** Removes the entry with this index, with its lines and their comments. */
export function removeEntry(text: string, index: number): Splices {
  const { list } = findList(text);
  if (list === undefined) return undefined;
  const node = list.items[index];
  const dash = dashesOf(list)?.[index];
  if (dash === undefined) return removeFlowEntry(list, index);
  const start = lineStart(text, dash);
  if (text.slice(start, dash).trim() !== "") return undefined;
  return [{ start, end: nextLine(text, endOf(node, dash + 1)), text: "" }];
}

/** Removes an entry of `[ … ]` and the comma next to it. */
function removeFlowEntry(list: YAMLSeq, index: number): Splices {
  if (list.srcToken?.type !== "flow-collection") return undefined;
  const node = list.items[index];
  const start = startOf(node);
  if (start === undefined) return undefined;
  const splices = [{ start, end: endOf(node, start), text: "" }];
  const neighbour = list.srcToken.items[index === 0 ? 1 : index];
  const comma = neighbour?.start.find(({ type }) => type === "comma");
  if (comma !== undefined) splices.push({ start: comma.offset, end: comma.offset + 1, text: "" });
  return splices;
}

/** Sets `public` of the entry with this index. */
export function setEntryPublic(text: string, index: number, isPublic: boolean): Splices {
  const node = findList(text).list?.items[index];
  if (!isMap(node)) return undefined;
  const held = node.items.find(({ key }) => isScalar(key) && key.value === "public")?.value;
  if (isScalar(held) && held.range)
    return [{ start: held.range[0], end: held.range[1], text: String(isPublic) }];
  const last = node.items.at(-1);
  if (held !== undefined || last === undefined) return undefined;
  const end = endOf(last.value, endOf(last.key, 0));
  if (node.srcToken?.type === "flow-collection")
    return [{ start: end, end, text: `, public: ${String(isPublic)}` }];
  const first = startOf(node.items[0]?.key);
  if (first === undefined) return undefined;
  const indent = " ".repeat(first - lineStart(text, first));
  return [insertLine(text, nextLine(text, end), `${indent}public: ${String(isPublic)}`)];
}

function insertLine(text: string, at: number, line: string): Splice {
  const lineBreak = lineBreakOf(text);
  const isCut = at > 0 && text[at - 1] !== "\n";
  return { start: at, end: at, text: `${isCut ? lineBreak : ""}${line}${lineBreak}` };
}

/** Adds an entry, written in flow style, after the last one. */
export function appendEntry(text: string, entry: string): Splices {
  const { document, pair, list } = findList(text);
  if (pair === undefined) {
    if (document !== null) return undefined;
    return [insertLine(text, text.length, `monitors:${lineBreakOf(text)}  - ${entry}`)];
  }
  const last = list?.items.at(-1);
  if (list === undefined || last === undefined) return fillEmpty(text, pair, entry);
  const dash = dashesOf(list)?.at(-1);
  if (dash === undefined) {
    const end = endOf(last, 0);
    return list.srcToken?.type === "flow-collection"
      ? [{ start: end, end, text: `, ${entry}` }]
      : undefined;
  }
  const indent = text.slice(lineStart(text, dash), dash);
  if (indent.trim() !== "") return undefined;
  return [insertLine(text, nextLine(text, endOf(last, dash + 1)), `${indent}- ${entry}`)];
}

/** The first entry of a list that is written as `[]`, as `null`, or absent. */
function fillEmpty(text: string, pair: Pair, entry: string): Splices {
  const key = startOf(pair.key);
  if (key === undefined) return undefined;
  const keyEnd = endOf(pair.key, key);
  const start = startOf(pair.value) ?? keyEnd;
  const end = Math.max(endOf(pair.value, keyEnd), keyEnd + 1);
  const indent = text.slice(lineStart(text, key), key);
  const line = insertLine(text, nextLine(text, end), `${indent}  - ${entry}`);
  if (end <= start) return [line];
  const written = text.slice(start, end);
  if (!/^(?:\[\s*\]|~|null)$/i.test(written)) return undefined;
  const before = /[ \t]*$/.exec(text.slice(keyEnd + 1, start))?.[0].length ?? 0;
  const isLast = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  return [{ start: isLast ? start - before : start, end, text: "" }, line];
}

const PLAIN_ID = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Words that some version of YAML reads as another type than text. Source: YAML 1.1 and 1.2, schemas. */
const NOT_TEXT = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** Characters that YAML 1.2 does not allow in a quoted text (section 5.1), and line ends of YAML 1.1. */
const ESCAPED = /[\u007F-\u009F\u2028\u2029\uFEFF\uFFFE\uFFFF]/g;

/** A text as YAML, quoted unless it is certainly read as text. Never throws. */
export function writeText(value: string): string {
  if (PLAIN_ID.test(value) && !NOT_TEXT.test(value)) return value;
  // Every JSON text is YAML 1.2, except for characters that have to be escaped.
  return JSON.stringify(value).replace(
    ESCAPED,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
