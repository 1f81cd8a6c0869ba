import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Call, Io } from "../../setup/io.ts";
import type { Flags, MonitorRulesFlags } from "../../setup/options/options.ts";
import { DEFAULT_REGISTRY } from "../../setup/options/shared-options.ts";
import { readMonitorRules } from "../../setup/publish-settings.ts";
import { type ReadMonitors, createRegistryParser } from "../../setup/registry/read-monitors.ts";
import { readRegistry } from "../../setup/registry/read-registry.ts";
import { type RegistryLocation, openRegistry } from "../../setup/registry/registry-location.ts";
import type { Parsed } from "../../setup/parse-options.ts";
import type { Log } from "../../setup/log.ts";
import { writeRegistry } from "../../setup/registry/write-registry.ts";

/** Reads and parses a registry. A missing or unreachable one is a `problem`; wrong entries are part of the value. */
export async function readMonitors(
  location: RegistryLocation,
  rules: MonitorRules,
): Promise<Parsed<ReadMonitors>> {
  const read = await readRegistry(location);
  if (read.kind === "found") return { value: createRegistryParser(rules)(read) };
  return {
    problem:
      read.kind === "absent" ? `monitors ${location.name}: there is no such file.` : read.message,
  };
}

/** `monitor check`: validates a registry and prints how many monitors it has, or every problem. Throws `UsageError`. */
export async function monitorCheckCommand(
  { flags, problems, io }: Call<MonitorRulesFlags & Flags<"registry">>,
  file: string | undefined,
): Promise<ExitCode> {
  problems.throwIfAny();
  return checkRegistry(file ?? flags.monitors ?? DEFAULT_REGISTRY, readMonitorRules(flags), io);
}

export async function checkRegistry(
  file: string,
  rules: MonitorRules,
  io: Pick<Io, "print">,
): Promise<ExitCode> {
  const location = await openRegistry(file);
  if ("problem" in location) throw new UsageError([location.problem]);
  const parsed = await readMonitors(location.value, rules);
  if ("problem" in parsed) throw new UsageError([parsed.problem]);
  const { monitors, faults, warnings } = parsed.value;
  const problems = [...faults, ...parsed.value.problems];
  if (problems.length > 0) throw new UsageError(problems);
  const isPublic = monitors.filter((monitor) => monitor.isPublic).length;
  const noun = monitors.length === 1 ? "monitor" : "monitors";
  io.print(`${location.value.name} is valid: ${monitors.length} ${noun}, ${isPublic} public`);
  for (const warning of warnings) io.print(`Warning: ${warning}`);
  return 0;
}

/**
 * `monitor convert FROM TO`: writes the monitors of a registry in another form, which the name of the new one decides. Nothing is
 * overwritten, and a registry with a problem is not converted. Throws `UsageError`.
 */
export async function monitorConvertCommand(
  { flags, problems, io, log }: Call<MonitorRulesFlags>,
  from: string,
  to: string,
): Promise<ExitCode> {
  problems.throwIfAny();
  return convertRegistry(from, to, readMonitorRules(flags), io, log);
}

export async function convertRegistry(
  from: string,
  to: string,
  rules: MonitorRules,
  io: Pick<Io, "print">,
  log: Pick<Log, "fail">,
): Promise<ExitCode> {
  const [source, target] = [await openRegistry(from), await openRegistry(to)];
  if ("problem" in source) throw new UsageError([source.problem]);
  if ("problem" in target) throw new UsageError([target.problem]);
  const read = await readMonitors(source.value, rules);
  if ("problem" in read) throw new UsageError([read.problem]);
  const { monitors, faults, problems } = read.value;
  if (faults.length + problems.length > 0) throw new UsageError([...faults, ...problems]);
  const failure = await writeRegistry(target.value, monitors, rules);
  if (failure?.kind === "refused") throw new UsageError([failure.message]);
  if (failure !== undefined) {
    log.fail(failure.message);
    return 1;
  }
  const noun = monitors.length === 1 ? "monitor" : "monitors";
  io.print(`${target.value.name} has ${monitors.length} ${noun}, those of ${source.value.name}`);
  return 0;
}
