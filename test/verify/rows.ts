import { expect, onTestFailed, onTestFinished, test } from "vitest";
import type { CheckId } from "../../src/verify/api/checks.ts";
import { check, idsOf, problemsOf } from "./check.ts";
import { type Corrupt, deploy } from "./good-deployment.ts";

/** The fault, its corruption, the check that must fail, and the checks that inevitably fail with it. */
export type Row = readonly [
  what: string,
  corrupt: Corrupt,
  check: CheckId,
  companions?: readonly CheckId[],
];

/**
 * One test per row: exactly these checks fail, and the first of them has a problem and a fix. Rows about other checks skip the
 * website, and also the badges unless `isWhole`.
 */
export function testRows(rows: readonly Row[], isWhole: boolean): void {
  const cases = rows.map(([what, corrupt, id, companions = []]) => ({
    what,
    corrupt,
    id,
    companions,
  }));
  test.each(cases)("$what", async ({ corrupt, id: expected, companions }) => {
    const deployment = await deploy(corrupt);
    onTestFinished(() => deployment.close());
    const isAbout = (group: string): boolean =>
      [expected, ...companions].some((id) => id.startsWith(group));
    const report = await check(deployment.url, {
      isApiOnly: !isAbout("site."),
      ...(isWhole || isAbout("badge.") ? {} : { badgeId: undefined }),
    });
    const failed = idsOf(report, "fail").toSorted();
    onTestFailed(() => console.log(problemsOf(report)));
    expect(failed).toEqual([expected, ...companions].toSorted());
    const found = report.checks.find(({ id }) => id === expected);
    expect(found?.problems.length).toBeGreaterThan(0);
    expect(found?.fix).toMatch(/\w/u);
  });
}
