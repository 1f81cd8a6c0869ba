import { expect, test } from "vitest";
import { nameOfMonth, startOfMonth, toUtcMonth } from "../../../src/model/service/accuracy.ts";
import { toReport } from "../../../src/model/service/reports.ts";

test.each([
  [0, "1970-01", 0],
  [11, "1970-12", Date.UTC(1970, 11, 1)],
  [12, "1971-01", Date.UTC(1971, 0, 1)],
  [682, "2026-11", Date.UTC(2026, 10, 1)],
  [683, "2026-12", Date.UTC(2026, 11, 1)],
])("month %i is %s, and begins with its first millisecond", (month, name, startMs) => {
  expect([nameOfMonth(month), startOfMonth(month)]).toEqual([name, startMs]);
  expect([startMs - 1, startMs].map(toUtcMonth)).toEqual([month - 1, month]);
});

test("a report has a symptom and an operator only if they are known", () => {
  const common = { slug: "vtb", atMs: 7, network: "n", block: "b" };
  expect(toReport(common, undefined, 0)).toStrictEqual(common);
  expect(toReport(common, "login", 3)).toStrictEqual({ ...common, symptom: "login", operator: 3 });
});
