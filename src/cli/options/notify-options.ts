import type { Command, Option } from "commander";
import {
  addMonitorRules,
  addProbeOptions,
  atOption,
  logOption,
  option,
  stateOption,
} from "../../setup/options.ts";
import { addKeygenCommand, type Shell } from "./shell.ts";

function channelsOption(): Option {
  return option(
    "--channels <file>",
    "file of the operator's channels for news of services: channels.yaml",
  );
}

/** The file of channels, and what it may name. */
function channelOptions(): readonly Option[] {
  return [
    channelsOption(),
    option("--catalogue <file>", "services that the channels may name (default: the one shipped)"),
    option("--catalogue-overlay <file>", "changes of the catalogue, in a file of their own"),
  ];
}

/** Adds the options of `doctor` about a notifier of services. */
export function addNotifierCheckOptions(command: Command): Command {
  command.addOption(channelsOption()).addOption(changesOption()).addOption(ledgerOption());
  return addMonitorRules(command);
}

/** Where the notifier records who was told what. */
function ledgerOption(): Option {
  return option("--ledger <url>", "store that records who was told what", "file:.ledger");
}

/** Options of both commands that send. */
function addNotifyOptions(command: Command): Command {
  const options = [
    changesOption(),
    ...channelOptions(),
    stateOption(),
    ledgerOption(),
    option(
      "--key <file>",
      "private key of the notifier, for owners and visitors: `notify keygen` writes it",
    ),
  ];
  for (const one of options) command.addOption(one);
  return addMonitorRules(addProbeOptions(command)).addOption(logOption());
}

function changesOption(): Option {
  return option("--changes <url>", "website whose services to watch, or its changes/v1.json");
}

/** Adds `notify`, `notify watch`, `notify test` and `notify keygen`. */
export function addNotifyCommands(program: Command, shell: Shell): void {
  const { io, withLog } = shell;
  const notify = addNotifyOptions(program.command("notify"))
    .enablePositionalOptions()
    .description(
      "tell what has changed: of services to channels and visitors, of monitors to their owners",
    )
    .addOption(atOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/notify.ts")).notifyCommand(flags, io, log),
      ),
    );
  addNotifyOptions(notify.command("watch"))
    .description("tell what changes until stopped")
    .addOption(option("--every <seconds>", "how often to look", "15"))
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/notify.ts")).notifyWatchCommand(flags, io, log),
      ),
    );
  const test = notify
    .command("test")
    .argument("<channel>", "id of a channel in the file")
    .description("send one message to a channel that says that it is a test")
    .addOption(changesOption());
  for (const one of channelOptions()) test.addOption(one);
  addMonitorRules(addProbeOptions(test))
    .addOption(logOption())
    .action((channel: string, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/notify-test.ts")).notifyTestCommand(channel, flags, io, log),
      ),
    );
  addKeygenCommand(
    notify,
    "notify",
    "make the key of a notifier; prints the option of the intake with its public half",
    shell,
  );
}
