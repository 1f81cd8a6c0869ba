import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import pLimit from "p-limit";
import { readStart } from "../../model/read-start.ts";
import type { Emit } from "../../model/run-event.ts";
import {
  type Catalogue,
  MAX_CATALOGUE_BYTES,
  type Service,
} from "../../model/service/catalogue.ts";
import type { OverlayChange } from "../../services/catalogue/overlay.ts";
import type { CatalogueProblem } from "../../services/catalogue/parse-catalogue.ts";
import type { Flags } from "../options/options.ts";
import type { Parsed } from "../parse-options.ts";
import { describeProblems, describeReadError } from "./named-files.ts";

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

interface CatalogueBytes {
  readonly catalogue: Uint8Array;
  readonly overlay: Uint8Array | undefined;
}

/** Reads and checks a catalogue. The problem lists all faults, one per line, as `FILE:LINE:COLUMN: sentence`. */
export async function readCatalogue(files: CatalogueFlags): Promise<Parsed<ReadCatalogue>> {
  return checkCatalogueBytes(files, await readCatalogueBytes(files));
}

async function readCatalogueBytes(files: CatalogueFlags): Promise<Parsed<CatalogueBytes>> {
  const { catalogue: file, catalogueOverlay: overlayFile } = files;
  const problems: string[] = [];
  const read = (what: string, name: string): Promise<Uint8Array | undefined> =>
    // In case the user named a disk image or a device by mistake.
    readStart(createReadStream(name), MAX_CATALOGUE_BYTES).catch((error: NodeJS.ErrnoException) => {
      problems.push(`${what} ${name}: ${describeReadError(error).problem}`);
      return undefined;
    });
  const catalogue = await read("catalogue", file);
  const overlay =
    overlayFile === undefined ? undefined : await read("--catalogue-overlay", overlayFile);
  return catalogue === undefined || problems.length > 0
    ? { problem: problems.join("\n") }
    : { value: { catalogue, overlay } };
}

/**
 * The shipped catalogue as the build has parsed it, if these are its bytes: parsing takes a tenth of a quiet run. Undefined for any other,
 * and for a program that is not built.
 */
async function readCompiled({
  catalogue,
  overlay,
}: CatalogueBytes): Promise<Catalogue | undefined> {
  if (overlay !== undefined) return undefined;
  const file = new URL("../catalogue.json", import.meta.url);
  const compiled = await readFile(file, "utf8").catch(() => undefined);
  if (compiled === undefined) return undefined;
  const { digest, catalogue: parsed } = JSON.parse(compiled);
  return digest === createHash("sha256").update(catalogue).digest("hex") ? parsed : undefined;
}

async function checkCatalogueBytes(
  files: CatalogueFlags,
  bytes: Parsed<CatalogueBytes>,
): Promise<Parsed<ReadCatalogue>> {
  if ("problem" in bytes) return bytes;
  const compiled = await readCompiled(bytes.value);
  if (compiled !== undefined) return { value: { catalogue: compiled, changes: [], warnings: [] } };
  const { parseCatalogue } = await import("../../services/catalogue/parse-catalogue.ts");
  const describe = (problems: readonly CatalogueProblem[]): readonly string[] =>
    problems.flatMap((one) => {
      const name = one.file === "catalogue" ? files.catalogue : (files.catalogueOverlay ?? "");
      return describeProblems(name, [one]);
    });
  const parsed = parseCatalogue(bytes.value.catalogue, bytes.value.overlay);
  if (parsed.kind === "invalid") return { problem: describe(parsed.problems).join("\n") };
  const { catalogue, changes, warnings } = parsed;
  return { value: { catalogue, changes, warnings: describe(warnings) } };
}

/** The service; for an unknown slug the problem suggests services whose slug or name contains it. */
export function findService(slug: string, { services }: Catalogue): Parsed<Service> {
  const service = services.find((one) => one.slug === slug);
  if (service !== undefined) return { value: service };
  const typed = slug.toLowerCase();
  const similar = services
    .filter((one) => one.slug.includes(typed) || one.name.toLowerCase().includes(typed))
    .map((one) => one.slug);
  const hint =
    typed === "" || similar.length === 0
      ? "The catalogue file lists the slugs."
      : `Did you mean ${similar.slice(0, 5).join(", ")}?`;
  return { problem: `${slug}: the catalogue has no such service. ${hint}` };
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
  const more = rest <= 0 ? [] : [`and ${rest} more; catalogue check lists them`];
  return [...lines.slice(0, MAX_PROBLEMS), ...more].join("\n");
}

/** A changed file has to be the same in two reads this far apart, so that an unfinished write is not used. */
const WRITE_PAUSE_MS = 100;

/** A catalogue whose files are read at each request, and parsed if one of them has changed. */
export interface CatalogueSource {
  /** The catalogue of the last read. */
  readonly current: () => Catalogue;
  /**
   * Reads the files again. If they are missing or invalid, the previous catalogue stays, and the problem is logged once per state of the
   * files; so are entries of the overlay without effect, from the first read on. Never rejects.
   */
  readonly read: (emit: Emit) => Promise<Catalogue>;
}

/** Opens a catalogue. The problem lists all faults, one per line. `waitUntilWritten` waits between two reads of a changed file. */
export async function openCatalogueSource(
  files: CatalogueFlags,
  waitUntilWritten: () => Promise<unknown> = () => delay(WRITE_PAUSE_MS),
): Promise<Parsed<CatalogueSource>> {
  let used = await readCatalogueBytes(files);
  const first = await checkCatalogueBytes(files, used);
  if ("problem" in first) return first;
  let { catalogue, warnings: pendingWarnings } = first.value;
  let refused: Parsed<CatalogueBytes> | undefined;

  const reload = async (emit: Emit): Promise<void> => {
    const bytes = await readCatalogueBytes(files);
    if (isDeepStrictEqual(bytes, used)) refused = undefined;
    if (isDeepStrictEqual(bytes, used) || isDeepStrictEqual(bytes, refused)) return;
    await waitUntilWritten();
    // Still being written: the next request reads it again.
    if (!isDeepStrictEqual(bytes, await readCatalogueBytes(files))) return;
    const checked = await checkCatalogueBytes(files, bytes);
    if ("problem" in checked) {
      refused = bytes;
      const message = shortenProblems(checked.problem.split("\n"));
      emit({ event: "catalogue-reload-rejected", message });
      return;
    }
    used = bytes;
    refused = undefined;
    ({ catalogue, warnings: pendingWarnings } = checked.value);
    emit({ event: "catalogue-changed", services: catalogue.services.length });
  };
  // One at a time, so that nothing is logged twice. Requests cannot share a read, because the file may have changed after it began.
  const oneAtATime = pLimit(1);
  const read = async (emit: Emit): Promise<Catalogue> => {
    await oneAtATime(async () => {
      await reload(emit);
      warnOfOverlay(pendingWarnings, emit);
      pendingWarnings = [];
    });
    return catalogue;
  };
  return { value: { current: () => catalogue, read } };
}
