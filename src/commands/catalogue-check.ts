import { adviseOnAnchors } from "../catalogue/anchor-advice.ts";
import { summariseCatalogue } from "../catalogue/summary.ts";
import { renderCatalogue, renderOverlay } from "../render/catalogue-table.ts";
import { type CatalogueFlags, nameCatalogue, readCatalogue } from "./catalogue-file.ts";
import type { ExitCode, Io } from "./io.ts";
import { UsageError } from "./failures.ts";

/**
 * `catalogue check`: validates a catalogue and prints a summary by category, what its overlay does, and what is advised; or every
 * problem.
 */
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
