import { adviseOnAnchors } from "../catalogue/anchor-advice.ts";
import { summariseCatalogue } from "../catalogue/summary.ts";
import { renderCatalogue } from "../render/catalogue-table.ts";
import { readCatalogue } from "./catalogue-file.ts";
import type { ExitCode, Io } from "./io.ts";
import { UsageError } from "./failures.ts";

/** `catalogue check`: validates a file and prints a summary by category and what is advised, or every problem. */
export async function catalogueCheckCommand(file: string, io: Io): Promise<ExitCode> {
  const parsed = await readCatalogue(file);
  if ("problem" in parsed) throw new UsageError([parsed.problem]);
  io.print(renderCatalogue(file, summariseCatalogue(parsed.value)));
  for (const advice of adviseOnAnchors(parsed.value.anchors)) io.print(`warning: ${advice}`);
  return 0;
}
