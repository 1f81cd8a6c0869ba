import { readFile } from "node:fs/promises";
import type { EngineAddress } from "../engine/connection.ts";
import type { DispatchSettings } from "../engine/dispatch.ts";
import { describeReadError } from "./files/named-files.ts";
import type { Flags } from "./options/options.ts";
import type { Parsed, ProblemCollector } from "./parse-options.ts";

/** The credentials in the file that an option names, if it does. */
export async function readCredentials(
  option: string,
  file: string | undefined,
): Promise<Parsed<Pick<EngineAddress, "credentials">>> {
  if (file === undefined) return { value: {} };
  const read = await readFile(file, "utf8").catch(describeReadError);
  return typeof read === "string"
    ? { value: { credentials: read } }
    : { problem: `${option} ${file}: ${read.problem}` };
}

/** The problem of an option that names credentials for an engine that is not given, unless its URL is wrong anyway. */
export function findLoneCredentials(
  option: string,
  file: string | undefined,
  { isWrong }: Pick<ProblemCollector, "isWrong">,
): Parsed<undefined> {
  return file === undefined || isWrong("engine")
    ? { value: undefined }
    : { problem: `${option} ${file}: engine is missing.` };
}

/** The engine that a publisher uses, and as which cell. Undefined without `engine`. */
export async function readEngine(
  flags: Flags<"engine" | "enginePlaces"> & Partial<Flags<"cell">>,
  problems: Pick<ProblemCollector, "isWrong">,
): Promise<Parsed<Pick<DispatchSettings, "address" | "cell" | "vantages"> | undefined>> {
  const { engine: url, engineCredentials: file } = flags;
  if (url === undefined) return findLoneCredentials("engineCredentials", file, problems);
  const credentials = await readCredentials("engineCredentials", file);
  if ("problem" in credentials) return credentials;
  // As a part of a subject; `0/1` is the only cell of an installation that is not divided.
  const { number, of } = flags.cell ?? { number: 0, of: 1 };
  const vantages = [...new Set(flags.engineVantage)];
  return { value: { address: { url, ...credentials.value }, cell: `${number}-${of}`, vantages } };
}
