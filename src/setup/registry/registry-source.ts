import type { Registry } from "../../pipeline/publish/monitor-removals.ts";
import { MINUTE_MS } from "../../model/time.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { createRegistryParser, type ParseRegistry, type ReadMonitors } from "./read-monitors.ts";
import { createOwnParts, readRegistry, type RegistryRead } from "./read-registry.ts";
import { nameOfShard, openRegistry, type RegistryLocation } from "./registry-location.ts";
import { DEFAULT_REGISTRY } from "../options/shared-options.ts";
import type { Parsed } from "../parse-options.ts";

/** Greatest number of entries that are warned of in a run. */
const WARNINGS = 20;

/** After a failure, a registry is not read again for this long. */
const ASK_AGAIN_MS = MINUTE_MS;

/** A registry that is read at each request, and parsed if it has changed. */
export interface RegistrySource {
  /** If it cannot be read, the previous one is returned, and no missing monitor counts as removed. Never throws. */
  readonly read: () => Promise<Registry>;
  /** Problems of the first read, one sentence each. */
  readonly warnings: readonly string[];
}

/** Without a file, no missing monitor counts as removed. */
const NO_REGISTRY: Registry = { monitors: [], rejectedIds: [], isComplete: false };

/**
 * Opens the registry of `--monitors`, or the default one if it exists. A missing or unreadable one is a problem to fix. Invalid entries,
 * and a store that does not answer, are only warnings, because monitors must never stop the services.
 *
 * @param isOwn tells the ids of this cell; absent: all are.
 */
export async function openRegistrySource(
  monitors: string | undefined,
  rules: MonitorRules,
  isOwn?: (id: string) => boolean,
): Promise<Parsed<RegistrySource>> {
  const location = await openRegistry(monitors ?? DEFAULT_REGISTRY);
  if ("problem" in location) return location;
  const own = isOwn && createOwnParts(isOwn);
  const ask = (): Promise<RegistryRead> => readRegistry(location.value, own);
  const first = await ask();
  if (first.kind === "absent" && monitors !== undefined) {
    return {
      problem: `--monitors ${monitors}: there is no such registry; monitor add creates one.`,
    };
  }
  if (first.kind === "unreachable" && isOnDisk(location.value)) {
    return { problem: first.message };
  }
  if (first.kind !== "found") {
    const warnings =
      first.kind === "absent" ? [] : [`${first.message} No monitor is checked in this run.`];
    const failure = first.kind === "unreachable" ? first.message : undefined;
    const parse = createRegistryParser(rules, isOwn);
    return {
      value: { read: createReader(ask, location.value.name, parse, undefined, failure), warnings },
    };
  }
  const parse = createRegistryParser(rules, isOwn);
  const parsed = parse(first);
  if (!parsed.isReadable) return { problem: parsed.faults.join("\n") };
  const known = { monitors: parsed, registry: toRegistry(parsed) };
  const warnings = shorten([...parsed.faults.map(notRemoved), ...parsed.problems.map(leftOut)]);
  const failure = failureOf(first);
  return {
    value: { read: createReader(ask, location.value.name, parse, known, failure), warnings },
  };
}

function isOnDisk(location: RegistryLocation): boolean {
  return location.kind === "shards"
    ? location.partOf(nameOfShard(0)).kind === "file"
    : location.kind === "file";
}

function shorten(problems: readonly string[]): readonly string[] {
  const rest = problems.length - WARNINGS;
  if (rest <= 0) return problems;
  return [
    ...problems.slice(0, WARNINGS),
    `${rest} more problems in the registry; monitor check lists them.`,
  ];
}

function leftOut(problem: string): string {
  return `${problem} (This monitor is left out; its history stays.)`;
}

function notRemoved(fault: string): string {
  return `${fault} (Until then, no missing monitor counts as removed.)`;
}

/** Why a registry, or a shard of it, could not be reached. */
function failureOf(read: RegistryRead): string | undefined {
  if (read.kind !== "found") return read.kind === "unreachable" ? read.message : undefined;
  const failed = read.parts.find(({ content }) => content.kind === "unreachable")?.content;
  return failed?.kind === "unreachable" ? failed.message : undefined;
}

/** The previous registry, of which no missing monitor counts as removed. */
function incomplete(last: Registry, problem: string): Registry {
  return { ...last, isComplete: false, problem: `${problem} The monitors stay as they were.` };
}

/** A whole file that cannot be used stays a problem of every read, because it lasts; wrong entries are told once. */
function toRegistry({
  monitors,
  rejectedIds,
  isComplete,
  faults: [fault],
}: ReadMonitors): Registry {
  const registry = { monitors, rejectedIds, isComplete };
  return fault === undefined ? registry : { ...registry, problem: notRemoved(fault) };
}

interface Known {
  readonly monitors: ReadMonitors;
  readonly registry: Registry;
}

function createReader(
  ask: () => Promise<RegistryRead>,
  name: string,
  parse: ParseRegistry,
  first: Known | undefined,
  failedWith?: string,
): RegistrySource["read"] {
  let known = first;
  let failure =
    failedWith === undefined ? undefined : { message: failedWith, atMs: performance.now() };
  let isPartial = first !== undefined;
  return async () => {
    const last = known?.registry ?? NO_REGISTRY;
    // A timeout of the store takes long, and a run reads the registry more than once.
    if (failure !== undefined && performance.now() - failure.atMs < ASK_AGAIN_MS) {
      return isPartial ? last : incomplete(last, failure.message);
    }
    const read = await ask();
    const message = failureOf(read);
    failure = message === undefined ? undefined : { message, atMs: performance.now() };
    isPartial = read.kind === "found";
    if (read.kind === "absent" && known === undefined) return last;
    if (read.kind === "absent") return incomplete(last, `${name} does not exist any more.`);
    if (read.kind === "unreachable") return incomplete(last, read.message);
    const parsed = parse(read);
    if (parsed === known?.monitors) return last;
    const registry = toRegistry(parsed);
    known = { monitors: parsed, registry };
    const [problem] = parsed.problems;
    if (problem === undefined || parsed.faults.length > 0) return registry;
    const more = parsed.problems.length > 1 ? ` ${parsed.problems.length - 1} more are wrong.` : "";
    return { ...registry, problem: leftOut(problem) + more };
  };
}
