import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { Catalogue } from "../model/catalogue.ts";
import type { Emit } from "../model/event.ts";
import {
  type CatalogueBytes,
  type CatalogueFlags,
  checkCatalogueBytes,
  readCatalogueBytes,
  shortenProblems,
  tellOverlay,
} from "./catalogue-file.ts";
import type { Parsed } from "./settings.ts";

/** A file that somebody is writing is not read in the middle: it has to be the same twice, so long after one another. */
const SETTLE_MS = 100;

/** A catalogue that is read anew whenever somebody asks, and parsed when one of its files changed. */
export interface CatalogueSource {
  /** As it was read last. */
  readonly current: () => Catalogue;
  /**
   * As the files say now. One that is not there any more, or cannot be used as it is, leaves the catalogue before, and is told once
   * for each state of the files; so are entries of the overlay that do nothing, from the first reading on. Never rejects.
   */
  readonly read: (emit: Emit) => Promise<Catalogue>;
}

/**
 * Opens the catalogue of these files; every problem with it, one a line, when it is none at the beginning.
 *
 * @param settle waits between the two looks at a file that has changed.
 */
export async function openCatalogueSource(
  files: CatalogueFlags,
  settle: () => Promise<unknown> = () => delay(SETTLE_MS),
): Promise<Parsed<CatalogueSource>> {
  let used = await readCatalogueBytes(files);
  const first = checkCatalogueBytes(files, used);
  if ("problem" in first) return first;
  let { catalogue, warnings: untold } = first.value;
  let refused: Parsed<CatalogueBytes> | undefined;

  const lookOnce = async (emit: Emit): Promise<void> => {
    const bytes = await readCatalogueBytes(files);
    if (isSame(bytes, used)) refused = undefined;
    if (isSame(bytes, used) || isSame(bytes, refused)) return;
    await settle();
    // Still being written: who asks next looks again.
    if (!isSame(bytes, await readCatalogueBytes(files))) return;
    const checked = checkCatalogueBytes(files, bytes);
    if ("problem" in checked) {
      refused = bytes;
      emit({ event: "catalogue-kept", message: shortenProblems(checked.problem.split("\n")) });
      return;
    }
    used = bytes;
    refused = undefined;
    ({ catalogue, warnings: untold } = checked.value);
    emit({ event: "catalogue-changed", services: catalogue.services.length });
  };
  const lookAndTell = async (emit: Emit): Promise<void> => {
    await lookOnce(emit);
    tellOverlay(untold, emit);
    untold = [];
  };
  // One after another, so that nothing is told twice. A look that began earlier cannot be shared: the edit may be younger.
  const inTurn = pLimit(1);
  return {
    value: {
      current: () => catalogue,
      read: async (emit) => {
        await inTurn(lookAndTell, emit);
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
    Buffer.compare(one.value.overlay ?? NOTHING, other.value.overlay ?? NOTHING) === 0
  );
}

const NOTHING = new Uint8Array();
