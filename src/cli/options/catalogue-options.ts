import type { Command } from "commander";
import type { CatalogueFlags } from "../setup/catalogue-file.ts";
import { addCatalogueOptions, jsonOption, logOption, stateOption } from "./options.ts";
import type { Shell } from "./shell.ts";

/** Adds `catalogue check` and `catalogue audit`. */
export function addCatalogueCommands(
  program: Command,
  { io, finish, withLog }: Shell,
  shipped: string,
): void {
  const catalogue = program.command("catalogue").description("work on the catalogue of services");
  addCatalogueOptions(catalogue.command("check [file]"), shipped)
    .description("validate a catalogue and print a summary, or every problem with its line")
    .action(async (file: string | undefined, flags: CatalogueFlags) => {
      const { catalogueCheckCommand } = await import("../commands/catalogue-check.ts");
      const files = file === undefined ? flags : { ...flags, catalogue: file };
      finish(await catalogueCheckCommand(files, io));
    });
  addCatalogueOptions(catalogue.command("audit"), shipped)
    .description("what a day of runs or more shows about the catalogue, with lines to change")
    .addOption(stateOption())
    .addOption(jsonOption("the audit as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("../commands/catalogue-audit.ts")).catalogueAuditCommand(flags, io, log),
      ),
    );
}
