import type { Command } from "commander";
import {
  addMonitorRules,
  addProbeOptions,
  logOption,
  option,
  repeatableOption,
} from "../../setup/options.ts";
import { addKeygenCommand, type Shell } from "./shell.ts";

/** Options of both commands that answer an ask. */
function addAnswerOptions(command: Command): Command {
  const options = [
    option("--ask <url>", "store in which the runner asks"),
    option("--evidence <url>", "store for the answer (default: that of --ask)"),
    option("--id <id>", "name of this vantage in the runner's vantages.yaml"),
    option("--key <file>", "its private key, as `vantage keygen` writes it"),
    repeatableOption("--anchor <url>", "host that tells whether this place is online"),
    repeatableOption(
      "--unlisted-anchor <url>",
      "host that a network with a white list would not let through",
    ),
    option("--concurrency <n>", "probes at once", "32"),
  ];
  for (const one of options) command.addOption(one);
  return addMonitorRules(addProbeOptions(command)).addOption(logOption());
}

/** Adds `vantage`, `vantage watch` and `vantage keygen`. */
export function addVantageCommands(program: Command, shell: Shell): void {
  const { io, withLog } = shell;
  const vantage = addAnswerOptions(program.command("vantage"))
    .enablePositionalOptions()
    .description("probe from elsewhere what the runner asks for, and sign the answer")
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/vantage.ts")).vantageCommand(flags, io, log),
      ),
    );
  addAnswerOptions(vantage.command("watch"))
    .description("answer every ask until stopped")
    .addOption(option("--every <seconds>", "how often to look for an ask", "15"))
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/vantage.ts")).vantageWatchCommand(flags, io, log),
      ),
    );
  addKeygenCommand(vantage, "vantage", "make the key of a vantage; prints its public half", shell);
}
