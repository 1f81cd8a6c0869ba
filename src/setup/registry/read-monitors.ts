import type { Monitor } from "../../model/monitor/monitor.ts";
import { SHARD_COUNT, shardOf } from "../../model/monitor/shard.ts";
import { type ParsedMonitors, parseMonitors } from "../../monitors/registry/parse-registry.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import type { FaultInPlace } from "../../monitors/registry/validate-entry.ts";
import { createPacedCollector } from "../collect-garbage.ts";
import { describeProblems } from "../files/named-files.ts";
import type { RegistryPart, RegistryRead } from "./read-registry.ts";
import { nameOfShard } from "./registry-location.ts";

/** All parts of a registry together. */
export interface ReadMonitors {
  /** In the order of the parts. Those of a part that cannot be read any more are as they were. */
  readonly monitors: readonly Monitor[];
  /** What is wrong with entries, which are left out: lines `FILE:LINE:COLUMN: sentence`. */
  readonly problems: readonly string[];
  /** What is wrong with whole files: it is unknown which monitors they name. */
  readonly faults: readonly string[];
  /** What may stay as it is, but would be refused in a new entry. */
  readonly warnings: readonly string[];
  /** Ids of invalid entries, as written. None is the id of a valid monitor. */
  readonly rejectedIds: readonly string[];
  /** Whether every monitor that is not here has left the registry. */
  readonly isComplete: boolean;
  /** False if no part could be parsed. */
  readonly isReadable: boolean;
}

type FoundRegistry = Pick<Extract<RegistryRead, { kind: "found" }>, "parts" | "foreign">;

/** Parses what was read; the same object if nothing has changed since the last call. */
export type ParseRegistry = (read: FoundRegistry) => ReadMonitors;

/** More than a person reads; a folder of something else can have millions. */
const MAX_FOREIGN = 100;

/** A part with the monitors that are used. */
interface ParsedPart {
  /** Undefined while it cannot be read. */
  readonly etag: string | undefined;
  /** The last version that could be parsed. */
  readonly usable: ParsedMonitors | undefined;
  readonly faults: readonly string[];
}

/**
 * A parser that parses a part again only if it has changed.
 *
 * @param isOwn tells the ids that are kept; absent: all.
 */
export function createRegistryParser(
  rules: MonitorRules,
  isOwn?: (id: string) => boolean,
): ParseRegistry {
  let known = new Map<string, ParsedPart>();
  let last: { readonly key: string; readonly monitors: ReadMonitors } | undefined;
  return ({ parts, foreign }) => {
    const key = JSON.stringify([parts.map(versionOf), foreign]);
    if (last?.key === key) return last.monitors;
    const collectAfter = createPacedCollector();
    const parsed = parts.map((part) => {
      const before = known.get(part.name);
      const one = { part, ...parsePart(part, before, rules, isOwn) };
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
  isOwn?: (id: string) => boolean,
): ParsedPart {
  const { name, content } = part;
  const usable = before?.usable;
  if (content.kind === "unreachable") return { etag: undefined, usable, faults: [content.message] };
  if (before?.etag === content.etag) return before;
  const { etag, bytes } = content;
  const parsed = parseMonitors(bytes, rules, ruleOfPlace(part));
  return parsed.isReadable
    ? { etag, usable: keepOwn(parsed, isOwn), faults: [] }
    : { etag, usable, faults: describeProblems(name, parsed.problems) };
}

/** Without the monitors of other cells: a cell holds its own share of a large registry. */
function keepOwn(parsed: ParsedMonitors, isOwn?: (id: string) => boolean): ParsedMonitors {
  if (isOwn === undefined) return parsed;
  return {
    ...parsed,
    monitors: parsed.monitors.filter(({ id }) => isOwn(id)),
    rejectedIds: parsed.rejectedIds.filter(isOwn),
  };
}

/** Only the place in a registry of shards has a rule. */
function ruleOfPlace({ shard }: RegistryPart): FaultInPlace {
  return (id) =>
    shard === undefined || shardOf(id) === shard
      ? undefined
      : `belongs into ${nameOfShard(shardOf(id))}; move its line there.`;
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
    const own = isDouble ? parseSingles(one, places, rules) : usable;
    for (const { id } of own?.monitors ?? []) {
      const key = id.toLowerCase();
      if (suspects.has(key)) places.set(key, part.name);
    }
    return { ...one, usable: own };
  });
}

/** The part once more, now with a problem at each id that is in `places`. */
function parseSingles(
  { part, usable, faults }: PlacedPart,
  places: ReadonlyMap<string, string>,
  rules: MonitorRules,
): ParsedMonitors | undefined {
  const faultOf = (id: string): string | undefined => {
    const place = places.get(id.toLowerCase());
    return (
      place &&
      `the same id as in ${place}, apart from letter case; change or remove one of the two.`
    );
  };
  if (part.content.kind === "bytes" && faults.length === 0) {
    const inPlace = ruleOfPlace(part);
    return parseMonitors(part.content.bytes, rules, (id) => inPlace(id) ?? faultOf(id));
  }
  // An older version, which has no lines any more.
  return (
    usable && {
      ...usable,
      monitors: usable.monitors.filter(({ id }) => !places.has(id.toLowerCase())),
    }
  );
}

function joinParts(parts: readonly PlacedPart[], foreign: readonly string[]): ReadMonitors {
  const used = parts.flatMap(({ part: { name }, usable }) => (usable ? [{ name, ...usable }] : []));
  // Those of an older version have no lines any more.
  const current = parts.flatMap(({ part: { name }, usable, faults: { length } }) =>
    usable && length === 0 ? [{ name, ...usable }] : [],
  );
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

const SHARDS = `${nameOfShard(0)} to ${nameOfShard(SHARD_COUNT - 1)}`;

function describeForeign(names: readonly string[]): readonly string[] {
  const shown = names
    .slice(0, MAX_FOREIGN)
    .map((name) => `${name}: not a shard of the registry, which are ${SHARDS}; move it away.`);
  const rest = names.length - shown.length;
  return rest === 0 ? shown : [...shown, `${rest} more files there are not shards.`];
}

/** FNV-1a. Source: draft-eastlake-fnv, 32 bits. */
const BASIS = 0x81_1c_9d_c5;
const PRIME = 0x01_00_01_93;

/**
 * Lowercase ids that monitors of several parts share, as far as 32 bits tell: all that do, and of a million ids about a hundred others.
 * A set of all ids would take more memory than the monitors. Pure.
 */
export function findDoubleIds(
  parts: readonly (readonly { readonly id: string }[])[],
): ReadonlySet<string> {
  const hashes = Uint32Array.from(parts.flatMap((part) => part.map(({ id }) => hashOf(id))));
  hashes.sort();
  const twice = new Set(hashes.filter((hash, at) => at > 0 && hash === hashes[at - 1]));
  if (twice.size === 0) return new Set();
  return new Set(
    parts.flatMap((part) =>
      part.flatMap(({ id }) => (twice.has(hashOf(id)) ? [id.toLowerCase()] : [])),
    ),
  );
}

/** The same for an id in any letter case: ids are ASCII, whose cases differ in one bit. */
function hashOf(id: string): number {
  let hash = BASIS;
  for (let at = 0; at < id.length; at += 1)
    hash = Math.imul(hash ^ (id.charCodeAt(at) | 0x20), PRIME) >>> 0;
  return hash;
}
