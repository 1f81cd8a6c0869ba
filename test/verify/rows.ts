import { expect, onTestFailed, onTestFinished, test } from "vitest";
import type { PointId } from "../../src/verify/points.ts";
import { check, idsOf, problemsOf } from "./check.ts";
import { type Corrupt, deploy } from "./good-deployment.ts";

/** What is wrong, the one thing that is corrupted, the point that must fail, and those that cannot but fail with it. */
export type Row = readonly [
  what: string,
  corrupt: Corrupt,
  point: PointId,
  companions?: readonly PointId[],
];

/**
 * One test for each row: exactly these points fail, and the first of them says what is wrong and how to correct it. A row that is not about
 * the website leaves that out; one that is not about badges leaves them out as well, unless it is to look at everything of the API.
 */
export function testRows(rows: readonly Row[], isWhole: boolean): void {
  const cases = rows.map(([what, corrupt, point, companions = []]) => ({
    what,
    corrupt,
    point,
    companions,
  }));
  test.each(cases)("$what", async ({ corrupt, point, companions }) => {
    const deployment = await deploy(corrupt);
    onTestFinished(() => deployment.close());
    const isAbout = (group: string): boolean =>
      [point, ...companions].some((id) => id.startsWith(group));
    const report = await check(deployment.url, {
      isApiOnly: !isAbout("site."),
      ...(isWhole || isAbout("badge.") ? {} : { badgeId: undefined }),
    });
    const failed = idsOf(report, "fail").toSorted();
    onTestFailed(() => console.log(problemsOf(report)));
    expect(failed).toEqual([point, ...companions].toSorted());
    const found = report.points.find(({ id }) => id === point);
    expect(found?.problems.length).toBeGreaterThan(0);
    expect(found?.mend).toMatch(/\w/u);
  });
}
