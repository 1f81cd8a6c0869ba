import { describe, expect, test } from "vitest";
import type {
  ArchiveMonth,
  ArchivePart,
  ArchiveState,
} from "../../../src/model/service/archive.ts";
import {
  closedDates,
  keepNewest,
  mergeArchive,
  monthsToClose,
} from "../../../src/open-data/archive/parts.ts";

const partOf = (date: string): ArchivePart => ({ date, method: "2026-11-24", files: [] });
const closed = (date: string, closedDays: readonly string[]): ArchiveMonth => {
  return { ...partOf(date), closedDays };
};

function archiveOf(
  days: readonly string[],
  months: readonly ArchiveMonth[],
  sealedDay = 1,
): ArchiveState {
  return { days: days.map(partOf), months, sealedDay };
}

const datesOf = (parts: readonly ArchivePart[]): readonly string[] => parts.map(({ date }) => date);

describe("a month is closed", () => {
  test.for<[what: string, days: readonly string[], months: readonly ArchiveMonth[], due: unknown]>([
    ["two months after it", ["2026-11-23", "2027-01-07"], [partOf("2026-11")], ["2026-11"]],
    ["but not one month after it", ["2026-12-03", "2027-01-07"], [partOf("2026-12")], []],
    ["but not before it has its own files", ["2026-11-23", "2027-01-07"], [], []],
    ["once", ["2026-11-23", "2027-01-07"], [closed("2026-11", ["22"])], []],
    ["if it has days in the state", ["2027-01-07"], [partOf("2026-11")], []],
    ["but not that of the newest day, however old", ["2026-11-23"], [partOf("2026-11")], []],
    ["never without a day", [], [partOf("2026-11")], []],
  ])("%s", ([, days, months, due]) => {
    expect(datesOf(monthsToClose(archiveOf(days, months)))).toEqual(due);
  });
});

describe("two archives", () => {
  test("have each part once, and the newer end", () => {
    const [one, two] = [
      archiveOf(["2026-12-01", "2026-12-02"], [partOf("2026-11")]),
      archiveOf(["2026-12-02", "2026-12-03"], [partOf("2026-10")], 2),
    ];
    const merged = mergeArchive(one, two);
    expect(datesOf(merged.days)).toEqual(["2026-12-01", "2026-12-02", "2026-12-03"]);
    expect(datesOf(merged.months)).toEqual(["2026-10", "2026-11"]);
    expect(merged.sealedDay).toBe(2);
  });

  test("of which one has closed a month lose its days, and only those", () => {
    const open = archiveOf(["2026-11-23", "2026-11-24", "2027-01-07"], [partOf("2026-11")]);
    const done = archiveOf([], [closed("2026-11", ["23"])]);
    for (const merged of [mergeArchive(open, done), mergeArchive(done, open)]) {
      expect(datesOf(merged.days)).toEqual(["2026-11-24", "2027-01-07"]);
      expect(closedDates(merged)).toEqual(["2026-11-23"]);
    }
  });
});

test("what is older than kept leaves closed months too", () => {
  const months = [closed("2026-11", ["22", "23"]), partOf("2026-12")];
  const kept = keepNewest(archiveOf(["2026-12-03"], months), 40, 20_780 + 40);
  expect(closedDates(kept)).toEqual(["2026-11-23"]);
  expect(datesOf(kept.days)).toEqual(["2026-12-03"]);
  expect(kept.months[1]).not.toHaveProperty("closedDays");
});
