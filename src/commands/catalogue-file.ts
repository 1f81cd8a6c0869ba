import { open } from "node:fs/promises";
import type { OverlayChange } from "../catalogue/overlay.ts";
import { type CatalogueProblem, parseCatalogue } from "../catalogue/parse.ts";
import type { Catalogue } from "../model/catalogue.ts";
import type { Emit } from "../model/event.ts";
import { describeReadError } from "./input-files.ts";
import type { Parsed } from "./settings.ts";

/** A byte more than a file may have, so that the parser sees that it is too long. Source: docs/catalogue.md, "Limits". */
const READ_BYTES = 4 * 1024 * 1024 + 1;

/** Problems of a file that are told beside other things; `catalogue check` lists all. */
const MOST_PROBLEMS = 20;

/** The files that make the catalogue, as every command names them that reads it. */
export interface CatalogueFlags {
  readonly catalogue: string;
  /** Changes of it. */
  readonly catalogueOverlay?: string;
}

/** A catalogue as it was read, and what its overlay does. */
export interface ReadCatalogue {
  readonly catalogue: Catalogue;
  /** In the order of the overlay. */
  readonly changes: readonly OverlayChange[];
  /** Entries of the overlay that do nothing, each as `FILE:LINE:COLUMN: sentence`. */
  readonly warnings: readonly string[];
}

/** What is in the files, each as far as it may be long. */
export interface CatalogueBytes {
  readonly catalogue: Uint8Array;
  readonly overlay?: Uint8Array;
}

/** Reads and checks a catalogue. Of a bad one every problem is told, one a line, as `FILE:LINE:COLUMN: sentence`. */
export async function readCatalogue(files: CatalogueFlags): Promise<Parsed<ReadCatalogue>> {
  return checkCatalogueBytes(files, await readCatalogueBytes(files));
}

/** The bytes of the files, or why there are none. */
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

/** The catalogue in the bytes, or every problem with them. */
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

/** What a catalogue is called: by its file, and that of its overlay. */
export function nameCatalogue({ catalogue, catalogueOverlay }: CatalogueFlags): string {
  return catalogueOverlay === undefined ? catalogue : `${catalogue} with ${catalogueOverlay}`;
}

/** Tells of entries of the overlay that do nothing, if there are any. */
export function tellOverlay(warnings: readonly string[], emit: Emit): void {
  if (warnings.length > 0) emit({ event: "overlay-unused", message: shortenProblems(warnings) });
}

/** Lines for a log, where thousands would drown everything else. */
export function shortenProblems(lines: readonly string[]): string {
  const rest = lines.length - MOST_PROBLEMS;
  if (rest <= 0) return lines.join("\n");
  return [...lines.slice(0, MOST_PROBLEMS), `and ${rest} more; catalogue check lists them`].join(
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

/** The file's beginning: whatever was named by mistake (a disk image, a device), no more of it is taken into memory. */
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
