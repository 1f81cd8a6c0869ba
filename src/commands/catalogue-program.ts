import type { Command } from "commander";
import type { CatalogueFlags } from "./catalogue-file.ts";
import {
  catalogueOption,
  catalogueOverlayOption,
  logOption,
  option,
  stateOption,
} from "./options.ts";
import type { Shell } from "./shell.ts";

/** `catalogue check` and `catalogue audit`. */
export function addCatalogueCommands(
  program: Command,
  { io, finish, withLog }: Shell,
  shipped: string,
): void {
  const catalogue = program.command("catalogue").description("work on the catalogue of services");
  catalogue
    .command("check [file]")
    .description("validate a catalogue and print a summary, or every problem with its line")
    .addOption(catalogueOption(shipped))
    .addOption(catalogueOverlayOption())
    .action(async (file: string | undefined, flags: CatalogueFlags) => {
      const { catalogueCheckCommand } = await import("./catalogue-check.ts");
      const files = file === undefined ? flags : { ...flags, catalogue: file };
      finish(await catalogueCheckCommand(files, io));
    });
  catalogue
    .command("audit")
    .description("what a day of runs or more says about the catalogue, with lines to change")
    .addOption(catalogueOption(shipped))
    .addOption(catalogueOverlayOption())
    .addOption(stateOption())
    .addOption(option("--json", "print the audit as JSON"))
    .addOption(logOption())
    .action((flags, command: Command) =>
      withLog(command, async (log) =>
        (await import("./catalogue-audit.ts")).catalogueAuditCommand(flags, io, log),
      ),
    );
}
