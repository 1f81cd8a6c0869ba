import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { Catalogue } from "../model/catalogue.ts";
import type { Emit } from "../model/event.ts";
import { checkCatalogueText, readCatalogueText } from "./catalogue-file.ts";
import type { Parsed } from "./settings.ts";

/** A file that somebody is writing is not read in the middle: it has to be the same twice, so long after one another. */
const SETTLE_MS = 100;

/** Problems of an edit that are told; `catalogue check` lists all. */
const MOST_PROBLEMS = 20;

/** A catalogue that is read anew whenever somebody asks, and parsed when it changed. */
export interface CatalogueSource {
  /** As it was read last. */
  readonly current: () => Catalogue;
  /**
   * As the file says now. A file that is not there any more, or cannot be used as it is, leaves the one before, and is told once
   * for each state of the file. Never rejects.
   */
  readonly read: (emit: Emit) => Promise<Catalogue>;
}

/**
 * Opens the catalogue of a file; every problem with it, one a line, when it is none at the beginning.
 *
 * @param settle waits between the two looks at a file that has changed.
 */
export async function openCatalogueSource(
  file: string,
  settle: () => Promise<unknown> = () => delay(SETTLE_MS),
): Promise<Parsed<CatalogueSource>> {
  let used = await readCatalogueText(file);
  const first = checkCatalogueText(file, used);
  if ("problem" in first) return first;
  let catalogue = first.value;
  let refused: Parsed<Uint8Array> | undefined;

  const lookOnce = async (emit: Emit): Promise<void> => {
    const text = await readCatalogueText(file);
    if (isSame(text, used)) refused = undefined;
    if (isSame(text, used) || isSame(text, refused)) return;
    await settle();
    // Still being written: who asks next looks again.
    if (!isSame(text, await readCatalogueText(file))) return;
    const checked = checkCatalogueText(file, text);
    if ("problem" in checked) {
      refused = text;
      emit({ event: "catalogue-kept", message: shorten(checked.problem) });
      return;
    }
    used = text;
    refused = undefined;
    catalogue = checked.value;
    emit({ event: "catalogue-changed", services: catalogue.services.length });
  };
  // One after another, so that nothing is told twice. A look that began earlier cannot be shared: the edit may be younger.
  const inTurn = pLimit(1);
  return {
    value: {
      current: () => catalogue,
      read: async (emit) => {
        await inTurn(lookOnce, emit);
        return catalogue;
      },
    },
  };
}

function isSame(one: Parsed<Uint8Array>, other: Parsed<Uint8Array> | undefined): boolean {
  if (other === undefined) return false;
  if ("problem" in one || "problem" in other) {
    return "problem" in one && "problem" in other && one.problem === other.problem;
  }
  return Buffer.compare(one.value, other.value) === 0;
}

function shorten(problem: string): string {
  const lines = problem.split("\n");
  const rest = lines.length - MOST_PROBLEMS;
  if (rest <= 0) return problem;
  return [...lines.slice(0, MOST_PROBLEMS), `and ${rest} more; catalogue check lists them`].join(
    "\n",
  );
}
