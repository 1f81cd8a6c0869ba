import type { Command } from "commander";
import { UsageError } from "../../setup/errors.ts";
import type { MonitorRulesFlags } from "../../setup/io.ts";
import {
  addMonitorOptions,
  addMonitorRules,
  DEFAULT_REGISTRY,
  jsonOption,
  logOption,
  monitorsOption,
  option,
  stateOption,
} from "../../setup/options.ts";
import type { Shell } from "./shell.ts";

/** Adds `monitor …`, the commands for the registry of monitors. */
export function addMonitorCommands(program: Command, shell: Shell, shippedCatalogue: string): void {
  const monitor = program
    .command("monitor")
    .description("the registry of monitored sites: add, list, check, publish, unpublish, remove");
  addAdd(monitor, shell, shippedCatalogue);
  addList(monitor, shell);
  addCheck(monitor, shell);
  addEdits(monitor, shell, shippedCatalogue);
  addConvert(monitor, shell);
  addOwnerCommands(monitor, shell, shippedCatalogue);
  // The old name of `monitor check`, for one more version.
  addCheck(program.command("monitors", { hidden: true }), shell);
}

function addAdd(monitor: Command, { io, withLog }: Shell, shippedCatalogue: string): void {
  addMonitorOptions(monitor.command("add <url>"), shippedCatalogue)
    .description("register a site; prints where its badge is")
    .addOption(option("--id <id>", "its id, 1–64 of A–Z a–z 0–9 _ - (default: an unguessable one)"))
    .addOption(option("--name <name>", "what to call it (default: its host)"))
    .addOption(option("--label <text>", "left side of its badge (default: аптайм)"))
    .addOption(option("--public", "switch its page and badges on"))
    .action((url, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/monitor-edit.ts")).monitorAddCommand(url, flags, io, log),
      ),
    );
}

function addList(monitor: Command, { io, withLog }: Shell): void {
  const list = monitor.command("list");
  addMonitorRules(list)
    .description("every monitor with the result of its last checks")
    .addOption(monitorsOption())
    .addOption(stateOption())
    .addOption(option("--pending", "only monitors whose owners have not proved control yet"))
    .addOption(jsonOption("the list as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/monitor-list.ts")).monitorListCommand(flags, io, log),
      ),
    );
}

function addEdits(monitor: Command, { io, withLog }: Shell, shippedCatalogue: string): void {
  for (const [name, what] of [
    ["remove", "remove a site with its history and badges"],
    ["publish", "switch the page and badges of a monitor on"],
    ["unpublish", "switch the page and badges of a monitor off; it is still checked"],
  ] as const) {
    addMonitorOptions(monitor.command(`${name} <id>`), shippedCatalogue)
      .description(what)
      .action((id, flags, command: Command) =>
        withLog(command, async (log) =>
          (await import("../commands/monitor-edit.ts")).monitorEditCommand(
            name,
            id,
            flags,
            io,
            log,
          ),
        ),
      );
  }
}

function addConvert(monitor: Command, { io, withLog }: Shell): void {
  addMonitorRules(monitor.command("convert <from> <to>"))
    .description("write a registry in another form: shards if TO ends with /, else by its name")
    .addOption(logOption())
    .action((from: string, to: string, flags: MonitorRulesFlags, command: Command) =>
      withLog(command, async (log) => {
        const { monitorConvertCommand } = await import("../commands/monitor-file.ts");
        const { readMonitorRules } = await import("../../setup/publish-settings.ts");
        const rules = readMonitorRules(flags);
        if ("problem" in rules) throw new UsageError([rules.problem]);
        return monitorConvertCommand(from, to, rules.value, io, log);
      }),
    );
}

/** What an operator can do about monitors that owners have added. */
function addOwnerCommands(
  monitor: Command,
  { io, withLog }: Shell,
  shippedCatalogue: string,
): void {
  for (const [kind, what] of [
    ["block", "refuse monitors that owners add of this host, now and in future"],
    ["unblock", "accept monitors of this host again"],
  ] as const) {
    addMonitorOptions(monitor.command(`${kind} <host>`), shippedCatalogue)
      .description(what)
      .action((host, flags, command: Command) =>
        withLog(command, async (log) =>
          (await import("../commands/monitor-owner.ts")).monitorBlockCommand(
            kind,
            host,
            flags,
            io,
            log,
          ),
        ),
      );
  }
  monitor
    .command("export <id>")
    .description("everything that is stored about a monitor that its owner has added, as JSON")
    .addOption(stateOption())
    .addOption(logOption())
    .action((id, flags, command: Command) =>
      withLog(command, async () =>
        (await import("../commands/monitor-owner.ts")).monitorExportCommand(id, flags, io),
      ),
    );
}

function addCheck(group: Command, { io, finish }: Shell): void {
  const check = group.command("check [file]");
  addMonitorRules(check)
    .description("validate a registry and count its monitors, or list every problem with its line")
    .addOption(monitorsOption())
    .action(async (file: string | undefined, flags: CheckFlags) => {
      const { monitorCheckCommand } = await import("../commands/monitor-file.ts");
      const { readMonitorRules } = await import("../../setup/publish-settings.ts");
      const rules = readMonitorRules(flags);
      if ("problem" in rules) throw new UsageError([rules.problem]);
      const name = file ?? flags.monitors ?? DEFAULT_REGISTRY;
      finish(await monitorCheckCommand(name, rules.value, io));
    });
}

interface CheckFlags extends MonitorRulesFlags {
  readonly monitors?: string;
}
