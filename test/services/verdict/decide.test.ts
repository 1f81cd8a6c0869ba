import { describe, expect, test } from "vitest";
import { COLOR_OF, type VerdictCode } from "../../../src/contract/codes/verdict.ts";
import { decide } from "../../../src/services/verdict/decide.ts";
import type { Signals } from "../../../src/services/verdict/signals.ts";
import { fire, TABLE } from "../../../src/services/verdict/decision-table.ts";
import { everyCombination, everyUnchecked, signals } from "./combinations.ts";

/** An independent implementation of the decision: derived from the prose, by class and not by precedence. */
function decideByProse(given: Signals): string {
  const { isFresh, checkClass, access, hasProvider, isBlocked, isSurging, isOld } = given;
  const say = (code: VerdictCode, isLive: boolean): string => `${code} ${isLive}`;
  if (!isFresh) return isSurging ? say("spike", true) : say("none", false);
  const isRecent = isSurging || !isOld;
  switch (checkClass) {
    case "failing":
      if (access === "restricted") return say("restricted_fail", isSurging);
      if (isBlocked) return say("restricted_fail", isRecent);
      return isOld ? say("fail_long", isSurging) : say("fail", true);
    case "server-error":
      return say("err", isRecent);
    case "provider-denied":
      return say("provider", isSurging);
    case "partial": {
      const isUnlimited = access === "none";
      const isUnexpected = access !== "restricted" && !isOld;
      if (isUnlimited || isUnexpected) return say("partial", isRecent);
      break;
    }
    default:
  }
  // A surge is a warning and never makes a colour milder.
  if (access === "restricted") return say("restricted", isSurging);
  if (isSurging) return say("spike", true);
  if (access !== "none") return say(access, false);
  if (checkClass === "slow") return say("slow", false);
  return say(hasProvider ? "provider" : "ok", false);
}

describe("for every combination of signals", () => {
  const all = [...everyCombination(), ...everyUnchecked()];

  test("there are 768, and 64 for a service that was never checked", () => {
    expect(everyCombination()).toHaveLength(768);
    expect(everyUnchecked()).toHaveLength(64);
  });

  test("the table agrees with an independent implementation", () => {
    const disagreements = all.filter((each) => {
      const verdict = decide(each, 1);
      return `${verdict.code} ${verdict.live}` !== decideByProse(each);
    });
    expect(disagreements).toEqual([]);
  });

  test("the code has the colour that the API specifies", () => {
    for (const each of all) {
      const { code, color } = decide(each, 1);
      expect(color).toBe(COLOR_OF[code]);
    }
  });

  test("all 13 codes occur", () => {
    const codes = new Set(everyCombination().map((each) => decide(each, 1).code));
    expect([...codes].toSorted()).toEqual(Object.keys(COLOR_OF).toSorted());
  });

  test("every row fires for at least one", () => {
    const fired = new Set(everyCombination().map((each) => fire(each).rowNumber));
    expect([...fired].toSorted((a, b) => a - b)).toEqual(TABLE.map((_, index) => index + 1));
  });
});

test("since is passed through, null included", () => {
  expect(decide(signals(), 1_234).sinceMs).toBe(1_234);
  expect(decide(signals(), null).sinceMs).toBeNull();
});

const FAILING = { checkClass: "failing" } as const;
const PARTIAL = { checkClass: "partial" } as const;

test.each<readonly [string, Partial<Signals>, VerdictCode, boolean]>([
  ["everything works", {}, "ok", false],
  ["checks fail", FAILING, "fail", true],
  ["checks fail for over 24 h", { ...FAILING, isOld: true }, "fail_long", false],
  ["and reports surge", { ...FAILING, isOld: true, isSurging: true }, "fail_long", true],
  ["restricted and failing", { ...FAILING, access: "restricted" }, "restricted_fail", false],
  [
    "restricted, failing and surging",
    { ...FAILING, access: "restricted", isSurging: true },
    "restricted_fail",
    true,
  ],
  ["a block page, today", { ...FAILING, isBlocked: true }, "restricted_fail", true],
  [
    "a block page, for days",
    { ...FAILING, isBlocked: true, isOld: true },
    "restricted_fail",
    false,
  ],
  ["restricted and healthy", { access: "restricted" }, "restricted", false],
  ["restricted, now 5xx", { access: "restricted", checkClass: "server-error" }, "err", true],
  ["5xx for over 24 h", { checkClass: "server-error", isOld: true }, "err", false],
  ["slowed down, but failing", { ...FAILING, access: "slowed_ru" }, "fail", true],
  [
    "slowed down, failing for days",
    { ...FAILING, access: "slowed_ru", isOld: true },
    "fail_long",
    false,
  ],
  ["slowed down and healthy", { access: "slowed_ru" }, "slowed_ru", false],
  [
    "slowed down and measured slow",
    { access: "slowed_ru", checkClass: "slow" },
    "slowed_ru",
    false,
  ],
  ["slow", { checkClass: "slow" }, "slow", false],
  ["slow, with a provider limit", { checkClass: "slow", hasProvider: true }, "slow", false],
  ["a surge while healthy", { isSurging: true }, "spike", true],
  [
    "a surge while restricted and healthy",
    { access: "restricted", isSurging: true },
    "restricted",
    true,
  ],
  ["a surge while partial", { ...PARTIAL, isSurging: true, isOld: true }, "partial", true],
  ["partial for days", { ...PARTIAL, isOld: true }, "partial", false],
  [
    "partial where that is known",
    { ...PARTIAL, access: "partial_ru", isOld: true },
    "partial_ru",
    false,
  ],
  ["recently partial where that is known", { ...PARTIAL, access: "partial_ru" }, "partial", true],
  ["partial while restricted", { ...PARTIAL, access: "restricted" }, "restricted", false],
  ["the service refuses the region", { checkClass: "provider-denied" }, "provider", false],
  ["a provider limit on a healthy service", { hasProvider: true }, "provider", false],
  ["a provider limit and an outage", { ...FAILING, hasProvider: true }, "fail", true],
  ["the runner was offline", { ...FAILING, isFresh: false }, "none", false],
  ["the runner was offline, reports surge", { isFresh: false, isSurging: true }, "spike", true],
])("%s", (_, changes, code, isLive) => {
  const verdict = decide(signals(changes), 1);
  expect([verdict.code, verdict.live]).toEqual([code, isLive]);
});
