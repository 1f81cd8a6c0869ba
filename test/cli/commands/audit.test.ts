import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderAudit } from "../../../src/cli/commands/catalogue.ts";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import { encodeState } from "../../../src/state/codec/state.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { AUDIT_FINDINGS } from "../../../src/services/history/audit-endpoints.ts";
import { minutes, runMark, T0 } from "../../model/samples.ts";
import { writeSmallCatalogue } from "../../setup/small-catalogue.ts";
import { makeScratchFolder } from "../../store/scratch.ts";
import { runHere } from "../run-here.ts";

const FINDINGS = AUDIT_FINDINGS.flatMap((kind) =>
  [true, false].map((isCritical) => ({
    kind,
    slug: `of-${kind}`,
    url: `https://${isCritical ? "www" : "api"}.${kind}.ru/`,
    isCritical,
    what: `what was measured of ${kind}`,
    proposal: kind === "wall" ? [] : ["expect: [403]", "# or take it out"],
  })),
);

test("the report of an audit has a part for each finding", async () => {
  const found = { kind: "audited", runs: 400, spanMs: 1.5 * DAY_MS, endpoints: 230 } as const;
  const networks = [{ network: "AS197695", slugs: ["a", "b", "c"] }];
  const reports = [
    { ...found, unreached: 1, findings: FINDINGS, networks },
    { ...found, spanMs: 2 * DAY_MS, unreached: 0, findings: [], networks: [] },
    { kind: "too-early", runs: 1, spanMs: HOUR_MS } as const,
  ].map((audit) => renderAudit("catalogue.yaml", audit));
  await expect(`${reports.join("\n---\n")}\n`).toMatchFileSnapshot("golden/audit.txt");
});

const BANK = "https://www.sberbank.ru/";

test.each([
  ["has never answered", 2, [], 1],
  ["has answered", 2, [BANK], 0],
  ["may answer in the next run", 1, [], 0],
])("an audit of a critical endpoint that %s ends so", async (_what, count, proven, code) => {
  const folder = makeScratchFolder();
  writeSmallCatalogue(folder);
  const runs = Array.from({ length: count }, (_, at) => runMark({ atMs: T0 + minutes(5 * at) }));
  const endpoints = new Map([[BANK, "a".repeat(count)]]);
  const history = { ...EMPTY_HISTORY, runs, endpoints, proven: new Set(proven) };
  mkdirSync(join(folder, ".state"));
  writeFileSync(join(folder, ".state/state.json.gz"), encodeState({ ...EMPTY_STATE, history }));
  const args = ["catalogue", "audit", "--catalogue", "catalogue.yaml"];
  expect(await runHere(args, folder)).toMatchObject({ code });
});
