import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RecordedProbe } from "../../../src/trial/record-answers.ts";
import { encodeAnswers } from "../../../src/trial/run-trial.ts";
import { smallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { FINE, SKIPPED } from "../../trial/recorded.ts";
import { runHere } from "../run-here.ts";

const BANK = "https://www.sberbank.ru/";

/** The report on kept answers of the only endpoint, by its paragraphs. */
async function judge(answer: RecordedProbe): Promise<readonly string[]> {
  const folder = makeScratchFolder();
  const catalogue = smallCatalogue().replace("what: main site", "what: main site, body: Лавка");
  writeFileSync(join(folder, "catalogue.yaml"), catalogue);
  writeFileSync(join(folder, "answers.gz"), encodeAnswers(new Map([[BANK, [answer, answer]]])));
  const files = ["--catalogue", "catalogue.yaml", "--from", "answers.gz"];
  const { stdout } = await runHere(["catalogue", "trial", ...files], folder);
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
