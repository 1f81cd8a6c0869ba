import type { Command } from "commander";
import { addReleaseOptions, atOption, option, repeatableOption } from "./options.ts";
import type { Shell } from "./shell.ts";

/** Adds `refresh`, `report add` and `intake`. */
export function addReportCommands(program: Command, shell: Shell, shippedCatalogue: string): void {
  const { io, withLog } = shell;
  addReleaseOptions(program.command("refresh"), shippedCatalogue)
    .description("count new reports, decide again, publish; probes nothing")
    .addOption(atOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./refresh.ts")).refreshCommand(flags, io, log),
      ),
    );
  const report = program.command("report").description("reports of users");
  addReleaseOptions(report.command("add <slug>"), shippedCatalogue)
    .description("count reports by hand, each as if from a network of its own")
    .addOption(option("--count <n>", "how many", "1"))
    .addOption(option("--symptom <name>", "what is wrong"))
    .addOption(atOption())
    .action((slug, flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./report-add.ts")).reportAddCommand(slug, flags, io, log),
      ),
    );
  addIntakeOptions(addReleaseOptions(program.command("intake"), shippedCatalogue))
    .description("take reports of users over HTTP, and publish their counts at once")
    .addOption(option("--host <address>", "address to listen on", "127.0.0.1"))
    .addOption(option("--port <n>", "port to listen on, 0 for any", "8081"))
    .addOption(option("--operations-port <n>", "port of /healthz and /metrics, on the loopback"))
    .action((flags, command: Command) =>
      withLog(command, async (log) => (await import("./intake.ts")).intakeCommand(flags, io, log)),
    );
}

/** Adds what an intake is told, wherever it is mounted. */
export function addIntakeOptions(command: Command): Command {
  return command
    .addOption(repeatableOption("--proxy <range>", "proxies whose X-Forwarded-For is believed"))
    .addOption(
      repeatableOption("--allow-origin <origin>", "other sites whose pages may send reports"),
    )
    .addOption(
      option("--journal <folder>", "where reports wait while the state store does not answer"),
    );
}
