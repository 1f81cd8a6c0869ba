import { join } from "node:path";
import { prepareIntake } from "../../src/intake/intake-setup.ts";
import type { Log } from "../../src/setup/log.ts";
import type { Given } from "../../src/setup/options/option-row.ts";
import { INTAKE, readFlags } from "../../src/setup/options/options.ts";
import { collectProblems } from "../../src/setup/parse-options.ts";
import { writeSmallCatalogue } from "../setup/small-catalogue.ts";
import { makeScratchFolder } from "../store/scratch.ts";

const nothing = (): void => undefined;

/** A log, and its warnings. */
export function openLog() {
  const warnings: string[] = [];
  const log: Log = {
    emit: nothing,
    warn: (sentence) => void warnings.push(sentence),
    fail: nothing,
    refuse: nothing,
    advise: nothing,
    close: nothing,
  };
  return { log, warnings };
}

/** An intake that is ready to be opened, with its stores in a folder of its own. */
export async function prepareInFolder(given: Readonly<Record<string, Given>> = {}) {
  const folder = makeScratchFolder();
  const problems = collectProblems();
  const files = {
    store: `file:${join(folder, "public")}`,
    state: `file:${join(folder, "state")}`,
    catalogue: writeSmallCatalogue(folder),
  };
  const flags = readFlags(INTAKE, { ...files, ...given }, problems);
  const prepared = await prepareIntake(flags, problems, { env: {}, setEnv: nothing });
  return { folder, prepared };
}
