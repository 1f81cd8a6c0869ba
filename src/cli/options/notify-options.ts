import type { Command } from "commander";
import {
  addMonitorRules,
  addProbeOptions,
  atOption,
  logOption,
  option,
  stateOption,
} from "./options.ts";
import type { Shell } from "./shell.ts";

/** Options of both commands that send. */
function addNotifyOptions(command: Command): Command {
  const options = [
    stateOption(),
    option("--ledger <url>", "where it is kept who was told what", "file:.ledger"),
    option("--key <file>", "private key of the notifier, as `notify keygen` writes it"),
  ];
  for (const one of options) command.addOption(one);
  return addMonitorRules(addProbeOptions(command)).addOption(logOption());
}

/** Adds `notify`, `notify watch` and `notify keygen`. */
export function addNotifyCommands(program: Command, { io, withLog }: Shell): void {
  const notify = addNotifyOptions(program.command("notify"))
    .enablePositionalOptions()
    .description("tell site owners what has changed, by webhook and push")
    .addOption(atOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/notify.ts")).notifyCommand(flags, io, log),
      ),
    );
  addNotifyOptions(notify.command("watch"))
    .description("tell owners what changes until stopped")
    .addOption(option("--every <seconds>", "how often to look at the state", "15"))
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/notify.ts")).notifyWatchCommand(flags, io, log),
      ),
    );
  notify
    .command("keygen")
    .description("make the key of a notifier; prints the option of the intake with its public half")
    .addOption(option("--key <file>", "where to write the private key, which must not exist yet"))
    .action((flags, command: Command) =>
      withLog(command, async () =>
        (await import("../commands/notify-keygen.ts")).notifyKeygenCommand(flags, io),
      ),
    );
}
