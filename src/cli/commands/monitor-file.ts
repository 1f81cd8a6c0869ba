import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import { UsageError } from "../../setup/errors.ts";
import type { Action } from "../../setup/io.ts";
import type { Flags, MonitorRulesFlags } from "../../setup/options/options.ts";
import { DEFAULT_REGISTRY } from "../../setup/options/shared-options.ts";
import { readMonitorRules } from "../../setup/publish-settings.ts";
import { createRegistryParser } from "../../setup/registry/read-monitors.ts";
import { readRegistry } from "../../setup/registry/read-registry.ts";
import { FEW_SHARDS, LAYOUTS, openRegistry } from "../../setup/registry/registry-location.ts";
import { plural } from "../output/text.ts";
import { writeRegistry } from "../../setup/registry/write-registry.ts";

/** A registry without a problem. Throws `UsageError`, also if it is missing or cannot be reached. */
async function readFlawless(file: string, rules: MonitorRules) {
  const location = await openRegistry(file);
  if ("problem" in location) throw new UsageError([location.problem]);
  const { name } = location.value;
  const read = await readRegistry(location.value);
  if (read.kind === "absent") throw new UsageError([`monitors ${name}: the file does not exist.`]);
  if (read.kind === "unreachable") throw new UsageError([read.message]);
  const { monitors, faults, problems, warnings } = createRegistryParser(rules)(read);
  if (faults.length + problems.length > 0) throw new UsageError([...faults, ...problems]);
  return { name, monitors, warnings };
}

/** `monitor check`: prints how many monitors a registry has. Throws `UsageError` with every problem. */
export const monitorCheckCommand: Action<
  MonitorRulesFlags & Flags<"registry">,
  [file: string | undefined]
> = async ({ flags, problems, io }, file = flags.monitors ?? DEFAULT_REGISTRY) => {
  problems.throwIfAny();
  const { name, monitors, warnings } = await readFlawless(file, readMonitorRules(flags));
  const isPublic = monitors.filter((monitor) => monitor.isPublic).length;
  io.print(`${name} is valid: ${plural(monitors.length, "monitor")}, ${isPublic} public`);
  for (const warning of warnings) io.print(`Warning: ${warning}`);
  return 0;
};

/**
 * `monitor convert FROM TO`: writes the monitors of a registry in another form, which the name of the new one decides. Nothing is
 * overwritten, and a registry with a problem is not converted. Throws `UsageError`.
 */
export const monitorConvertCommand: Action<
  MonitorRulesFlags & Flags<"convert">,
  [from: string, to: string]
> = async ({ flags, problems, io, log }, from, to) => {
  problems.throwIfAny();
  const { shards } = flags;
  const target = await openRegistry(to);
  if ("problem" in target) throw new UsageError([target.problem]);
  const layout = LAYOUTS.find(({ names }) => String(names.length) === shards) ?? FEW_SHARDS;
  if (layout !== FEW_SHARDS && target.value.kind !== "shards") {
    const problem = `--count ${shards}: ${to} is a file; end it with / for a folder of shards.`;
    throw new UsageError([problem]);
  }
  const rules = readMonitorRules(flags);
  const { name, monitors } = await readFlawless(from, rules);
  const failure = await writeRegistry(target.value, monitors, rules, layout);
  if (failure?.kind === "refused") throw new UsageError([failure.message]);
  if (failure !== undefined) {
    log.fail(failure.message);
    return 1;
  }
  io.print(`${target.value.name} has ${plural(monitors.length, "monitor")}, those of ${name}`);
  return 0;
};
