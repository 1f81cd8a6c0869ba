import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Emit } from "../model/run-event.ts";
import type { VantageExchange } from "../pipeline/run/hear-vantages.ts";
import { locationsOverlap } from "../store/location.ts";
import { openStore } from "../store/open.ts";
import { errnoOf } from "../store/store-error.ts";
import { parseVantages } from "../vantages/parse-vantages.ts";
import { describeProblems } from "./registry/read-monitors.ts";
import type { PublishFlags } from "./io.ts";
import { DEFAULT_VANTAGES } from "./options.ts";
import type { Parsed } from "./parse-options.ts";

type ReadExchange = (emit: Emit) => Promise<VantageExchange | undefined>;

/** Options about vantages. */
export interface ExchangeFlags {
  readonly vantages?: string;
  readonly exchange?: string;
}

/**
 * Opens the exchange of `--exchange` with the vantages of `--vantages`, or of the default file if it exists. The file is read again for
 * each run; an edit that makes it invalid is logged, and the vantages stay as they were.
 */
export async function openExchangeSource(
  flags: ExchangeFlags & Pick<PublishFlags, "store" | "state">,
): Promise<Parsed<ReadExchange>> {
  const { exchange: url, store, state } = flags;
  const file = flags.vantages ?? DEFAULT_VANTAGES;
  const first = await readVantages(file, flags.vantages !== undefined);
  if ("problem" in first) return first;
  if (url === undefined)
    return first.value === undefined
      ? { value: () => Promise.resolve(undefined) }
      : {
          problem: `--vantages ${file}: name the store in which the vantages meet the runner, with --exchange.`,
        };
  if (first.value === undefined)
    return {
      problem: `--exchange ${url}: there is no ${DEFAULT_VANTAGES}. Name the file of the vantages with --vantages.`,
    };
  for (const [option, other] of [
    ["--store", store],
    ["--state", state],
  ] as const)
    if (locationsOverlap(url, other))
      return {
        problem: `--exchange ${url} and ${option} ${other} overlap: vantages may write to the exchange, keep it elsewhere.`,
      };
  const opened = await openStore(url, { role: "exchange" });
  if (opened.kind === "refused") return { problem: opened.message };
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
      return { vantages, store: opened.store, newAskId: () => randomUUID() };
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
