import { type ParsedMonitors, parseMonitors } from "../monitors/parse.ts";
import type { MonitorRules } from "../monitors/schema.ts";
import type { Problem } from "../strict-yaml/problem.ts";
import { UsageError } from "./failures.ts";
import type { ExitCode, Io } from "./io.ts";
import { openRegistry, readRegistry, type RegistryPlace } from "./monitors-file.ts";
import type { Parsed } from "./settings.ts";

/** Problems as lines `FILE:LINE:COLUMN: sentence`. Never throws. */
export function describeProblems(name: string, problems: readonly Problem[]): readonly string[] {
  return problems.map(({ line, column, path, message }) => {
    return `${name}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
  });
}

/** Reads and parses a registry. That it is not there, or cannot be reached, is a problem; what is wrong inside is not. */
export async function readMonitors(
  place: RegistryPlace,
  rules: MonitorRules,
): Promise<Parsed<ParsedMonitors>> {
  const read = await readRegistry(place);
  if (read.kind === "found") return { value: parseMonitors(read.bytes, rules) };
  return {
    problem:
      read.kind === "absent" ? `monitors ${place.name}: there is no such file.` : read.message,
  };
}

/** `monitors check`: validates a registry and prints how many monitors it has, or every problem. Throws `UsageError`. */
export async function monitorsCheckCommand(
  file: string,
  rules: MonitorRules,
  io: Pick<Io, "print">,
): Promise<ExitCode> {
  const place = await openRegistry(file);
  if ("problem" in place) throw new UsageError([place.problem]);
  const parsed = await readMonitors(place.value, rules);
  if ("problem" in parsed) throw new UsageError([parsed.problem]);
  const { monitors, problems, warnings } = parsed.value;
  if (problems.length > 0) throw new UsageError(describeProblems(place.value.name, problems));
  const isPublic = monitors.filter((monitor) => monitor.isPublic).length;
  const noun = monitors.length === 1 ? "monitor" : "monitors";
  io.print(`${place.value.name} is valid: ${monitors.length} ${noun}, ${isPublic} public`);
  for (const warning of describeProblems(place.value.name, warnings))
    io.print(`Warning: ${warning}`);
  return 0;
}
