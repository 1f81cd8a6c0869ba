import { z } from "zod";
import { checkShape, strictMapping } from "../../yaml/check-shape.ts";
import type { Finding } from "../../yaml/problem.ts";
import { decodeUtf8, readStrictYaml, type Located } from "../../yaml/strict-yaml.ts";
import { readJsonLine } from "./json-lines.ts";
import { Judge, type Entry, type FaultInPlace } from "./validate-entry.ts";
import type { MonitorRules } from "./registry-schema.ts";

/** YAML for people, or JSON lines for programs, one object per line. */
export type RegistryFormat = "yaml" | "json-lines";

/** The content of a registry: entries in order, and what is wrong with them. */
export type ReadRegistry =
  | {
      readonly kind: "read";
      readonly format: RegistryFormat;
      /** Without a byte order mark; offsets refer to this text. */
      readonly text: string;
      readonly entries: readonly Entry[];
      readonly findings: readonly Finding[];
      /** What may stay as it is, but would be refused in a new entry. */
      readonly warnings: readonly Finding[];
      /** Findings that were only counted. */
      readonly uncollected: number;
    }
  | { readonly kind: "unreadable"; readonly text: string; readonly findings: readonly Finding[] };

/** Largest registry of each format, bytes. Source: docs/monitors/registry.md, "Limits". */
export const MAX_BYTES = {
  yaml: 4 * 1024 * 1024,
  "json-lines": 64 * 1024 * 1024,
} as const satisfies Record<RegistryFormat, number>;

/** Tokens of a YAML file: some eight thousand monitors, which take the YAML library half a second. */
const MAX_LEXEMES = 300_000;
const MAX_LINES = 150_000;

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const BRACE = 0x7b;

/**
 * The format of a registry by its content: JSON lines if its first non-blank character is a brace; undefined if there is none.
 * Never throws.
 */
export function formatOf(source: Uint8Array | string): RegistryFormat | undefined {
  const codeAt = (index: number): number =>
    typeof source === "string" ? source.charCodeAt(index) : (source[index] ?? 0);
  let index = 0;
  if (typeof source === "string") index = source.startsWith("\uFEFF") ? 1 : 0;
  else if (source[0] === 0xef && source[1] === 0xbb && source[2] === 0xbf) index = 3;
  while (index < source.length && BLANKS.has(codeAt(index))) index += 1;
  if (index >= source.length) return undefined;
  return codeAt(index) === BRACE ? "json-lines" : "yaml";
}

const WHOLE = strictMapping({ monitors: z.nullable(z.array(z.unknown())) });

/** Characters that YAML allows before a value, all refused here. */
const PROPERTIES = /^[&!]\S*(?:\s+[&!]\S*)*\s*$/;

/** Index of the entry of a finding, by its path or else by its position; -1 for none. */
function ownerOf(finding: Finding, entries: readonly Located[], text: string): number {
  const [top, index] = finding.path;
  if (top === "monitors" && typeof index === "number") return index;
  if (finding.path.length > 0) return -1;
  const before = entries.findLastIndex(({ offset }) => offset <= finding.offset);
  const next = entries[before + 1];
  const isNext = next !== undefined && PROPERTIES.test(text.slice(finding.offset, next.offset));
  return isNext ? before + 1 : before;
}

/** More faults than anybody writes by hand; assigning them to entries would only take time. */
const MAX_SHARED = 1_000;

/** Findings by entry, and those outside of all entries. */
function shareOut(
  found: readonly Finding[],
  entries: readonly Located[],
  text: string,
): { readonly owned: ReadonlyMap<number, readonly Finding[]>; readonly findings: Finding[] } {
  const owned = new Map<number, Finding[]>();
  const findings = found.slice(MAX_SHARED);
  for (const finding of found.slice(0, MAX_SHARED)) {
    const owner = ownerOf(finding, entries, text);
    const list = owner < 0 ? findings : (owned.get(owner) ?? []);
    if (owner >= 0) owned.set(owner, list);
    list.push(finding);
  }
  return { owned, findings };
}

function readYaml(source: Uint8Array | string, judge: Judge): ReadRegistry {
  const yaml = readStrictYaml(source, MAX_BYTES.yaml, MAX_LEXEMES);
  if (yaml.kind === "unreadable") return yaml;
  const { root, text } = yaml;
  const nodes = [...(root.parts.get("monitors")?.node.parts.values() ?? [])].map(
    ({ node }) => node,
  );
  const { findings, owned } = shareOut(yaml.findings, nodes, text);
  if (root.value !== null || root.isRefused) {
    const shaped = checkShape(root, WHOLE);
    if (shaped.kind === "misshapen") findings.push(...shaped.findings);
  }
  for (const [index, node] of nodes.entries()) {
    judge.judge({
      root: node,
      offset: node.offset,
      path: ["monitors", index],
      where: `monitors[${index}]`,
      findings: owned.get(index) ?? [],
    });
  }
  // Content outside of the entries may hide some of them, so no missing monitor counts as removed.
  if (findings.length > 0) {
    return { kind: "unreadable", text, findings: [...findings, ...judge.findings] };
  }
  return { kind: "read", format: "yaml", text, ...judge.result() };
}

/** The id in a line that is not JSON, where a person would see one. */
const ID_SEEN = /"id"\s*:\s*"([A-Za-z0-9_-]{1,64})"/;
const MAX_SEARCH_LENGTH = 4_096;

function readJsonLines(source: Uint8Array | string, judge: Judge): ReadRegistry {
  const decoded = decodeUtf8(source, MAX_BYTES["json-lines"]);
  const { text } = decoded;
  if (decoded.kind === "refused") return { kind: "unreadable", text, findings: [decoded.finding] };
  let isUnderstood = false;
  for (const { line, offset, number } of linesOf(text)) {
    if (judge.entries.length === MAX_LINES) {
      const message = `the file holds over ${MAX_LINES} monitors; remove some.`;
      return { kind: "unreadable", text, findings: [{ offset, path: [], message }] };
    }
    const read = readJsonLine(line, offset);
    if (read.kind === "broken") {
      const id = ID_SEEN.exec(line.slice(0, MAX_SEARCH_LENGTH))?.[1];
      judge.note({ offset, id, monitor: undefined }, [read.finding]);
    } else {
      isUnderstood = true;
      const { root, findings } = read;
      judge.judge({ root, offset, path: [], where: `line ${number}`, findings });
    }
  }
  // A file that only looks like JSON lines, such as one object over many lines, has no entries to leave out.
  if (!isUnderstood) return { kind: "unreadable", text, findings: judge.findings };
  return { kind: "read", format: "json-lines", text, ...judge.result() };
}

/** Whether JSON lines with this many entries stay within the limits. Never throws. */
export function fits(text: string, entries: number): boolean {
  const most = MAX_BYTES["json-lines"];
  // A character takes at most three bytes, so hardly any text has to be encoded.
  const isShort = text.length * 3 <= most || new TextEncoder().encode(text).length <= most;
  return isShort && entries <= MAX_LINES;
}

/** The non-blank lines of a text, without their ends. */
function* linesOf(
  text: string,
): Generator<{ readonly line: string; readonly offset: number; readonly number: number }> {
  let offset = 0;
  for (let number = 1; offset < text.length; number += 1) {
    const feed = text.indexOf("\n", offset);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(offset, end);
    if (/[^ \t\r]/.test(line)) yield { line, offset, number };
    offset = end + 1;
  }
}

/**
 * Reads a registry of either format into entries, valid and invalid. `unreadable`: it is unknown which monitors it names. Bounded
 * in time and memory for any input. Never throws.
 */
export function readEntries(
  source: Uint8Array | string,
  rules: MonitorRules,
  faultInPlace?: FaultInPlace,
): ReadRegistry {
  const judge = new Judge(rules, faultInPlace);
  return formatOf(source) === "json-lines" ? readJsonLines(source, judge) : readYaml(source, judge);
}
