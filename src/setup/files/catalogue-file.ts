import { open } from "node:fs/promises";
import type { OverlayChange } from "../../services/catalogue/overlay.ts";
import { type CatalogueProblem, parseCatalogue } from "../../services/catalogue/parse-catalogue.ts";
import type { Catalogue } from "../../model/service/catalogue.ts";
import type { Emit } from "../../model/run-event.ts";
import { describeReadError } from "./input-files.ts";
import type { Flags } from "../options/options.ts";
import type { Parsed } from "../parse-options.ts";

/** One byte above the limit, so that the parser sees that a file is too long. Source: docs/services/catalogue.md, "Limits". */
const READ_BYTES = 4 * 1024 * 1024 + 1;

/** Problems of a file that a log shows; `catalogue check` lists all. */
const MAX_PROBLEMS = 20;

type CatalogueFlags = Flags<"catalogue">;

/** A catalogue, and the effect of its overlay. */
export interface ReadCatalogue {
  readonly catalogue: Catalogue;
  /** In the order of the overlay. */
  readonly changes: readonly OverlayChange[];
  /** Entries of the overlay without effect, each as `FILE:LINE:COLUMN: sentence`. */
  readonly warnings: readonly string[];
}

/** The contents of the files, each up to `READ_BYTES`. */
export interface CatalogueBytes {
  readonly catalogue: Uint8Array;
  readonly overlay?: Uint8Array;
}

/** Reads and checks a catalogue. The problem lists all faults, one per line, as `FILE:LINE:COLUMN: sentence`. */
export async function readCatalogue(files: CatalogueFlags): Promise<Parsed<ReadCatalogue>> {
  return checkCatalogueBytes(files, await readCatalogueBytes(files));
}

export async function readCatalogueBytes({
  catalogue: file,
  catalogueOverlay: overlayFile,
}: CatalogueFlags): Promise<Parsed<CatalogueBytes>> {
  const catalogue = await readStart(file).catch(describeReadError);
  const overlay =
    overlayFile === undefined ? undefined : await readStart(overlayFile).catch(describeReadError);
  const problems = [
    ...("problem" in catalogue ? [`catalogue ${file}: ${catalogue.problem}`] : []),
    ...(overlay !== undefined && "problem" in overlay
      ? [`--catalogue-overlay ${overlayFile}: ${overlay.problem}`]
      : []),
  ];
  if ("problem" in catalogue || (overlay !== undefined && "problem" in overlay)) {
    return { problem: problems.join("\n") };
  }
  return { value: { catalogue, ...(overlay === undefined ? {} : { overlay }) } };
}

export function checkCatalogueBytes(
  files: CatalogueFlags,
  bytes: Parsed<CatalogueBytes>,
): Parsed<ReadCatalogue> {
  if ("problem" in bytes) return bytes;
  const parsed = parseCatalogue(bytes.value.catalogue, bytes.value.overlay);
  if (parsed.kind === "invalid") {
    return { problem: describeProblems(files, parsed.problems).join("\n") };
  }
  const { catalogue, changes, warnings } = parsed;
  return { value: { catalogue, changes, warnings: describeProblems(files, warnings) } };
}

/** Names a catalogue by its file, and its overlay. */
export function nameCatalogue({ catalogue, catalogueOverlay }: CatalogueFlags): string {
  return catalogueOverlay === undefined ? catalogue : `${catalogue} with ${catalogueOverlay}`;
}

/** Logs entries of the overlay without effect, if there are any. */
export function warnOfOverlay(warnings: readonly string[], emit: Emit): void {
  if (warnings.length > 0) emit({ event: "overlay-unused", message: shortenProblems(warnings) });
}

/** Shortens a list of problems for a log. */
export function shortenProblems(lines: readonly string[]): string {
  const rest = lines.length - MAX_PROBLEMS;
  if (rest <= 0) return lines.join("\n");
  return [...lines.slice(0, MAX_PROBLEMS), `and ${rest} more; catalogue check lists them`].join(
    "\n",
  );
}

function describeProblems(
  { catalogue, catalogueOverlay = "" }: CatalogueFlags,
  problems: readonly CatalogueProblem[],
): readonly string[] {
  return problems.map(({ file, line, column, path, message }) => {
    const name = file === "catalogue" ? catalogue : catalogueOverlay;
    return `${name}:${line}:${column}: ${path === "" ? "" : `${path}: `}${message}`;
  });
}

/** Reads at most `READ_BYTES`, in case the user named a disk image or a device by mistake. */
async function readStart(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of handle.createReadStream({ end: READ_BYTES - 1, autoClose: false })) {
      const bytes: Uint8Array = chunk;
      chunks.push(bytes);
      total += bytes.length;
    }
    return Buffer.concat(chunks, total);
  } finally {
    await handle.close();
  }
}
