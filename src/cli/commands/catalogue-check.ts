import { adviseOnAnchors } from "../../services/catalogue/anchor-advice.ts";
import { summariseCatalogue } from "../../services/catalogue/summary.ts";
import { renderCatalogue, renderOverlay } from "../output/catalogue-table.ts";
import {
  type CatalogueFlags,
  nameCatalogue,
  readCatalogue,
} from "../../setup/files/catalogue-file.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { UsageError } from "../../setup/errors.ts";

/** `catalogue check`: validates a catalogue and prints a summary, the effect of its overlay, and advice; or every problem. */
export async function catalogueCheckCommand(files: CatalogueFlags, io: Io): Promise<ExitCode> {
  const read = await readCatalogue(files);
  if ("problem" in read) throw new UsageError([read.problem]);
  const { catalogue, changes, warnings } = read.value;
  io.print(renderCatalogue(nameCatalogue(files), summariseCatalogue(catalogue)));
  if (files.catalogueOverlay !== undefined) io.print(renderOverlay(changes));
  for (const warning of [...warnings, ...adviseOnAnchors(catalogue.anchors)]) {
    io.print(`warning: ${warning}`);
  }
  return 0;
}
