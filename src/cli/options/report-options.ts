import type { Command } from "commander";
import { addIntakeOptions, addPublishOptions, atOption, option } from "../../setup/options.ts";
import type { Shell } from "./shell.ts";

/** Adds `refresh`, `report add` and `intake`. */
export function addReportCommands(program: Command, shell: Shell, shippedCatalogue: string): void {
  const { io, withLog } = shell;
  addPublishOptions(program.command("refresh"), shippedCatalogue)
    .description("count new reports, decide again, publish; probes nothing")
    .addOption(atOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/run.ts")).refreshCommand(flags, io, log),
      ),
    );
  const report = program.command("report").description("reports of users");
  addPublishOptions(report.command("add <slug>"), shippedCatalogue)
    .description("count reports by hand, each as if from a network of its own")
    .addOption(option("--count <n>", "how many", "1"))
    .addOption(option("--symptom <name>", "what is wrong"))
    .addOption(atOption())
    .action((slug, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/report-add.ts")).reportAddCommand(slug, flags, io, log),
      ),
    );
  addIntakeOptions(addPublishOptions(program.command("intake"), shippedCatalogue), "8081")
    .description("accept reports of users over HTTP, and publish their counts at once")
    .addOption(option("--operations-port <n>", "port of /healthz and /metrics, on 127.0.0.1"))
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/intake.ts")).intakeCommand(flags, io, log),
      ),
    );
}
