import type { Registry } from "../departures.ts";
import { MINUTE_MS } from "../model/time.ts";
import { type ParsedMonitors, parseMonitors } from "../monitors/parse.ts";
import type { MonitorRules } from "../monitors/schema.ts";
import { describeProblems } from "./monitors-check.ts";
import { openRegistry, readRegistry, type RegistryPlace } from "./monitors-file.ts";
import { DEFAULT_REGISTRY } from "./options.ts";
import type { Parsed } from "./settings.ts";

/** Sentences about entries that are told; a file with thousands of mistakes needs no thousand lines in each run. */
const WARNINGS = 20;

/** After a failure, a registry is left alone for so long. */
const ASK_AGAIN_MS = MINUTE_MS;

/** A registry that is read anew whenever somebody asks, and parsed when it changed. */
export interface RegistrySource {
  /** What cannot be read now is as it was, but nobody who is missing counts as gone. Never throws. */
  readonly read: () => Promise<Registry>;
  /** What was wrong at the first reading, a sentence each. */
  readonly warnings: readonly string[];
}

/** Without a file nobody can say who left. */
const NO_REGISTRY: Registry = { monitors: [], rejectedIds: [], isComplete: false };

/**
 * Opens the registry of `--monitors`, or the default one if there is any. One that is not there, or cannot be understood as a
 * whole, is a problem to mend; single bad entries are left out with a warning, and so is a store that does not answer, because
 * monitors must never stop the services.
 */
export async function openRegistrySource(
  monitors: string | undefined,
  rules: MonitorRules,
): Promise<Parsed<RegistrySource>> {
  const place = await openRegistry(monitors ?? DEFAULT_REGISTRY);
  if ("problem" in place) return place;
  const first = await readRegistry(place.value);
  if (first.kind === "absent" && monitors !== undefined) {
    return { problem: `--monitors ${monitors}: there is no such registry; monitor add makes one.` };
  }
  if (first.kind === "unreachable" && place.value.kind === "file") {
    return { problem: first.message };
  }
  if (first.kind !== "found") {
    const warnings =
      first.kind === "absent" ? [] : [`${first.message} No monitor is checked in this run.`];
    const failure = first.kind === "unreachable" ? first.message : undefined;
    return { value: { read: createReader(place.value, rules, undefined, failure), warnings } };
  }
  const parsed = parseMonitors(first.bytes, rules);
  const problems = describeProblems(place.value.name, parsed.problems);
  if (!parsed.isReadable) return { problem: problems.join("\n") };
  const known = { etag: first.etag, registry: toRegistry(parsed) };
  return {
    value: { read: createReader(place.value, rules, known), warnings: shorten(problems) },
  };
}

function shorten(problems: readonly string[]): readonly string[] {
  const rest = problems.length - WARNINGS;
  if (rest <= 0) return problems.map(leftOut);
  return [
    ...problems.slice(0, WARNINGS).map(leftOut),
    `${rest} more problems in the registry; monitors check lists them.`,
  ];
}

function leftOut(problem: string): string {
  return `${problem} (This monitor is left out; what is known of it stays.)`;
}

/** The registry as it was: nobody who is missing now is known to be gone. */
function incomplete(last: Registry, problem: string): Registry {
  return { ...last, isComplete: false, problem: `${problem} The monitors stay as they were.` };
}

function toRegistry({ monitors, rejectedIds, hasUnnamed }: ParsedMonitors): Registry {
  return { monitors, rejectedIds, isComplete: !hasUnnamed };
}

function createReader(
  place: RegistryPlace,
  rules: MonitorRules,
  first: { readonly etag: string; readonly registry: Registry } | undefined,
  failedWith?: string,
): RegistrySource["read"] {
  let known = first;
  let failure =
    failedWith === undefined ? undefined : { message: failedWith, atMs: performance.now() };
  return async () => {
    const last = known?.registry ?? NO_REGISTRY;
    // A store that does not answer takes its time to say so, and a run asks more than once.
    if (failure !== undefined && performance.now() - failure.atMs < ASK_AGAIN_MS) {
      return incomplete(last, failure.message);
    }
    const read = await readRegistry(place);
    failure =
      read.kind === "unreachable" ? { message: read.message, atMs: performance.now() } : undefined;
    if (read.kind === "absent" && known === undefined) return last;
    if (read.kind === "absent") return incomplete(last, `${place.name} is not there any more.`);
    if (read.kind === "unreachable") return incomplete(last, read.message);
    if (read.etag === known?.etag) return last;
    const parsed = parseMonitors(read.bytes, rules);
    const [problem] = describeProblems(place.name, parsed.problems);
    if (!parsed.isReadable) return incomplete(last, problem ?? `${place.name} is not readable.`);
    const registry = toRegistry(parsed);
    known = { etag: read.etag, registry };
    if (problem === undefined) return registry;
    const more = parsed.problems.length > 1 ? ` ${parsed.problems.length - 1} more are wrong.` : "";
    return { ...registry, problem: leftOut(problem) + more };
  };
}
