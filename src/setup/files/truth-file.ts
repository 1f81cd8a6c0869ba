import { createReadStream } from "node:fs";
import { readStart } from "../../model/read-start.ts";
import type { TruthEntry } from "../../model/service/accuracy.ts";
import type { Emit } from "../../model/run-event.ts";
import {
  parseTruth,
  type TruthContext,
  TRUTH_MAX_BYTES,
} from "../../open-data/accuracy/parse-truth.ts";
import type { Flags } from "../options/options.ts";
import type { Parsed } from "../parse-options.ts";
import { shortenProblems } from "./catalogue-file.ts";
import { describeProblems, describeReadError } from "./named-files.ts";

/** Reads a truth file. The problem lists all faults, one per line, as `FILE:LINE:COLUMN: sentence`. */
export async function readTruth(
  { truth: file }: Flags<"truth">,
  context?: TruthContext,
): Promise<Parsed<readonly TruthEntry[]>> {
  const start = readStart(createReadStream(file), TRUTH_MAX_BYTES);
  const source = await start.catch(describeReadError);
  if ("problem" in source) return { problem: `--truth ${file}: ${source.problem}` };
  const parsed = parseTruth(source, context);
  return parsed.kind === "ok"
    ? { value: parsed.entries }
    : { problem: describeProblems(file, parsed.problems).join("\n") };
}

/**
 * The truth of a file that is read at each request. An unusable file counts as an empty one, because a typing mistake in it may not
 * stop a run; the problem is logged once for each version of the file. Never rejects.
 */
export function createTruthSource(
  flags: Flags<"truth">,
): (emit: Emit) => Promise<readonly TruthEntry[]> {
  let told: string | undefined;
  return async (emit) => {
    const read = await readTruth(flags);
    const problem = "problem" in read ? read.problem : undefined;
    if (problem !== undefined && problem !== told)
      emit({ event: "truth-ignored", message: shortenProblems(problem.split("\n")) });
    told = problem;
    return "problem" in read ? [] : read.value;
  };
}
