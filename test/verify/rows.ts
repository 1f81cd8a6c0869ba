import { expect, onTestFailed, test } from "vitest";
import type { CheckId } from "../../src/verify/checks.ts";
import type { VerifyReport } from "../../src/verify/verify.ts";
import type { VerifyOptions } from "../../src/verify/verify.ts";
import { checkWith, idsOf, problemsOf } from "./check.ts";
import type { Corrupt } from "./good-deployment.ts";

/** The fault, its corruption, the check that must fail, and the checks that inevitably fail with it. */
export type Row = readonly [
  what: string,
  corrupt: Corrupt,
  check: CheckId,
  companions?: readonly CheckId[],
];

/** A text without what differs between two runs: times, random names, and digests of either. */
export function withoutTimes(text: string): string {
  return text
    .replaceAll(/(no-such|nothing)-[0-9a-f]{12}/gu, "$1-RANDOM")
    .replaceAll(/\b0\.\d{10,}/gu, "RANDOM")
    .replaceAll(/[0-9a-f]{64}/gu, "DIGEST")
    .replaceAll(/\b(?=[a-z]*\d)[a-z2-7]{12}\b|(?<=")[a-z2-7]{12}(?=")/gu, "ID")
    .replaceAll(/\b\d{12}\b/gu, "MINUTE")
    .replaceAll(/\b\d{10}(?:\d{3})?\b/gu, "TIME")
    .replaceAll(/\b\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?/gu, "DATE")
    .replaceAll(/\b20\d\d-\d\d\b/gu, "MONTH")
    .replaceAll(/\b\d+ s (old|in the future|after Date)/gu, "SECONDS s $1");
}

/**
 * One test per row: exactly these checks fail, with these problems, and the first of them has a fix. Rows about other checks skip the
 * website, and also the badges unless `isWhole`. `run` checks the corrupted deployment, by default in memory.
 */
export function testRows(
  rows: readonly Row[],
  isWhole: boolean,
  run: (corrupt: Corrupt, options: Partial<VerifyOptions>) => Promise<VerifyReport> = checkWith,
): void {
  const cases = rows.map(([what, corrupt, id, companions = []]) => ({
    what,
    corrupt,
    id,
    companions,
  }));
  test.each(cases)("$what", async ({ corrupt, id: expected, companions }) => {
    const isAbout = (group: string): boolean =>
      [expected, ...companions].some((id) => id.startsWith(group));
    const report = await run(corrupt, {
      isApiOnly: !isAbout("site."),
      ...(isWhole || isAbout("badge.") ? {} : { badgeId: undefined }),
    });
    const failed = idsOf(report, "fail").toSorted();
    onTestFailed(() => console.log(problemsOf(report)));
    expect(failed).toEqual([expected, ...companions].toSorted());
    const found = report.checks.find(({ id }) => id === expected);
    expect(found?.problems.length).toBeGreaterThan(0);
    expect(found?.fix).toMatch(/\w/u);
    if (run === checkWith) expect(withoutTimes(problemsOf(report))).toMatchSnapshot();
  });
}
