import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RecordedProbe } from "../../../src/trial/record-answers.ts";
import { encodeAnswers } from "../../../src/trial/run-trial.ts";
import { smallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { FINE, SKIPPED } from "../../trial/recorded.ts";
import { problemsOf } from "../cli.ts";
import { runHere } from "../run-here.ts";

const BANK = "https://www.sberbank.ru/";

const FILES = ["--catalogue", "catalogue.yaml", "--from", "answers.gz"];

/** A folder with a catalogue of one endpoint, or of one more, and kept answers of each. */
function openFolder(answers: readonly RecordedProbe[], other = ""): string {
  const folder = makeScratchFolder();
  const endpoint = /what: main site \}/u;
  const catalogue = smallCatalogue().replace(endpoint, `what: main site, body: Лавка }${other}`);
  const kept = new Map(
    [BANK, ...(other === "" ? [] : [`${BANK}api`])].map((url) => [url, answers]),
  );
  writeFileSync(join(folder, "catalogue.yaml"), catalogue);
  writeFileSync(join(folder, "answers.gz"), encodeAnswers(kept));
  return folder;
}

/** The report on kept answers of the only endpoint, by its paragraphs. */
async function judge(
  answer: RecordedProbe,
  last: RecordedProbe = answer,
  other = "",
): Promise<readonly string[]> {
  const folder = openFolder([answer, last], other);
  const { stdout } = await runHere(["catalogue", "trial", ...FILES], folder);
  return stdout.trimEnd().split("\n\n");
}

test("a trial in which all is well says so, and proposes nothing", async () => {
  const hops = FINE.hops.map((hop) => ({ ...hop, url: BANK }));
  expect(await judge({ ...FINE, hops })).toEqual([
    "catalogue.yaml: 1 endpoints, 2 rounds: 1 page",
    "Every service was reached by a critical endpoint.",
    "No change is proposed.",
  ]);
});

test("an endpoint that was not tried has a title of its own", async () => {
  expect(await judge(SKIPPED)).toEqual([
    "catalogue.yaml: 1 endpoints, 2 rounds: 1 not-tried",
    "Nothing would be known of 1 services, whose critical endpoints were not reached: sberbank.",
    `Not tried
  sberbank: ${BANK} (main site, critical: the verdict of sberbank rests on it)
    skipped: not reached before the deadline of the run
    expects the text "Лавка"`,
    "No change is proposed.",
  ]);
});

test("an endpoint that answered in one round only has its rounds", async () => {
  const hops = FINE.hops.map((hop) => ({ ...hop, url: BANK }));
  const [, , row] = await judge(SKIPPED, { ...FINE, hops });
  expect(row?.split("\n").slice(0, 4)).toEqual([
    "Not tried",
    `  sberbank: ${BANK} (main site, critical: the verdict of sberbank rests on it)`,
    expect.stringMatching(
      /^ {4}skipped: not reached before the deadline of the run; then HTTP 200 in \d+ ms$/u,
    ),
    "    rounds: not-tried, then page",
  ]);
  const [, , same] = await judge(SKIPPED);
  expect(same).not.toContain("rounds:");
});

test("an endpoint that is not critical is told as such", async () => {
  const other = `, { url: "${BANK}api", what: API, critical: false }`;
  const report = await judge(SKIPPED, SKIPPED, other);
  expect(report.join("\n").split("\n")).toContain(`  sberbank: ${BANK}api (API)`);
});

test("a trial that is stopped reports nothing, and writes nothing", async () => {
  const folder = openFolder([FINE, FINE]);
  const args = ["catalogue", "trial", ...FILES, "--overlay", "overlay.yaml"];
  const stopped = await runHere(args, folder, {}, AbortSignal.abort("aborted"));
  expect([stopped.code, stopped.stdout]).toEqual([1, ""]);
  expect(existsSync(join(folder, "overlay.yaml"))).toBe(false);
});

test("files that cannot be written are told after the report", async () => {
  const folder = openFolder([FINE, FINE]);
  const files = ["--overlay", "catalogue.yaml/overlay.yaml", "--answers", "catalogue.yaml/x"];
  const { code, stdout, stderr } = await runHere(
    ["catalogue", "trial", ...FILES, ...files],
    folder,
  );
  expect([code, stdout.split(":")[0]]).toEqual([2, "catalogue.yaml"]);
  expect(problemsOf(stderr)).toEqual([
    expect.stringMatching(/^--overlay catalogue\.yaml\/overlay\.yaml cannot be written: /u),
    expect.stringMatching(/^--answers catalogue\.yaml\/x cannot be written: /u),
  ]);
});

test("answers that are damaged, or not there, are told apart", async () => {
  const folder = openFolder([FINE, FINE]);
  writeFileSync(join(folder, "damaged.gz"), "x");
  const problemOf = async (from: string): Promise<readonly string[]> => {
    const args = ["catalogue", "trial", "--catalogue", "catalogue.yaml", "--from", from];
    const { code, stderr } = await runHere(args, folder);
    expect(code).toBe(2);
    return problemsOf(stderr);
  };
  const [[damaged = ""], [absent = ""]] = [
    await problemOf("damaged.gz"),
    await problemOf("none.gz"),
  ];
  expect(absent).toBe("--from none.gz: the file does not exist.");
  expect(damaged).toMatch(/^--from damaged\.gz: .*\.$/u);
  expect(damaged).not.toContain("the file does not exist");
});
