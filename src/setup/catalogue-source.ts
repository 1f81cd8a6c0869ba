import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { Catalogue } from "../model/service/catalogue.ts";
import type { Emit } from "../model/run-event.ts";
import {
  type CatalogueBytes,
  checkCatalogueBytes,
  readCatalogueBytes,
  shortenProblems,
  warnOfOverlay,
} from "./files/catalogue-file.ts";
import type { Flags } from "./options/options.ts";
import type { Parsed } from "./parse-options.ts";

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

/**
 * Opens a catalogue. The problem lists all faults, one per line.
 *
 * @param waitUntilWritten waits between the two reads of a changed file.
 */
export async function openCatalogueSource(
  files: Flags<"catalogue">,
  waitUntilWritten: () => Promise<unknown> = () => delay(WRITE_PAUSE_MS),
): Promise<Parsed<CatalogueSource>> {
  let used = await readCatalogueBytes(files);
  const first = checkCatalogueBytes(files, used);
  if ("problem" in first) return first;
  let { catalogue, warnings: pendingWarnings } = first.value;
  let refused: Parsed<CatalogueBytes> | undefined;

  const reload = async (emit: Emit): Promise<void> => {
    const bytes = await readCatalogueBytes(files);
    if (isSame(bytes, used)) refused = undefined;
    if (isSame(bytes, used) || isSame(bytes, refused)) return;
    await waitUntilWritten();
    // Still being written: the next request reads it again.
    if (!isSame(bytes, await readCatalogueBytes(files))) return;
    const checked = checkCatalogueBytes(files, bytes);
    if ("problem" in checked) {
      refused = bytes;
      emit({
        event: "catalogue-reload-rejected",
        message: shortenProblems(checked.problem.split("\n")),
      });
      return;
    }
    used = bytes;
    refused = undefined;
    ({ catalogue, warnings: pendingWarnings } = checked.value);
    emit({ event: "catalogue-changed", services: catalogue.services.length });
  };
  const reloadAndWarn = async (emit: Emit): Promise<void> => {
    await reload(emit);
    warnOfOverlay(pendingWarnings, emit);
    pendingWarnings = [];
  };
  // One at a time, so that nothing is logged twice. Requests cannot share a read, because the file may have changed after it began.
  const oneAtATime = pLimit(1);
  return {
    value: {
      current: () => catalogue,
      read: async (emit) => {
        await oneAtATime(reloadAndWarn, emit);
        return catalogue;
      },
    },
  };
}

function isSame(one: Parsed<CatalogueBytes>, other: Parsed<CatalogueBytes> | undefined): boolean {
  if (other === undefined) return false;
  if ("problem" in one || "problem" in other) {
    return "problem" in one && "problem" in other && one.problem === other.problem;
  }
  return (
    Buffer.compare(one.value.catalogue, other.value.catalogue) === 0 &&
    Buffer.compare(one.value.overlay ?? EMPTY, other.value.overlay ?? EMPTY) === 0
  );
}

const EMPTY = new Uint8Array();
