import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NO_OWNERS, type OwnedMonitor } from "../../../src/model/monitor/owned-monitor.ts";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import { encodeState } from "../../../src/state/codec/state.ts";
import { hashOf, pendingMonitor, provedMonitor, tokenOf } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";
import { writeSmallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { problemsOf } from "../cli.ts";
import { runHere } from "../run-here.ts";

const PUBLISH = ["--catalogue", "catalogue.yaml", "--no-services"];

const PROVED: OwnedMonitor = {
  ...provedMonitor("proved", "https://proved.example/"),
  challenges: [
    {
      token: tokenOf("u"),
      goal: { kind: "url", url: "https://new.example/" },
      sinceMs: T0,
      network: "n",
    },
  ],
};
const OWNED = [PROVED, pendingMonitor("waiting", "https://waiting.example/")];

/** A folder in which two owners have added a site, of which one has shown that it is theirs. */
function openFolder() {
  const folder = makeScratchFolder();
  writeSmallCatalogue(folder);
  const changes = new Map(OWNED.map((one) => [one.monitor.id, one]));
  const owners = { ...NO_OWNERS, sequence: T0, pending: { sequence: T0, changes } };
  mkdirSync(join(folder, ".state"));
  writeFileSync(join(folder, ".state/state.json.gz"), encodeState({ ...EMPTY_STATE, owners }));
  const say = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runHere(["monitor", ...args], folder);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining("failed")]);
    return stdout.trimEnd();
  };
  return { folder, say };
}

test("an operator lists and exports what owners have added, without their keys", async () => {
  const { folder, say } = openFolder();
  writeFileSync(join(folder, "own.jsonl"), '{"id":"own","url":"https://own.example/"}\n');
  const rows = (text: string) => text.split("\n").map((line) => line.split(/ {2,}/u));
  expect(rows(await say("list", "--monitors", "own.jsonl"))).toEqual([
    ["ID", "PUBLIC", "STATE", "SINCE (UTC)", "30 DAYS", "URL", "OWNER", "WHY"],
    ["own", "not checked yet", "-", "-", "https://own.example/", "operator"],
    ["proved", "not checked yet", "-", "-", "https://proved.example/", "proved"],
    ["waiting", "not checked yet", "-", "-", "https://waiting.example/", "pending"],
  ]);
  expect(rows(await say("list", "--pending")).map(([id]) => id)).toEqual(["ID", "waiting"]);

  const exported = await say("export", "proved");
  expect(JSON.parse(exported)).toMatchObject({
    monitor: { id: "proved" },
    challenges: [{ token: tokenOf("u"), goal: "url" }],
    checks: null,
  });
  expect(exported).not.toContain(hashOf("k"));
});

test("an operator who removes what an owner has added leaves nothing of it", async () => {
  const { folder, say } = openFolder();
  expect(await say("remove", "proved", ...PUBLISH)).toBe(
    "Removed proved: its history and badges are gone.",
  );
  const gone = await runHere(["monitor", "export", "proved"], folder);
  expect([gone.code, problemsOf(gone.stderr)]).toEqual([
    2,
    ['no owner has added a monitor with the id "proved".'],
  ]);
});
