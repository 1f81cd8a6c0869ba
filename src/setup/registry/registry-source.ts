import type { Cell } from "./cell.ts";
import { MINUTE_MS } from "../../model/time.ts";
import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import type { Registry } from "../../pipeline/publish/monitor-removals.ts";
import type { Parsed } from "../parse-options.ts";
import { createRegistryParser, type ReadMonitors } from "./read-monitors.ts";
import { readRegistry, type RegistryRead } from "./read-registry.ts";
import { openRegistry } from "./registry-location.ts";
import { DEFAULT_REGISTRY } from "../options/shared-options.ts";

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
export const NO_REGISTRY: Registry = { monitors: [], rejectedIds: [], isComplete: false };

/**
 * Opens the registry of `--monitors`, or the default one if it exists. A missing or unreadable one is a problem to fix. Invalid entries,
 * and a store that does not answer, are only warnings, because monitors must never stop the services.
 *
 * @param cell whose monitors are wanted; absent: all are.
 */
export async function openRegistrySource(
  monitors: string | undefined,
  rules: MonitorRules,
  cell?: Cell,
): Promise<Parsed<RegistrySource>> {
  const opened = await openRegistry(monitors ?? DEFAULT_REGISTRY);
  if ("problem" in opened) return opened;
  const location = opened.value;
  const part = cell === undefined || cell.of === 1 ? undefined : cell;
  const own = part && { cell: part, known: new Map() };
  const ask = (): Promise<RegistryRead> => readRegistry(location, own);
  const first = await ask();
  if (first.kind === "absent" && monitors !== undefined) {
    const problem = `--monitors ${monitors}: the registry does not exist; monitor add creates one.`;
    return { problem };
  }
  if (first.kind === "unreachable" && "path" in location) return { problem: first.message };
  const parse = createRegistryParser(rules, part);
  const parsed = first.kind === "found" ? parse(first) : undefined;
  if (parsed?.isReadable === false) return { problem: parsed.faults.join("\n") };
  let known = parsed;
  let last = known === undefined ? NO_REGISTRY : toRegistry(known);
  let failure = failureOf(first);
  const readAgain = async (): Promise<Registry> => {
    // A timeout of the store takes long, and a run reads the registry more than once.
    if (failure !== undefined && performance.now() - failure.atMs < ASK_AGAIN_MS)
      return failure.isPartial ? last : incomplete(last, failure.message);
    const read = await ask();
    failure = failureOf(read);
    if (read.kind === "absent")
      return known === undefined
        ? last
        : incomplete(last, `${location.name} does not exist any more.`);
    if (read.kind === "unreachable") return incomplete(last, read.message);
    const renewed = parse(read);
    if (renewed === known) return last;
    known = renewed;
    last = toRegistry(renewed);
    const [problem, ...others] = renewed.problems;
    if (problem === undefined || renewed.faults.length > 0) return last;
    const more = others.length > 0 ? ` ${others.length} more are wrong.` : "";
    return { ...last, problem: leftOut(problem) + more };
  };
  return { value: { read: readAgain, warnings: warningsOf(first, parsed) } };
}

function warningsOf(first: RegistryRead, parsed: ReadMonitors | undefined): readonly string[] {
  if (first.kind === "unreachable") return [`${first.message} No monitor is checked in this run.`];
  const { faults = [], problems = [] } = parsed ?? {};
  const all = [...faults.map(notRemoved), ...problems.map(leftOut)];
  const rest = all.length - WARNINGS;
  if (rest <= 0) return all;
  const more = `${rest} more problems in the registry; monitor check lists them.`;
  return [...all.slice(0, WARNINGS), more];
}

function leftOut(problem: string): string {
  return `${problem} (This monitor is left out; its history stays.)`;
}

function notRemoved(fault: string): string {
  return `${fault} (Until then, no missing monitor counts as removed.)`;
}

/** Why a registry, or a shard of it (`isPartial`), could not be reached, and when; undefined: it could. */
function failureOf(read: RegistryRead) {
  const isPartial = read.kind === "found";
  const all = isPartial ? read.parts.map(({ content }) => content) : [read];
  const failed = all.find((one) => one.kind === "unreachable");
  return failed && { message: failed.message, isPartial, atMs: performance.now() };
}

/** The previous registry, of which no missing monitor counts as removed. */
function incomplete(last: Registry, problem: string): Registry {
  return { ...last, isComplete: false, problem: `${problem} The monitors stay as they were.` };
}

/** A whole file that cannot be used stays a problem of every read, because it lasts; wrong entries are told once. */
function toRegistry({ monitors, rejectedIds, isComplete, faults }: ReadMonitors): Registry {
  const [fault] = faults;
  const registry = { monitors, rejectedIds, isComplete };
  return fault === undefined ? registry : { ...registry, problem: notRemoved(fault) };
}
