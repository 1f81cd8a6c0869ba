import { describe, expect, test } from "vitest";
import { decide, explainDecision } from "../../../src/services/verdict/decide.ts";
import { holds, TABLE } from "../../../src/services/verdict/decision-table.ts";
import { serviceHistoryOf, T0 } from "../../model/samples.ts";
import { everyCombination, everyUnchecked, signals } from "./combinations.ts";

describe("for every combination of signals", () => {
  const all = [...everyCombination(), ...everyUnchecked()];

  test("the explanation has the verdict that was decided", () => {
    for (const each of all) {
      expect(explainDecision(each, undefined).verdict).toEqual(decide(each, null));
    }
  });

  test("each alternative of each row above has a clause that does not hold", () => {
    for (const each of all) {
      const { fired, rejected } = explainDecision(each, undefined);
      expect(rejected).toHaveLength(fired.rowNumber - 1);
      for (const { rowNumber, unmet } of rejected) {
        expect(unmet).toHaveLength(TABLE[rowNumber - 1]?.anyOf.length ?? 0);
        expect(unmet.every((clauses) => clauses.length > 0)).toBe(true);
        expect(unmet.flat().some((clause) => holds(clause, each))).toBe(false);
      }
    }
  });

  test("the clauses of the row that fired hold", () => {
    for (const each of all) {
      const { met } = explainDecision(each, undefined).fired;
      expect(met.every((clause) => holds(clause, each))).toBe(true);
    }
  });
});

test("a restricted service that fails is explained row by row", () => {
  const given = signals({ checkClass: "failing", access: "restricted", isOld: true });
  const history = serviceHistoryOf({ checkClass: "failing", isSinceExact: false });
  expect(explainDecision(given, history)).toEqual({
    verdict: { code: "restricted_fail", color: "bad", live: false, sinceMs: T0 },
    signals: given,
    fired: {
      rowNumber: 3,
      rowId: "failing-restricted",
      code: "restricted_fail",
      met: [
        { signal: "checkClass", is: "failing" },
        { signal: "access", is: "restricted" },
      ],
    },
    rejected: [
      {
        rowNumber: 1,
        rowId: "stale-surge",
        code: "spike",
        unmet: [
          [
            { signal: "isFresh", is: false },
            { signal: "isSurging", is: true },
          ],
        ],
      },
      { rowNumber: 2, rowId: "stale", code: "none", unmet: [[{ signal: "isFresh", is: false }]] },
    ],
    live: { isLive: false, rule: "if-surging", isSurging: false, isOld: true },
    since: {
      kind: "class-began",
      checkClass: "failing",
      sinceMs: T0,
      isExact: false,
      checkedAtMs: T0,
    },
  });
});

test("a service that was never checked has no since", () => {
  const given = signals({ isFresh: false, checkClass: "unknown" });
  const { since, verdict } = explainDecision(given, undefined);
  expect(since).toEqual({ kind: "never-checked" });
  expect(verdict).toEqual({ code: "none", color: "none", live: false, sinceMs: null });
});
