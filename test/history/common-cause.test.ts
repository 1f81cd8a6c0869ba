import { describe, expect, test } from "vitest";
import {
  type Circumstances,
  judgeSuspects,
  type Judgement,
  type Suspect,
} from "../../src/history/common-cause.ts";
import type { HeldFailure } from "../../src/model/history.ts";
import { minutes, T0 } from "../model/samples.ts";

const FINE: Circumstances = {
  connectivity: "fine",
  isCongested: false,
  healthyServices: 80,
  elapsedMs: minutes(5),
  groupSizes: new Map(),
};

function suspect(slug: string, changes: Partial<Suspect> = {}): Suspect {
  return {
    slug,
    isDown: true,
    isOfPath: true,
    isAbroad: false,
    isConnected: false,
    groups: [],
    held: undefined,
    isNetworkGone: false,
    ...changes,
  };
}

function heldFor(runs: number): HeldFailure {
  return {
    cause: "common-cause",
    checkClass: "failing",
    sinceMs: T0,
    isSinceExact: true,
    lastAtMs: T0,
    runs,
    failingTogether: 3,
  };
}

function many(count: number, changes: Partial<Suspect> = {}): readonly Suspect[] {
  return Array.from({ length: count }, (_, index) => suspect(`s${index}`, changes));
}

function judge(
  suspects: readonly Suspect[],
  changes: Partial<Circumstances> = {},
): readonly string[] {
  return [...judgeSuspects(suspects, { ...FINE, ...changes }).values()].map(wordFor);
}

function wordFor(judgement: Judgement): string {
  return judgement.kind === "held" ? judgement.cause : (judgement.sharedCause ?? "believed");
}

describe("on a way that is fine", () => {
  test.each([
    [1, "believed"],
    [2, "believed"],
    [3, "common-cause"],
    [20, "common-cause"],
  ])("%i services that begin to fail in one run: %s", (count, expected) => {
    expect(new Set(judge(many(count)))).toEqual(new Set([expected]));
  });

  test("after a day without a run as many are no wonder", () => {
    expect(new Set(judge(many(10), { elapsedMs: minutes(1_440) }))).toEqual(new Set(["believed"]));
    expect(new Set(judge(many(60), { elapsedMs: minutes(1_440) }))).toEqual(
      new Set(["common-cause"]),
    );
  });

  test("among five services three are as strange as among eighty", () => {
    expect(new Set(judge(many(3), { healthyServices: 5 }))).toEqual(new Set(["common-cause"]));
  });

  test("an answer of the service's own is believed, and does not make others doubtful", () => {
    const storm = many(5, { isOfPath: false });
    expect(judge([...storm, suspect("a"), suspect("b")])).toEqual(
      Array.from({ length: 7 }, () => "believed"),
    );
  });

  test("a partial among many failures is held with them, and none makes a common cause", () => {
    const partials = many(9, { isDown: false });
    expect(new Set(judge(partials))).toEqual(new Set(["believed"]));
    expect(judge([suspect("x", { isDown: false }), ...many(3)])[0]).toBe("common-cause");
  });
});

describe("what was held in the run before", () => {
  test("is believed when too few are left for a common cause", () => {
    expect(judge(many(2, { held: heldFor(1) }))).toEqual(["believed", "believed"]);
  });

  test("is held once more when as many unrelated ones go on, and believed in the third run", () => {
    expect(judge(many(3, { held: heldFor(1) }))[0]).toBe("common-cause");
    expect(judge(many(3, { held: heldFor(2) }))[0]).toBe("believed");
  });

  test("is believed with its name where a whole group fails", () => {
    const group = many(4, { held: heldFor(1), groups: ["Selectel", "abroad"] });
    const sizes = new Map([
      ["Selectel", 5],
      ["abroad", 30],
    ]);
    expect(judge(group, { groupSizes: sizes })[0]).toBe("Selectel");
    expect(judge(group, { groupSizes: new Map([...sizes, ["Selectel", 6]]) })[0]).toBe(
      "common-cause",
    );
    const newcomer = suspect("late", { groups: ["Selectel"] });
    expect(judge([...group, newcomer], { groupSizes: sizes }).at(-1)).toBe("common-cause");
  });

  test("is held once more where several groups fail at once: then the way to them is what they share", () => {
    const one = many(3, { held: heldFor(1), groups: ["Selectel"] });
    const other = many(3, { held: heldFor(1), groups: ["Beeline"] });
    const sizes = new Map([
      ["Selectel", 3],
      ["Beeline", 3],
    ]);
    const all = [...one, ...other].map((each, place) => ({ ...each, slug: `s${place}` }));
    expect(new Set(judge(all, { groupSizes: sizes }))).toEqual(new Set(["common-cause"]));
    const zone = all.map((each) => ({ ...each, groups: [...each.groups, ".ru"] }));
    const all6 = new Map([...sizes, [".ru", 6]]);
    expect(new Set(judge(zone, { groupSizes: all6 }))).toEqual(new Set([".ru"]));
  });

  test("two of a network are no group", () => {
    const pair = many(2, { held: heldFor(1), groups: ["Selectel"] });
    expect(judge([...pair, suspect("x", { held: heldFor(1) })])[0]).toBe("common-cause");
  });
});

describe("a group that accepts connections", () => {
  const group = many(3, { isConnected: true, groups: ["Selectel"] });
  const groupSizes = new Map([["Selectel", 3]]);

  test("is believed in its first run", () => {
    expect(judge(group, { groupSizes })).toEqual(["Selectel", "Selectel", "Selectel"]);
    expect(judge([...group, suspect("x")], { groupSizes }).at(-1)).toBe("common-cause");
  });

  test("is held where it is not whole, or as many fail elsewhere", () => {
    expect(judge(group, { groupSizes: new Map([["Selectel", 4]]) })[0]).toBe("common-cause");
    expect(judge([...group, suspect("x"), suspect("y")], { groupSizes })[0]).toBe("common-cause");
  });

  test("is held on a way in trouble like others", () => {
    expect(judge(group, { groupSizes, connectivity: "half" })[0]).toBe("half");
    expect(judge(group, { groupSizes, connectivity: "lossy" })[0]).toBe("lossy");
  });

  test("of two is no network that is gone", () => {
    expect(judge(many(2, { isConnected: true, isNetworkGone: true }))[0]).toBe("believed");
  });
});

test("two of a network of which nothing answers are held for a run", () => {
  const pair = many(2, { isNetworkGone: true });
  expect(judge(pair)).toEqual(["common-cause", "common-cause"]);
  expect(judge(pair.map((one) => ({ ...one, held: heldFor(1) })))).toEqual([
    "believed",
    "believed",
  ]);
});

describe("on a way in trouble", () => {
  test("half: every failure of the way is held for as long as that lasts", () => {
    const half = { connectivity: "half" } as const;
    expect(judge([suspect("a"), suspect("b", { held: heldFor(9) })], half)).toEqual([
      "half",
      "half",
    ]);
    expect(judge([suspect("a", { isOfPath: false })], half)).toEqual(["believed"]);
  });

  test("abroad cut: those of services abroad, no others", () => {
    const cut = { connectivity: "abroad-cut" } as const;
    const both = [suspect("a", { isAbroad: true, held: heldFor(9) }), suspect("b")];
    expect(judge(both, cut)).toEqual(["abroad-cut", "believed"]);
  });

  test("lossy: an outage for a run, a partial for as long as that lasts", () => {
    const lossy = { connectivity: "lossy" } as const;
    expect(judge([suspect("a")], lossy)).toEqual(["lossy"]);
    expect(judge([suspect("a", { held: heldFor(1) })], lossy)).toEqual(["believed"]);
    expect(judge([suspect("a", { isDown: false, held: heldFor(9) })], lossy)).toEqual(["lossy"]);
  });

  test("congested: a partial, no outage", () => {
    const both = [suspect("a", { isDown: false }), suspect("b")];
    expect(judge(both, { isCongested: true })).toEqual(["congested", "believed"]);
  });
});
