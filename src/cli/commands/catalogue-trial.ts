import { readFile } from "node:fs/promises";
import type { Catalogue } from "../../model/service/catalogue.ts";
import { FREEZE_SHOWN_BYTES } from "../../model/service/freeze.ts";
import { SECOND_MS } from "../../model/time.ts";
import { PER_HOST } from "../../probe/pool.ts";
import { buildProbeDependencies } from "../../probe/probe-config.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import {
  type Answers,
  decodeAnswers,
  encodeAnswers,
  judgeAgain,
  proposeAll,
  recordAnswers,
  OVERLAY_HEAD,
  buildReport,
  writeOverlay,
  type TrialReport,
  type TrialRow,
} from "../../trial/run-trial.ts";
import { UsageError } from "../../setup/errors.ts";
import { type Action, type Call, sleep } from "../../setup/io.ts";
import type { Flags } from "../../setup/options/options.ts";
import { describeOutcome } from "../output/outcome-text.ts";
import { textsOf, toJsonText } from "../output/text.ts";
import { nameCatalogue, readCatalogue, warnOfOverlay } from "../../setup/files/catalogue-file.ts";
import { describeReadError, writeOutput } from "../../setup/files/named-files.ts";
import { readProbeConfig } from "../../setup/read-probe-config.ts";
import { ANSWER_KINDS, type AnswerKind } from "../../trial/propose.ts";

type TrialFlags = Flags<"catalogue" | "probe" | "trial" | "private" | "trialJson">;

/** `catalogue trial`: asks every endpoint twice, says what answered, and proposes an overlay. Publishes nothing, and has no state. */
export const catalogueTrialCommand: Action<TrialFlags> = async (call) => {
  const { flags, problems, io, log } = call;
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
      ? await ask(catalogue, deps, call)
      : await judgeAgain(catalogue, await readAnswers(flags.from), deps);
  if (io.stop.aborted) return 1;
  const proposals = await proposeAll(catalogue, answers, deps);
  const report = buildReport(catalogue, answers, proposals);
  io.print(
    flags.isJson ? toJsonText(report) : renderTrial(nameCatalogue(flags), report, flags.overlay),
  );
  // After the report, so that a folder that is missing costs no second trial.
  await keep(flags, answers, writeOverlay(catalogue, proposals));
  return 0;
};

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
  { flags: { pauseMs }, io, log }: Call<TrialFlags>,
): Promise<Answers> {
  const endpoints = catalogue.services.flatMap((service) => service.endpoints).length;
  return recordAnswers(catalogue, deps, {
    // Gentle to owners: an endpoint is asked once in a round.
    rounds: 2,
    concurrency: 32,
    perHost: PER_HOST,
    pauseMs,
    signal: io.stop,
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
  const text = await readFile(file, "utf8").catch(() => OVERLAY_HEAD);
  return text.startsWith(OVERLAY_HEAD)
    ? undefined
    : `--overlay ${file}: there is a file already; name another one.`;
}

async function readAnswers(file: string): Promise<Answers> {
  try {
    return decodeAnswers(await readFile(file));
  } catch (error) {
    const problem = error instanceof RangeError ? error.message : describeReadError(error).problem;
    throw new UsageError([`--from ${file}: ${problem}`]);
  }
}

const TITLES: Readonly<Record<AnswerKind, string>> = {
  page: "A page, or an answer of a machine",
  wall: "A wall against robots",
  refused: "Refused by the owner",
  silent: "Silence",
  "dead-name": "A name that does not exist",
  moved: "Moved to another site",
  parked: "A parked name",
  certificate: "A certificate that does not fit",
  error: "An error of the server, or works",
  other: "Not what the catalogue expects",
  "not-tried": "Not tried",
};

/** The report in plain English, which can be sent to whom the catalogue belongs. Ends without a line break. */
function renderTrial(file: string, report: TrialReport, overlay: string): string {
  const { rows, unreached, small } = report;
  const counts = ANSWER_KINDS.flatMap((kind) => {
    const count = rows.filter(({ kinds }) => kinds[0] === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const rounds = Math.max(0, ...rows.map(({ kinds }) => kinds.length));
  const head = `${file}: ${rows.length} endpoints, ${rounds} rounds: ${counts.join(", ")}`;
  const groups = ANSWER_KINDS.flatMap((kind) => {
    const shown = rows
      .filter((row) => row.kinds[0] === kind && isToLookAt(row))
      .toSorted((a, b) => Number(b.isCritical) - Number(a.isCritical));
    return shown.length === 0 ? [] : [[TITLES[kind], ...shown.map(describeRow)].join("\n")];
  });
  return textsOf(
    head,
    describeUnreached(unreached),
    describeSmall(small),
    ...groups,
    describeOverlay(report, overlay),
  ).join("\n\n");
}

function isToLookAt({ kinds, proposal, isCritical }: TrialRow): boolean {
  const isFine = kinds.every((kind) => kind === "page" || (kind === "refused" && !isCritical));
  return !isFine || proposal.length > 0;
}

function describeRow(row: TrialRow): string {
  const { slug, url, what, isCritical, kinds, outcomes, title, begins, expects, proposal } = row;
  const rests = isCritical ? `, critical: the verdict of ${slug} rests on it` : "";
  return textsOf(
    `  ${slug}: ${url} (${what}${rests})`,
    `    ${[...new Set(outcomes.map(describeOutcome))].join("; then ")}`,
    new Set(kinds).size > 1 && `    rounds: ${kinds.join(", then ")}`,
    `    expects ${expects}`,
    title !== "" && `    title: ${title}`,
    begins !== "" && `    begins: ${begins}`,
    ...proposal.map((line) => `      ${line}`),
  ).join("\n");
}

function describeUnreached(slugs: readonly string[]): string {
  return slugs.length === 0
    ? "Every service was reached by a critical endpoint."
    : `Nothing would be known of ${slugs.length} services, whose critical endpoints were not reached: ${slugs.join(", ")}.`;
}

function describeSmall(small: TrialReport["small"]): string | undefined {
  if (small.length === 0) return undefined;
  const lines = small.map(({ slug, url, bytes }) => `  ${slug}: ${bytes} bytes at most, by ${url}`);
  const head = `No endpoint of these services abroad sends ${FREEZE_SHOWN_BYTES} bytes or more, so a freeze of them would not show`;
  return [head, ...lines].join("\n");
}

function describeOverlay({ rows, changed }: TrialReport, overlay: string): string {
  const count = rows.filter(({ proposal }) => proposal.length > 0).length;
  if (changed === 0) return "No change is proposed.";
  return [
    `Changes of ${count} endpoints of ${changed} services are in ${overlay}; each was judged by the answers above.`,
    `Read it, then try it: catalogue trial --catalogue-overlay ${overlay} --overlay second.yaml.`,
  ].join(" ");
}
