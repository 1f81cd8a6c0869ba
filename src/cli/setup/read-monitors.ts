import type { Monitor } from "../../model/monitor.ts";
import { shardOf } from "../../model/shard.ts";
import { type ParsedMonitors, parseMonitors } from "../../monitors/registry/parse-registry.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import type { Problem } from "../../yaml/problem.ts";
import type { RegistryPart, RegistryRead } from "./registry-file.ts";
import { nameOfShard } from "./registry-location.ts";

/** All parts of a registry together. Problems are lines `FILE:LINE:COLUMN: sentence`. */
export interface ReadMonitors extends Omit<ParsedMonitors, "problems" | "warnings"> {
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Parses what was read; the same object if nothing has changed since the last call. */
export type ParseRegistry = (
  read: Pick<Extract<RegistryRead, { kind: "found" }>, "parts" | "strangers">,
) => ReadMonitors;

/** Problems as lines `FILE:LINE:COLUMN: sentence`. Never throws. */
export function describeProblems(name: string, problems: readonly Problem[]): readonly string[] {
  return problems.map(({ line, column, path, message }) => {
    return `${name}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
  });
}

/** A parser that parses a part again only if it has changed. */
export function createRegistryParser(rules: MonitorRules): ParseRegistry {
  let parsed = new Map<string, { readonly etag: string; readonly monitors: ParsedMonitors }>();
  let last: { readonly key: string; readonly monitors: ReadMonitors } | undefined;
  return ({ parts, strangers }) => {
    const key = JSON.stringify([parts.map(({ name, etag }) => [name, etag]), strangers]);
    if (last?.key === key) return last.monitors;
    const next = new Map<string, { readonly etag: string; readonly monitors: ParsedMonitors }>();
    for (const part of parts) {
      const known = parsed.get(part.name);
      const isSame = known?.etag === part.etag;
      next.set(part.name, isSame ? known : { etag: part.etag, monitors: parsePart(part, rules) });
    }
    parsed = next;
    const monitors = joinParts(
      [...parsed].map(([name, one]) => [name, one.monitors]),
      strangers,
    );
    last = { key, monitors };
    return monitors;
  };
}

function parsePart({ bytes, shard }: RegistryPart, rules: MonitorRules): ParsedMonitors {
  if (shard === undefined) return parseMonitors(bytes, rules);
  return parseMonitors(bytes, rules, (id) =>
    shardOf(id) === shard
      ? undefined
      : `belongs into ${nameOfShard(shardOf(id))}; move its line there.`,
  );
}

function joinParts(
  parts: readonly (readonly [name: string, monitors: ParsedMonitors])[],
  strangers: readonly string[],
): ReadMonitors {
  const { monitors, problems: doubles, rejectedIds } = withoutDoubles(parts);
  const foreign = strangers.map(
    (name) => `${name} is not a shard of the registry; the shards are 00.jsonl to 3f.jsonl.`,
  );
  const described = parts.flatMap(([name, one]) => describeProblems(name, one.problems));
  const accepted = new Set(monitors.map(({ id }) => id.toLowerCase()));
  const rejected = [...parts.flatMap(([, one]) => one.rejectedIds), ...rejectedIds];
  return {
    monitors,
    problems: [...described, ...doubles, ...foreign],
    warnings: parts.flatMap(([name, one]) => describeProblems(name, one.warnings)),
    rejectedIds: rejected.filter((id) => !accepted.has(id.toLowerCase())),
    // What is in a strange file may be monitors that were meant to stay.
    hasUnnamed: strangers.length > 0 || parts.some(([, one]) => one.hasUnnamed),
    isReadable: parts.every(([, one]) => one.isReadable),
  };
}

/** Ids that differ only in their letters' case can be in different shards; the first stays. */
function withoutDoubles(parts: readonly (readonly [name: string, monitors: ParsedMonitors])[]): {
  readonly monitors: readonly Monitor[];
  readonly problems: readonly string[];
  readonly rejectedIds: readonly string[];
} {
  const [first] = parts;
  // Within one part the parser has already looked.
  if (parts.length === 1 && first !== undefined)
    return { monitors: first[1].monitors, problems: [], rejectedIds: [] };
  const places = new Map<string, string>();
  const problems: string[] = [];
  const rejectedIds: string[] = [];
  const monitors = parts.flatMap(([name, one]) =>
    one.monitors.filter(({ id }) => {
      const place = places.get(id.toLowerCase());
      if (place === undefined) {
        places.set(id.toLowerCase(), name);
        return true;
      }
      problems.push(
        `${name}: the id "${id}" is in ${place} too, apart from the case of its letters; change or remove one of the two.`,
      );
      rejectedIds.push(id);
      return false;
    }),
  );
  return { monitors, problems, rejectedIds };
}
