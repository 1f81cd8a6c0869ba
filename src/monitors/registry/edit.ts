import type { Monitor } from "../../model/monitor/monitor.ts";
import { describeProblem, toProblems, type Finding } from "../../yaml/problem.ts";
import { readJsonLine } from "./json-lines.ts";
import { type Entry, fits, formatOf, readEntries, type RegistryFormat } from "./parse-registry.ts";
import {
  faultInNewId,
  type MonitorRules,
  toWritten,
  type WrittenMonitor,
} from "./registry-schema.ts";
import {
  appendEntry,
  applySplices,
  lineBreakOf,
  removeEntry,
  setEntryPublic,
  writeText,
  type Splices,
} from "./yaml-edit.ts";

/** `unreadable`: the registry has to be fixed first; `invalid`: a value breaks a rule; `by-hand`: a program should not edit it. */
export type RefusalCode = "unreadable" | "invalid" | "taken" | "unknown-id" | "by-hand";

export type Refused = ReturnType<typeof refuse>;

/** A registry after an edit. `monitor` is undefined if the removed entry was invalid. */
export type Edited<M = Monitor> =
  | { readonly kind: "edited"; readonly text: string; readonly monitor: M }
  | Refused;

const BY_HAND =
  "the file is written in a way that cannot be changed safely; edit it by hand, in docs/monitors/registry.md is how.";

function refuse(code: RefusalCode, message: string) {
  return { kind: "refused", code, message } as const;
}

/** Refuses an id that a monitor has. */
export function refuseTaken(id: string): Refused {
  return refuse("taken", `there is a monitor with the id "${id}" already; use another id.`);
}

/** Refuses to edit a registry with a fault in it. */
export function refuseUnreadable(fault: string): Refused {
  return refuse("unreadable", `the registry has to be fixed first: ${fault}`);
}

function describe(text: string, findings: readonly Finding[]): string {
  return toProblems(text, findings).slice(0, 1).map(describeProblem).join("");
}

function openRegistry(source: string, rules: MonitorRules) {
  // The byte order mark of the file is not part of the text.
  const mark = source.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = source.slice(mark.length);
  const read = readEntries(text, rules);
  if (read.kind === "read") return { kind: "opened", mark, text, read } as const;
  return refuseUnreadable(describe(read.text, read.findings));
}

type Opened = Exclude<ReturnType<typeof openRegistry>, Refused>;

/** The registry with the only entry that has this id. */
function findEntry(source: string, id: string, rules: MonitorRules) {
  const opened = openRegistry(source, rules);
  if (opened.kind === "refused") return opened;
  const { entries } = opened.read;
  const index = entries.findIndex((entry) => entry.id === id);
  const entry = entries[index];
  if (entry === undefined) return refuse("unknown-id", `no monitor has the id "${id}".`);
  const same = entries.filter((other) => other.id?.toLowerCase() === id.toLowerCase());
  return same.length === 1
    ? { ...opened, index, entry }
    : refuse("by-hand", `more than one entry has the id "${id}"; edit the file by hand.`);
}

/** Entries are small and plain, so equal JSON means equal entries. */
function toComparable(entries: readonly Entry[]): string {
  return JSON.stringify(entries.map(({ id, monitor }) => [id, monitor]));
}

/** The YAML after the changes, provided that it then contains what was intended and no new fault. */
function settleYaml<M>(
  { mark, read }: Opened,
  splices: Splices,
  expected: readonly Entry[],
  monitor: M,
  rules: MonitorRules,
): Edited<M> {
  if (splices === undefined) return refuse("by-hand", BY_HAND);
  const text = applySplices(read.text, splices);
  const after = readEntries(text, rules);
  if (after.kind === "unreadable")
    return refuse("by-hand", `${BY_HAND} After the change: ${describe(text, after.findings)}`);
  const isClean =
    after.findings.length + after.uncollected <= read.findings.length + read.uncollected;
  if (!isClean || toComparable(after.entries) !== toComparable(expected))
    return refuse("by-hand", BY_HAND);
  return { kind: "edited", text: mark + text, monitor };
}

/** The line of an entry of JSON lines, without its end. */
function lineAt(text: string, offset: number): string {
  const feed = text.indexOf("\n", offset);
  return text.slice(offset, feed < 0 ? text.length : feed);
}

function toYaml(entry: WrittenMonitor): string {
  const pairs = Object.entries(entry).map(([key, value]) => {
    const written = typeof value === "string" ? writeText(value) : JSON.stringify(value);
    return `${key}: ${written}`;
  });
  return `{ ${pairs.join(", ")} }`;
}

/** The registry with one more monitor at its end; every other byte stays. `emptyFormat` is for one without content. Never throws. */
export function addMonitor(
  source: string,
  wanted: WrittenMonitor,
  rules: MonitorRules,
  emptyFormat: RegistryFormat = "yaml",
): Edited {
  const opened = openRegistry(source, rules);
  if (opened.kind === "refused") return opened;
  const { mark, text, read } = opened;
  const given = readEntries(JSON.stringify(wanted), rules);
  const monitor = given.kind === "read" ? given.entries[0]?.monitor : undefined;
  if (monitor === undefined) {
    const faults = toProblems("", given.findings).map(({ path, message }) => `${path}: ${message}`);
    return refuse("invalid", faults.join("\n"));
  }
  const fault = faultInNewId(monitor.id);
  if (fault !== undefined) return refuse("invalid", `id: ${fault}; use another id.`);
  const taken = read.entries.find(({ id }) => id?.toLowerCase() === monitor.id.toLowerCase());
  if (taken?.id !== undefined) return refuseTaken(taken.id);
  const entry = toWritten(monitor, wanted.name !== undefined);
  if ((formatOf(text) ?? emptyFormat) === "json-lines") {
    const lineBreak = lineBreakOf(text);
    const isCut = text !== "" && !text.endsWith("\n");
    const after = `${text}${isCut ? lineBreak : ""}${JSON.stringify(entry)}${lineBreak}`;
    return fits(after, read.entries.length + 1)
      ? { kind: "edited", text: mark + after, monitor }
      : refuse("by-hand", "the registry is full; remove some monitors first.");
  }
  const expected = [...read.entries, { offset: 0, id: monitor.id, monitor }];
  return settleYaml(opened, appendEntry(text, toYaml(entry)), expected, monitor, rules);
}

/** Monitors as the text of a registry, in their normal form, without defaults. Never throws. */
export function writeEntries(monitors: readonly Monitor[], format: RegistryFormat): string {
  const entries = monitors.map((monitor) => toWritten(monitor));
  if (format === "json-lines") return entries.map((one) => `${JSON.stringify(one)}\n`).join("");
  return ["monitors:", ...entries.map((one) => `  - ${toYaml(one)}`), ""].join("\n");
}

/** The registry without the lines of the entry with exactly this id, valid or not. Every other byte stays. Never throws. */
export function removeMonitor(
  source: string,
  id: string,
  rules: MonitorRules,
): Edited<Monitor | undefined> {
  const found = findEntry(source, id, rules);
  if (found.kind === "refused") return found;
  const { mark, text, read, index, entry } = found;
  if (read.format === "json-lines") {
    const start = entry.offset;
    const end = start + lineAt(text, start).length + 1;
    const after = text.slice(0, start) + text.slice(end);
    return { kind: "edited", text: mark + after, monitor: entry.monitor };
  }
  const expected = read.entries.toSpliced(index, 1);
  return settleYaml(found, removeEntry(text, index), expected, entry.monitor, rules);
}

/** The registry with the page of one monitor on or off. The entry must be valid. Never throws. */
export function setPublic(
  source: string,
  id: string,
  isPublic: boolean,
  rules: MonitorRules,
): Edited {
  const found = findEntry(source, id, rules);
  if (found.kind === "refused") return found;
  const { text, read, index, entry } = found;
  if (entry.monitor === undefined) {
    const message = `the entry "${id}" is left out because of a mistake in it; fix it first.`;
    return refuse("invalid", message);
  }
  if (entry.monitor.isPublic === isPublic)
    return { kind: "edited", text: source, monitor: entry.monitor };
  const monitor: Monitor = { ...entry.monitor, isPublic };
  if (read.format === "json-lines") return setLinePublic(found, monitor, rules);
  const expected = read.entries.with(index, { ...entry, monitor });
  return settleYaml(found, setEntryPublic(text, index, isPublic), expected, monitor, rules);
}

function setLinePublic(
  { mark, text, entry: { offset } }: Exclude<ReturnType<typeof findEntry>, Refused>,
  monitor: Monitor,
  rules: MonitorRules,
): Edited {
  const line = lineAt(text, offset);
  const read = readJsonLine(line, 0);
  const held = read.kind === "read" ? read.root.parts.get("public")?.node : undefined;
  const word = String(monitor.isPublic);
  const before = line.slice(0, line.lastIndexOf("}")).trimEnd();
  const changed =
    held === undefined
      ? `${before},"public":${word}${line.slice(before.length)}`
      : line.slice(0, held.offset) + word + line.slice(held.offset + String(held.value).length);
  const edited = readEntries(changed, rules);
  const expected = [{ offset: 0, id: monitor.id, monitor }];
  if (edited.kind === "unreadable" || toComparable(edited.entries) !== toComparable(expected))
    return refuse("by-hand", BY_HAND);
  const after = text.slice(offset + line.length);
  return { kind: "edited", text: mark + text.slice(0, offset) + changed + after, monitor };
}
