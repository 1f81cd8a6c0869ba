import { readFile } from "node:fs/promises";
import type { EngineAddress } from "../engine/connection.ts";
import type { DispatchSettings } from "../engine/dispatch.ts";
import { messageOf } from "../model/errors.ts";
import type { Flags } from "./options/options.ts";
import type { Parsed, ProblemCollector } from "./parse-options.ts";

/** Where an engine is; undefined: none is used. */
export async function readEngineAddress(
  { engine, engineCredentials: file }: Flags<"engine">,
  { isWrong }: Pick<ProblemCollector, "isWrong">,
): Promise<Parsed<EngineAddress | undefined>> {
  if (engine === undefined)
    return file === undefined || isWrong("engine")
      ? { value: undefined }
      : { problem: `engineCredentials ${file}: engine is missing.` };
  if (file === undefined) return { value: { url: engine } };
  try {
    return { value: { url: engine, credentials: await readFile(file, "utf8") } };
  } catch (error) {
    return { problem: `engineCredentials ${file}: ${messageOf(error)}.` };
  }
}

/** The engine that a publisher uses, and as which cell. */
export type PublisherEngine = Pick<DispatchSettings, "address" | "cell" | "vantages">;

/** The engine of a publisher; undefined without `engine`. */
export async function readEngine(
  flags: Flags<"engine" | "enginePlaces"> & Partial<Flags<"cell">>,
  problems: Pick<ProblemCollector, "isWrong">,
): Promise<Parsed<PublisherEngine | undefined>> {
  const address = await readEngineAddress(flags, problems);
  if ("problem" in address) return address;
  if (address.value === undefined) return { value: undefined };
  // As a part of a subject; `0/1` is the only cell of an installation that is not divided.
  const { number, of } = flags.cell ?? { number: 0, of: 1 };
  const vantages = [...new Set(flags.engineVantage)];
  return { value: { address: address.value, cell: `${number}-${of}`, vantages } };
}
