import { expect, test } from "vitest";
import {
  HOLD_CAUSES,
  type HeldFailure,
  UNKNOWN_REASONS,
} from "../../../src/model/service/history.ts";
import { describeDoubts } from "../../../src/cli/output/explain-parts.ts";
import { T0 } from "../../model/samples.ts";

const HELD: HeldFailure = {
  cause: "common-cause",
  checkClass: "failing",
  sinceMs: T0,
  isSinceExact: true,
  lastAtMs: T0,
  runs: 1,
  failingTogether: 12,
};

const NOTHING = { held: null, sharedCause: null, leftOut: {}, unknown: null } as const;

test("a service without doubts has no sentence", () => {
  expect(describeDoubts(NOTHING)).toEqual([]);
});

test("a held failure says what was found, since when, and why it is not published", () => {
  const [what, why] = describeDoubts({ ...NOTHING, held: HELD });
  expect(what).toBe(
    'A failure is held: "failing" since 2027-01-15T08:00:00Z, one run has found it, and it is not published yet. The previous verdict stays, for 15 minutes without another check.',
  );
  expect(describeDoubts({ ...NOTHING, held: { ...HELD, checkClass: "partial" } })[0]).toContain(
    "The other endpoints decide the verdict.",
  );
  expect(why).toMatch(/^Why: 12 services failed together, more than chance explains/u);
  expect(describeDoubts({ ...NOTHING, held: { ...HELD, runs: 2 } })[0]).toContain(
    "2 runs in a row have found it",
  );
});

test.each(HOLD_CAUSES)(
  "%s has its own sentence, which says when the failure is published",
  (cause) => {
    const [, why] = describeDoubts({ ...NOTHING, held: { ...HELD, cause } });
    expect(why).toMatch(/^Why: .*published/u);
    expect(why).toMatchSnapshot();
  },
);

test.each([
  ["Selectel", "the network Selectel"],
  [".ru", "names that end in .ru"],
  ["abroad", "their servers are abroad"],
])("a shared failure names its cause: %s", (sharedCause, words) => {
  expect(describeDoubts({ ...NOTHING, sharedCause })).toEqual([
    `It is down or slow together with others that share a cause: ${words}.`,
  ]);
});

test.each(UNKNOWN_REASONS)("%s has its own sentence", (unknown) => {
  expect(describeDoubts({ ...NOTHING, unknown })).toMatchSnapshot();
});

test("endpoints that do not count are named with the reason", () => {
  const leftOut = { "https://old.ru/": "unproven", "https://side.ru/": "chronic" } as const;
  expect(describeDoubts({ ...NOTHING, leftOut })).toEqual([
    expect.stringMatching(/^https:\/\/old\.ru\/ does not count: it has never answered/u),
    expect.stringMatching(/^https:\/\/side\.ru\/ does not count: it is not critical/u),
  ]);
});
