import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Emit } from "../model/run-event.ts";
import type { VantageExchange } from "../pipeline/run/hear-vantages.ts";
import { locationsOverlap } from "../store/location.ts";
import { errnoOf } from "../store/store-error.ts";
import { parseVantages } from "../vantages/parse-vantages.ts";
import { describeProblems } from "./registry/read-monitors.ts";
import type { Flags } from "./options/options.ts";
import { DEFAULT_VANTAGES } from "./options/shared-options.ts";
import type { Parsed, ProblemCollector } from "./parse-options.ts";
import { openChecked } from "./stores.ts";

type ReadExchange = (emit: Emit) => Promise<VantageExchange | undefined>;

/**
 * Opens the exchange of `--exchange` with the vantages of `--vantages`, or of the default file if it exists. The file is read again for
 * each run; an edit that makes it invalid is logged, and the vantages stay as they were.
 */
export async function openExchangeSource(
  flags: Flags<"exchange" | "store" | "state">,
  { isWrong }: Pick<ProblemCollector, "isWrong">,
): Promise<Parsed<ReadExchange>> {
  const { exchange: url } = flags;
  const file = flags.vantages ?? DEFAULT_VANTAGES;
  const first = await readVantages(file, flags.vantages !== undefined);
  if ("problem" in first) return first;
  if (url === undefined)
    return first.value === undefined || isWrong("--exchange")
      ? { value: () => Promise.resolve(undefined) }
      : {
          problem: `--vantages ${file}: name the store in which the vantages meet the runner, with --exchange.`,
        };
  if (first.value === undefined)
    return {
      problem: `--exchange ${url}: there is no ${DEFAULT_VANTAGES}. Name the file of the vantages with --vantages.`,
    };
  for (const other of ["store", "state"] as const)
    if (locationsOverlap(url, flags[other]))
      return {
        problem: `--exchange ${url} and --${other} ${flags[other]} overlap: vantages may write to the exchange, keep it elsewhere.`,
      };
  const store = await openChecked(url, "exchange");
  let vantages = first.value;
  return {
    value: async (emit) => {
      const read = await readVantages(file, true);
      if ("value" in read) vantages = read.value ?? vantages;
      else
        emit({
          event: "exchange-failed",
          message: `The vantages stay as they were. ${read.problem}`,
        });
      return { vantages, store, newAskId: () => randomUUID() };
    },
  };
}

/** Undefined: there is no such file, and need not be. */
async function readVantages(
  file: string,
  isNeeded: boolean,
): Promise<Parsed<VantageExchange["vantages"] | undefined>> {
  let source: Uint8Array;
  try {
    source = await readFile(file);
  } catch (error) {
    if (!isNeeded && errnoOf(error) === "ENOENT") return { value: undefined };
    return {
      problem: `--vantages ${file}: ${error instanceof Error ? error.message : String(error)}.`,
    };
  }
  const parsed = parseVantages(source);
  if (parsed.kind === "ok") return { value: parsed.vantages };
  return { problem: describeProblems(file, parsed.problems).join("\n") };
}
