import { readFile } from "node:fs/promises";
import type { Catalogue } from "../../model/service/catalogue.ts";
import { SECOND_MS } from "../../model/time.ts";
import { buildProbeDependencies } from "../../probe/probe-config.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import {
  type Answers,
  decodeAnswers,
  encodeAnswers,
  judgeAgain,
  proposeAll,
  recordAnswers,
} from "../../trial/run-trial.ts";
import { OVERLAY_HEAD, buildReport, writeOverlay } from "../../trial/conclude-trial.ts";
import type { Log } from "../../setup/log.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import { type Call, type Io, sleep } from "../../setup/io.ts";
import type { Flags } from "../../setup/options/options.ts";
import { renderTrial } from "../output/trial-report.ts";
import { nameCatalogue, readCatalogue, warnOfOverlay } from "../../setup/files/catalogue-file.ts";
import { describeReadError } from "../../setup/files/input-files.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";
import { writeOutput } from "../../setup/files/output-file.ts";

type TrialFlags = Flags<"catalogue" | "probe" | "trial" | "private" | "trialJson">;

/** Gentle to owners: an endpoint is asked once in a round. */
const PACE = { rounds: 2, concurrency: 32, perHost: 2 } as const;

/** `catalogue trial`: asks every endpoint twice, says what answered, and proposes an overlay. Publishes nothing, and has no state. */
export async function catalogueTrialCommand({
  flags,
  problems,
  io,
  log,
}: Call<TrialFlags>): Promise<ExitCode> {
  const problem = await findForeignFile(flags.overlay);
  if (problem !== undefined) problems.addProblem(problem);
  const { read, config } = problems.settle({
    read: await readCatalogue(flags),
    config: await readProbeConfig({ ...flags, allowPort: [] }, io),
  });
  warnOfOverlay(read.warnings, log.emit);
  const { catalogue } = read;
  const deps = buildProbeDependencies(config);
  const answers =
    flags.from === undefined
      ? await ask(catalogue, deps, flags.pauseMs, io, log)
      : await judgeAgain(catalogue, await readAnswers(flags.from), deps);
  if (io.stop.aborted) return 1;
  const proposals = await proposeAll(catalogue, answers, deps);
  const report = buildReport(catalogue, answers, proposals);
  io.print(
    flags.isJson
      ? JSON.stringify(report, undefined, 2)
      : renderTrial(nameCatalogue(flags), report, flags.overlay),
  );
  // After the report, so that a folder that is missing costs no second trial.
  await keep(flags, answers, writeOverlay(catalogue, proposals));
  return 0;
}

async function keep(flags: TrialFlags, answers: Answers, overlay: string): Promise<void> {
  const problems = [
    await writeOutput("--overlay", flags.overlay, new TextEncoder().encode(overlay)),
    flags.answers === undefined
      ? undefined
      : await writeOutput("--answers", flags.answers, encodeAnswers(answers)),
  ].filter((problem) => problem !== undefined);
  if (problems.length > 0) throw new UsageError(problems);
}

function ask(
  catalogue: Catalogue,
  deps: ProbeDependencies,
  pauseMs: number,
  { stop }: Io,
  log: Log,
): Promise<Answers> {
  const endpoints = catalogue.services.flatMap((service) => service.endpoints).length;
  return recordAnswers(catalogue, deps, {
    ...PACE,
    pauseMs,
    signal: stop,
    sleep,
    onRound: (round) =>
      log.advise(
        round === 1
          ? `Asking ${endpoints} endpoints.`
          : `Asking them again in ${pauseMs / SECOND_MS} s.`,
      ),
  });
}

/** An operator's own overlay, which must not be lost. */
async function findForeignFile(file: string): Promise<string | undefined> {
  try {
    const text = await readFile(file, "utf8");
    return text.startsWith(OVERLAY_HEAD)
      ? undefined
      : `--overlay ${file}: there is a file already; name another one.`;
  } catch {
    return undefined;
  }
}

async function readAnswers(file: string): Promise<Answers> {
  try {
    return decodeAnswers(await readFile(file));
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError([`--from ${file}: ${error.message}`]);
    throw new UsageError([
      `--from ${file}: ${describeReadError(error as NodeJS.ErrnoException).problem}`,
    ]);
  }
}
