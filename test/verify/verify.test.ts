import { expect, test } from "vitest";
import { CHECKS } from "../../src/verify/checks.ts";
import { BADGE_ROWS } from "./rows/badge-rows.ts";
import { checkWith, idsOf, problemsOf } from "./check.ts";
import { DATA_ROWS } from "./rows/data-rows.ts";
import { DOCUMENT_ROWS } from "./rows/document-rows.ts";
import { FRONT_ROWS } from "./rows/front-rows.ts";
import { SITE_ROWS } from "./rows/site-rows.ts";
import { withoutTimes } from "./rows.ts";

test("a deployment that conforms to the specification passes every check", async () => {
  const report = await checkWith(undefined, { isApiOnly: false });
  expect(problemsOf(report)).toBe("");
  expect(idsOf(report, "fail")).toEqual([]);
  expect(idsOf(report, "skip")).toEqual(["rate-limit"]);
  expect(report).toMatchObject({ failed: 0, skipped: 1, passed: report.checks.length - 1 });
  expect(report.checks.flatMap(({ warnings }) => warnings)).toEqual([]);
  const seen = report.checks.map((one) => `${one.id}: ${one.result}, ${one.seen}`).join("\n");
  await expect(`${withoutTimes(seen)}\n`).toMatchFileSnapshot("golden/seen.txt");
});

test("every check except rate-limit has a row with a broken deployment", () => {
  const broken = new Set(
    [...DOCUMENT_ROWS, ...FRONT_ROWS, ...DATA_ROWS, ...SITE_ROWS, ...BADGE_ROWS].map(
      ([, , check]) => check,
    ),
  );
  // A 429 has to end after some requests: see network.test.ts.
  expect([...CHECKS.keys()].filter((id) => !broken.has(id))).toEqual(["rate-limit"]);
});
