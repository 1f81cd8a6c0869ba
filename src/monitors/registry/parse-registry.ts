import { MONITOR_ID, MONITOR_ID_SOURCE } from "../../model/ids.ts";
import * as z from "zod";
import { groupBy } from "../../model/lists.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import { checkShape, strictMapping } from "../../yaml/check-shape.ts";
import { type Finding, type Problem, toProblems } from "../../yaml/problem.ts";
import { readStrictYaml, type Located, decodeUtf8 } from "../../yaml/strict-yaml.ts";
import { readJsonLine } from "./json-lines.ts";
import { faultInNewId, monitorSchema, type MonitorRules } from "./registry-schema.ts";

/** YAML for people, or JSON lines for programs, one object per line. */
export type RegistryFormat = "yaml" | "json-lines";

export interface Entry {
  /** Its beginning, in UTF-16 units of the text; for JSON lines the beginning of its line. */
  readonly offset: number;
  /** The id as written, also of an entry with other faults; undefined if there is none of the right form. */
  readonly id: string | undefined;
  /** Undefined if the entry is invalid. */
  readonly monitor: Monitor | undefined;
}

/** The content of a registry: entries in order, and what is wrong with them. */
export type ReadRegistry =
  | ({
      readonly kind: "read";
      readonly format: RegistryFormat;
      /** Without a byte order mark; offsets refer to this text. */
      readonly text: string;
    } & Readonly<Pick<Judge, "entries" | "findings" | "warnings" | "uncollected">>)
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

/** The format of a registry: JSON lines if its first non-blank character is a brace; undefined if it is blank. Never throws. */
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

/** The content of a registry at the place of an entry. */
interface Candidate {
  readonly root: Located;
  readonly offset: number;
  /** Prefix of the paths of findings inside. */
  readonly path: readonly PropertyKey[];
  /** Its name for people, `line 12`. */
  readonly where: string;
  /** Earlier findings. */
  readonly findings: readonly Finding[];
}

/** Why an entry with this id does not belong into the file; undefined if it does. */
export type FaultInPlace = (id: string) => string | undefined;

/** Ten times the number that is ever shown. */
const MAX_COLLECTED = 1_000;

/** Validates the entries of one registry one by one, and remembers the values that must be unique. */
class Judge {
  readonly entries: Entry[] = [];
  readonly findings: Finding[] = [];
  /** What may stay as it is, but would be refused in a new entry; at most as many as findings. */
  readonly warnings: Finding[] = [];
  /** Findings that were only counted. */
  uncollected = 0;
  readonly #schema: z.ZodType<Monitor>;
  /** Name of the entry that had it first, by lowercase id. */
  readonly #firsts = new Map<string, string>();
  readonly #faultInPlace: FaultInPlace | undefined;

  constructor(rules: MonitorRules, faultInPlace?: FaultInPlace) {
    this.#schema = monitorSchema(rules);
    this.#faultInPlace = faultInPlace;
  }

  judge(candidate: Candidate): void {
    const { root, offset, path, where, findings } = candidate;
    const written = root.parts.get("id")?.node.value;
    const id = typeof written === "string" && MONITOR_ID.test(written) ? written : undefined;
    const shaped = checkShape(root, this.#schema);
    const found = [...findings];
    if (shaped.kind === "misshapen")
      found.push(...shaped.findings.map((one) => ({ ...one, path: [...path, ...one.path] })));
    if (id !== undefined) {
      const misplaced = this.#faultInPlace?.(id);
      if (misplaced !== undefined) found.push(ofId(candidate, misplaced));
      const first = this.#firsts.get(id.toLowerCase());
      if (first === undefined) this.#firsts.set(id.toLowerCase(), where);
      else found.push(ofId(candidate, `the same id as ${first}; change or remove one of the two.`));
    }
    const isGood = shaped.kind === "ok" && found.length === 0;
    const fault = isGood ? faultInNewId(shaped.value.id) : undefined;
    if (fault !== undefined && this.warnings.length < MAX_COLLECTED)
      this.warnings.push(ofId(candidate, `${fault}; it is kept, but no new monitor can have it.`));
    this.note({ offset, id, monitor: isGood ? shaped.value : undefined }, found);
  }

  note(entry: Entry, findings: readonly Finding[]): void {
    this.entries.push(entry);
    for (const finding of findings) {
      if (this.findings.length < MAX_COLLECTED) this.findings.push(finding);
      else this.uncollected += 1;
    }
  }
}

function ofId({ root, path }: Candidate, message: string): Finding {
  const offset = root.parts.get("id")?.node.offset ?? root.offset;
  return { offset, path: [...path, "id"], message };
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

function readYaml(source: Uint8Array | string, judge: Judge): ReadRegistry {
  const yaml = readStrictYaml(source, MAX_BYTES.yaml, MAX_LEXEMES);
  if (yaml.kind === "unreadable") return yaml;
  const { root, text } = yaml;
  const nodes = [...(root.parts.get("monitors")?.node.parts.values() ?? [])].map(
    ({ node }) => node,
  );
  const shared = yaml.findings.slice(0, MAX_SHARED);
  const owned = groupBy(shared, (finding) => ownerOf(finding, nodes, text));
  const findings = [...yaml.findings.slice(MAX_SHARED), ...(owned.get(-1) ?? [])];
  if (root.value !== null || root.isRefused) {
    const shaped = checkShape(root, WHOLE);
    if (shaped.kind === "misshapen") findings.push(...shaped.findings);
  }
  for (const [index, node] of nodes.entries()) {
    const place = { offset: node.offset, path: ["monitors", index], where: `monitors[${index}]` };
    judge.judge({ root: node, ...place, findings: owned.get(index) ?? [] });
  }
  // Content outside of the entries may hide some of them, so no missing monitor counts as removed.
  if (findings.length > 0)
    return { kind: "unreadable", text, findings: [...findings, ...judge.findings] };
  return { kind: "read", format: "yaml", text, ...judge };
}

/** The id in a line that is not JSON, where a person would see one. */
const ID_SEEN = new RegExp(`"id"\\s*:\\s*"(${MONITOR_ID_SOURCE})"`, "u");
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
  return { kind: "read", format: "json-lines", text, ...judge };
}

/** Whether JSON lines with this many entries stay within the limits. Never throws. */
export function fits(text: string, entries: number): boolean {
  const most = MAX_BYTES["json-lines"];
  // A character takes at most three bytes, so hardly any text has to be encoded.
  const isShort = text.length * 3 <= most || new TextEncoder().encode(text).length <= most;
  return isShort && entries <= MAX_LINES;
}

/** The non-blank lines of a text, without their ends. */
function* linesOf(text: string) {
  let offset = 0;
  for (let number = 1; offset < text.length; number += 1) {
    const feed = text.indexOf("\n", offset);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(offset, end);
    if (/[^ \t\r]/.test(line)) yield { line, offset, number };
    offset = end + 1;
  }
}

/** Reads a registry of either format. `unreadable`: it is unknown which monitors it names. Bounded for any input. Never throws. */
export function readEntries(
  source: Uint8Array | string,
  rules: MonitorRules,
  faultInPlace?: FaultInPlace,
): ReadRegistry {
  const judge = new Judge(rules, faultInPlace);
  return formatOf(source) === "json-lines" ? readJsonLines(source, judge) : readYaml(source, judge);
}

export interface ParsedMonitors {
  /** Valid monitors, in the order of the file. */
  readonly monitors: readonly Monitor[];
  /** Every problem, sorted by position; at most 100, and how many more there are. */
  readonly problems: readonly Problem[];
  /** What may stay as it is, but would be refused in a new entry; otherwise like `problems`. */
  readonly warnings: readonly Problem[];
  /** Ids of invalid entries, as written: these monitors were not removed. None is the id of a valid monitor. */
  readonly rejectedIds: readonly string[];
  /** An invalid entry has no readable id: a missing monitor may be that one, and was not removed. */
  readonly hasUnnamed: boolean;
  /** False if it is unknown which monitors the file names; then there are none here, and none was removed. */
  readonly isReadable: boolean;
}

/**
 * Reads the registry of monitors, YAML or JSON lines by its first character. Defaults are filled in, names and URLs are in their
 * normal form. An entry with a problem is left out, alone. Of two entries with one id the first stays. Takes two seconds and 300 MB
 * for 100,000 entries, and is bounded for any input. Never throws. See docs/monitors/registry.md.
 */
export function parseMonitors(
  source: Uint8Array | string,
  rules: MonitorRules,
  faultInPlace?: FaultInPlace,
): ParsedMonitors {
  const read = readEntries(source, rules, faultInPlace);
  if (read.kind === "unreadable") {
    const problems = toProblems(read.text, read.findings);
    const nothing = { monitors: [], warnings: [], rejectedIds: [] };
    return { ...nothing, problems, hasUnnamed: true, isReadable: false };
  }
  const monitors: Monitor[] = [];
  const rejected = new Set<string>();
  let hasUnnamed = false;
  for (const { id, monitor } of read.entries) {
    if (monitor !== undefined) monitors.push(monitor);
    else if (id === undefined) hasUnnamed = true;
    else rejected.add(id);
  }
  const accepted = new Set(rejected.size === 0 ? [] : monitors.map(({ id }) => id.toLowerCase()));
  return {
    monitors,
    problems: toProblems(read.text, read.findings, read.uncollected),
    warnings: toProblems(read.text, read.warnings),
    rejectedIds: [...rejected].filter((id) => !accepted.has(id.toLowerCase())),
    hasUnnamed,
    isReadable: true,
  };
}
