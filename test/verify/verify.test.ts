import { expect, onTestFinished, test } from "vitest";
import { POINTS } from "../../src/verify/points.ts";
import { BADGE_ROWS } from "./badge-rows.ts";
import { check, idsOf, problemsOf } from "./check.ts";
import { DOCUMENT_ROWS } from "./document-rows.ts";
import { FRONT_ROWS } from "./front-rows.ts";
import { deploy } from "./good-deployment.ts";
import { SITE_ROWS } from "./site-rows.ts";

test("a deployment that keeps to the specification passes every point", async () => {
  const good = await deploy();
  onTestFinished(() => good.close());
  const report = await check(good.url, { isApiOnly: false });
  expect(problemsOf(report)).toBe("");
  expect(idsOf(report, "fail")).toEqual([]);
  expect(idsOf(report, "skip")).toEqual(["rate-limit"]);
  expect(report).toMatchObject({ failed: 0, skipped: 1, passed: report.points.length - 1 });
  expect(report.points.flatMap(({ warnings }) => warnings)).toEqual([]);
});

test("there is a broken deployment for every point", () => {
  const broken = new Set(
    [...DOCUMENT_ROWS, ...FRONT_ROWS, ...SITE_ROWS, ...BADGE_ROWS].map(([, , point]) => point),
  );
  // That one needs an answer that comes and goes: see network.test.ts.
  expect([...POINTS.keys()].filter((id) => !broken.has(id))).toEqual(["rate-limit"]);
});
