import { expect, test } from "vitest";
import { renderAudit } from "../../../src/cli/commands/catalogue.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { AUDIT_FINDINGS } from "../../../src/services/history/audit-endpoints.ts";

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
