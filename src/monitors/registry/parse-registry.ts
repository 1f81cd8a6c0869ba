import type { Monitor } from "../../model/monitor/monitor.ts";
import { toProblems, type Problem } from "../../yaml/problem.ts";
import { type FaultInPlace, readEntries } from "./read-entries.ts";
import type { MonitorRules } from "./registry-schema.ts";

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
