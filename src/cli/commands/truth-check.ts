import { TRUTH_KINDS } from "../../model/service/accuracy.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import { type CatalogueFlags, readCatalogue } from "../../setup/files/catalogue-file.ts";
import { readTruth, type TruthFlags } from "../../setup/files/truth-file.ts";

/** `truth check`: validates a truth file against a catalogue and prints the number of its entries; or every problem. */
export async function truthCheckCommand(
  flags: TruthFlags & CatalogueFlags,
  io: Io,
): Promise<ExitCode> {
  const catalogue = await readCatalogue(flags);
  if ("problem" in catalogue) throw new UsageError([catalogue.problem]);
  const slugs = catalogue.value.catalogue.services.map(({ slug }) => slug);
  const truth = await readTruth(flags, { slugs, nowMs: io.wallMs() });
  if ("problem" in truth) throw new UsageError([truth.problem]);
  const counts = TRUTH_KINDS.map((kind) => {
    const count = truth.value.filter(({ what }) => what === kind).length;
    return `${kind} ${count}`;
  });
  io.print(`${flags.truth} is valid, entries: ${truth.value.length} (${counts.join(", ")})`);
  return 0;
}
