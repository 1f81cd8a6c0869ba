import { describe, expect, test } from "vitest";
import type { OutageAbout, ToldOutage } from "../../../src/model/service/accuracy.ts";
import {
  dayPath,
  indexOutages,
  LISTED_MS,
  outageIdOf,
  outagePath,
} from "../../../src/model/service/outage-ids.ts";
import { minutes, T0 } from "../samples.ts";

const ABOUT: OutageAbout = {
  code: "fail",
  scope: "unknown",
  sinceMs: T0 - minutes(1),
  cause: null,
  failing: 1,
  counted: 1,
  network: null,
};

function told(slug: string, toldAtMs: number, changes: Partial<ToldOutage> = {}): ToldOutage {
  return {
    slug,
    toldAtMs,
    endedAtMs: null,
    runs: 1,
    checkedAtMs: null,
    isReported: false,
    isSeenElsewhere: false,
    isLookedAtElsewhere: false,
    surgedAtMs: null,
    about: ABOUT,
    isEndUnseen: false,
    ...changes,
  };
}

// T0 is 2027-01-15T08:00:00Z.
const FIRST = "vtb.202701150800";

test("an outage has an id of its minute, and a page below that of its service", () => {
  expect(outageIdOf({ slug: "vtb", toldAtMs: T0 + 59_999 })).toBe(FIRST);
  expect(outagePath(FIRST)).toBe("/status/vtb/outages/202701150800");
  expect(dayPath("2027-01-15")).toBe("/day/2027-01-15");
});

describe("the outage of a failure", () => {
  const { ofFailure } = indexOutages({ outages: [told("vtb", T0)] });

  test("began in the same second", () => {
    const sinceMs = ABOUT.sinceMs;
    expect([0, 999, 1_000, -1].map((ms) => ofFailure("vtb", sinceMs + ms))).toEqual([
      FIRST,
      FIRST,
      undefined,
      undefined,
    ]);
  });

  test("is one of the same service", () => {
    expect(ofFailure("sber", ABOUT.sinceMs)).toBeUndefined();
  });
});

describe("the outage of a change", () => {
  const ended = told("vtb", T0, { endedAtMs: T0 + minutes(10) });
  const { ofChange } = indexOutages({ outages: [ended, told("sber", T0)] });

  test.each([
    [-60_001, undefined],
    [-60_000, FIRST],
    [0, FIRST],
    [minutes(11), FIRST],
    [minutes(11) + 1, undefined],
  ])("%i ms after it was told is %s: the clocks differ by a minute at most", (ms, id) => {
    expect(ofChange("vtb", T0 + ms)).toBe(id);
  });

  test("that lasts is any later one", () => {
    expect(ofChange("sber", T0 + minutes(1_000_000))).toBe("sber.202701150800");
  });

  test("is the later one of two", () => {
    const later = told("vtb", T0 + minutes(11));
    const both = indexOutages({ outages: [ended, later] });
    expect(both.ofChange("vtb", T0 + minutes(11))).toBe("vtb.202701150811");
    expect(both.ofChange("vtb", T0 + minutes(9))).toBe(FIRST);
  });
});

test("the list has the outages of 31 days, the newest first", () => {
  const outages = [0, 1, 2].map((ms) => told("vtb", T0 + ms));
  const { newest } = indexOutages({ outages });
  expect(LISTED_MS).toBe(31 * 86_400_000);
  const times = (nowMs: number) => newest(nowMs).map(({ toldAtMs }) => toldAtMs - T0);
  expect(times(T0)).toEqual([2, 1, 0]);
  expect(times(T0 + LISTED_MS + 1)).toEqual([2]);
});

test("an outage that an older version told has no page", () => {
  const index = indexOutages({ outages: [told("vtb", T0, { about: null })] });
  expect([index.ofFailure("vtb", ABOUT.sinceMs), index.ofChange("vtb", T0)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(index.newest(T0)).toEqual([]);
});
