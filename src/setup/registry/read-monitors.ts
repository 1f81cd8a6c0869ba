import { fnv1a } from "../../model/fnv1a.ts";
import { type Cell, hasSlot, slotOf } from "./cell.ts";
import {
  type FaultInPlace,
  type ParsedMonitors,
  parseMonitors,
} from "../../monitors/registry/parse-registry.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { createPacedCollector } from "../collect-garbage.ts";
import type { RegistryPart, RegistryRead } from "./read-registry.ts";
import { LAYOUTS } from "./registry-location.ts";
import { describeProblems } from "../files/named-files.ts";

/** All parts of a registry in their order. `monitors` has the last usable version of each, `isReadable`: some part is readable. */
export interface ReadMonitors extends Pick<
  ParsedMonitors,
  "monitors" | "rejectedIds" | "isReadable"
> {
  /** What is wrong with entries, which are left out: lines `FILE:LINE:COLUMN: sentence`. */
  readonly problems: readonly string[];
  /** What is wrong with whole files: it is unknown which monitors they name. */
  readonly faults: readonly string[];
  /** What may stay as it is, but would be refused in a new entry. */
  readonly warnings: readonly string[];
  /** Whether every monitor that is not here has left the registry. */
  readonly isComplete: boolean;
}

/** Parses what was read; the same object if nothing has changed since the last call. */
type ParseRegistry = (read: Omit<Extract<RegistryRead, { kind: "found" }>, "kind">) => ReadMonitors;

/** More than a person reads; a folder of something else can have millions. */
const MAX_FOREIGN = 100;

interface ParsedPart {
  /** Undefined while it cannot be read. */
  readonly etag: string | undefined;
  /** The last version that could be parsed. */
  readonly usable: ParsedMonitors | undefined;
  readonly faults: readonly string[];
}

/** A parser that parses a part again only if it has changed, and keeps the monitors of a cell, or all. */
export function createRegistryParser(rules: MonitorRules, cell?: Cell): ParseRegistry {
  let known = new Map<string, ParsedPart>();
  let last: { readonly key: string; readonly monitors: ReadMonitors } | undefined;
  return ({ parts, foreign }) => {
    const key = JSON.stringify([parts.map(versionOf), foreign]);
    if (last?.key === key) return last.monitors;
    const collectAfter = createPacedCollector();
    const parsed = parts.map((part) => {
      const before = known.get(part.name);
      const one = { part, ...parsePart(part, before, rules, cell) };
      if (part.content.kind === "bytes" && one.etag !== before?.etag)
        collectAfter(part.content.bytes.length);
      return one;
    });
    known = new Map(parsed.map(({ part, ...one }) => [part.name, one]));
    last = { key, monitors: joinParts(withoutDoubles(parsed, rules), foreign) };
    return last.monitors;
  };
}

function versionOf({ name, content }: RegistryPart): readonly string[] {
  return content.kind === "bytes" ? [name, content.etag] : [name, content.kind, content.message];
}

function parsePart(
  part: RegistryPart,
  before: ParsedPart | undefined,
  rules: MonitorRules,
  cell: Cell | undefined,
): ParsedPart {
  const { name, content } = part;
  const usable = before?.usable;
  if (content.kind === "unreachable") return { etag: undefined, usable, faults: [content.message] };
  if (before?.etag === content.etag) return before;
  const { etag, bytes } = content;
  const parsed = parseMonitors(bytes, rules, ruleOfPlace(part));
  return parsed.isReadable
    ? { etag, usable: cell === undefined ? parsed : keepOwn(parsed, cell), faults: [] }
    : { etag, usable, faults: describeProblems(name, parsed.problems) };
}

/** A cell holds its own share of a large registry. */
function keepOwn(parsed: ParsedMonitors, cell: Cell): ParsedMonitors {
  const isOwn = (id: string): boolean => hasSlot(cell, slotOf(id));
  return {
    ...parsed,
    monitors: parsed.monitors.filter(({ id }) => isOwn(id)),
    rejectedIds: parsed.rejectedIds.filter(isOwn),
  };
}

/** Only the place in a registry of shards has a rule. */
function ruleOfPlace({ shard }: RegistryPart): FaultInPlace {
  return (id) => {
    const place = shard?.layout.nameOf(id);
    return place === shard?.fileName ? undefined : `belongs into ${place}; move its line there.`;
  };
}

type PlacedPart = ParsedPart & { readonly part: RegistryPart };

/** Ids that differ only in letter case can be in different shards; the first stays. */
function withoutDoubles(parts: readonly PlacedPart[], rules: MonitorRules): readonly PlacedPart[] {
  // Within one part the parser has already looked.
  if (parts.length < 2) return parts;
  const suspects = findDoubleIds(parts.map(({ usable }) => usable?.monitors ?? []));
  if (suspects.size === 0) return parts;
  const places = new Map<string, string>();
  return parts.map((one) => {
    const { part, usable } = one;
    const isDouble = usable?.monitors.some(({ id }) => places.has(id.toLowerCase())) === true;
    const own = isDouble ? parseSingles(one, usable, places, rules) : usable;
    for (const { id } of own?.monitors ?? []) {
      const key = id.toLowerCase();
      if (suspects.has(key)) places.set(key, part.name);
    }
    return { ...one, usable: own };
  });
}

/** The part once more, now with a problem at each id that is in `places`. */
function parseSingles(
  { part, faults }: PlacedPart,
  usable: ParsedMonitors,
  places: ReadonlyMap<string, string>,
  rules: MonitorRules,
): ParsedMonitors {
  const placeOf = (id: string): string | undefined => places.get(id.toLowerCase());
  // An older version, which has no lines any more.
  if (part.content.kind !== "bytes" || faults.length > 0)
    return { ...usable, monitors: usable.monitors.filter(({ id }) => placeOf(id) === undefined) };
  const inPlace = ruleOfPlace(part);
  return parseMonitors(part.content.bytes, rules, (id) => {
    const place = placeOf(id);
    const double =
      place &&
      `the same id as in ${place}, apart from letter case; change or remove one of the two.`;
    return inPlace(id) ?? double;
  });
}

function joinParts(parts: readonly PlacedPart[], foreign: readonly string[]): ReadMonitors {
  const used = parts.flatMap(({ part: { name }, usable, faults }) =>
    usable === undefined ? [] : [{ ...usable, name, isCurrent: faults.length === 0 }],
  );
  // Those of an older version have no lines any more.
  const current = used.filter(({ isCurrent }) => isCurrent);
  const monitors = used.flatMap((one) => one.monitors);
  const rejected = used.flatMap(({ rejectedIds }) => rejectedIds);
  // The id of a double is kept: its history may be older than that of the other one.
  const accepted = new Set(rejected.length === 0 ? [] : monitors.map(({ id }) => id));
  const faults = [...parts.flatMap((one) => one.faults), ...describeForeign(foreign)];
  return {
    monitors,
    problems: current.flatMap(({ name, problems }) => describeProblems(name, problems)),
    faults,
    warnings: current.flatMap(({ name, warnings }) => describeProblems(name, warnings)),
    rejectedIds: rejected.filter((id) => !accepted.has(id)),
    isComplete: faults.length === 0 && used.every(({ hasUnnamed }) => !hasUnnamed),
    isReadable: parts.length === 0 || parts.some((one) => one.faults.length === 0),
  };
}

const SHARDS = LAYOUTS.map(({ names }) => `${names[0]} to ${names.at(-1)}`).join(", or ");

function describeForeign(names: readonly string[]): readonly string[] {
  const shown = names
    .slice(0, MAX_FOREIGN)
    .map((name) => `${name}: not a shard of the registry, which are ${SHARDS}; move it away.`);
  const rest = names.length - shown.length;
  return rest === 0 ? shown : [...shown, `${rest} more files there are not shards.`];
}

/** Lowercase ids that several parts share, and by chance some others: a set of all would take more memory than the monitors. Pure. */
export function findDoubleIds(
  parts: readonly (readonly { readonly id: string }[])[],
): ReadonlySet<string> {
  const hashes = Uint32Array.from(parts.flatMap((part) => part.map(hashOf)));
  hashes.sort();
  const twice = new Set(hashes.filter((hash, at) => at > 0 && hash === hashes[at - 1]));
  if (twice.size === 0) return new Set();
  const doubles = parts.flatMap((part) => part.filter((one) => twice.has(hashOf(one))));
  return new Set(doubles.map(({ id }) => id.toLowerCase()));
}

function hashOf({ id }: { readonly id: string }): number {
  return fnv1a(id.toLowerCase());
}
