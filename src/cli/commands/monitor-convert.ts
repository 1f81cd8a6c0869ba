import type { MonitorRules } from "../../monitors/registry/registry-schema.ts";
import type { Log } from "../../setup/log.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { openRegistry } from "../../setup/registry/registry-location.ts";
import { writeRegistry } from "../../setup/registry/write-registry.ts";
import { readMonitors } from "./monitor-check.ts";

/**
 * `monitor convert FROM TO`: writes the monitors of a registry in another form, which the name of the new one decides. Nothing is
 * overwritten, and a registry with a problem is not converted. Throws `UsageError`.
 */
export async function monitorConvertCommand(
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
