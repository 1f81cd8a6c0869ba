import type { Command } from "commander";
import type { CatalogueFlags } from "../../setup/files/catalogue-file.ts";
import {
  addCatalogueOptions,
  addProbeOptions,
  allowPrivateOption,
  jsonOption,
  logOption,
  option,
  stateOption,
  truthOption,
} from "../../setup/options.ts";
import type { TruthFlags } from "../../setup/files/truth-file.ts";
import type { Shell } from "./shell.ts";

/** Adds `catalogue check`, `catalogue audit`, `catalogue trial` and `truth check`. */
export function addCatalogueCommands(
  program: Command,
  { io, finish, withLog }: Shell,
  shipped: string,
): void {
  const catalogue = program.command("catalogue").description("work on the catalogue of services");
  addCatalogueOptions(catalogue.command("check [file]"), shipped)
    .description("validate a catalogue and print a summary, or every problem with its line")
    .action(async (file: string | undefined, flags: CatalogueFlags) => {
      const { catalogueCheckCommand } = await import("../commands/catalogue.ts");
      const files = file === undefined ? flags : { ...flags, catalogue: file };
      finish(await catalogueCheckCommand(files, io));
    });
  addCatalogueOptions(catalogue.command("audit"), shipped)
    .description("what the runs show about the catalogue, with lines to change")
    .addOption(stateOption())
    .addOption(jsonOption("the audit as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/catalogue.ts")).catalogueAuditCommand(flags, io, log),
      ),
    );
  addProbeOptions(addCatalogueOptions(catalogue.command("trial"), shipped))
    .description("ask every endpoint twice, say what answers, and propose an overlay")
    .addOption(option("--overlay <file>", "where the proposals are written", "overlay.yaml"))
    .addOption(option("--answers <file>", "keep what was answered, to judge it again"))
    .addOption(option("--from <file>", "judge kept answers, and ask nothing"))
    .addOption(option("--pause <seconds>", "between the two rounds", "60"))
    .addOption(allowPrivateOption())
    .addOption(jsonOption("the report as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/catalogue-trial.ts")).catalogueTrialCommand(flags, io, log),
      ),
    );
  const truth = program
    .command("truth")
    .description("work on what is known of the services from elsewhere");
  addCatalogueOptions(truth.command("check"), shipped)
    .description(
      "validate a truth file and count its entries, or print every problem with its line",
    )
    .addOption(truthOption())
    .action(async (flags: TruthFlags & CatalogueFlags) => {
      const { truthCheckCommand } = await import("../commands/catalogue.ts");
      finish(await truthCheckCommand(flags, io));
    });
}
