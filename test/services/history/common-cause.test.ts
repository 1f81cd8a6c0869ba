import { describe, expect, test } from "vitest";
import {
  type Circumstances,
  attributeSuspects,
  type CauseAttribution,
  type Suspect,
} from "../../../src/services/history/common-cause.ts";
import type { HeldFailure } from "../../../src/model/service/history.ts";
import { minutes, T0 } from "../../model/samples.ts";

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
    canBePathFault: true,
    isAbroad: false,
    isConnected: false,
    groups: [],
    held: undefined,
    isLone: false,
    isNetworkUnreachable: false,
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

function attribute(
  suspects: readonly Suspect[],
  changes: Partial<Circumstances> = {},
): readonly string[] {
  return [...attributeSuspects(suspects, { ...FINE, ...changes }).values()].map(wordFor);
}

function wordFor(attribution: CauseAttribution): string {
  return attribution.kind === "held" ? attribution.cause : (attribution.sharedCause ?? "accepted");
}

describe("in a run without network trouble", () => {
  test.each([
    [1, "accepted"],
    [2, "accepted"],
    [3, "common-cause"],
    [20, "common-cause"],
  ])("%i services that begin to fail in one run: %s", (count, expected) => {
    expect(new Set(attribute(many(count)))).toEqual(new Set([expected]));
  });

  test("after a day without a run, chance explains as many", () => {
    expect(new Set(attribute(many(10), { elapsedMs: minutes(1_440) }))).toEqual(
      new Set(["accepted"]),
    );
    expect(new Set(attribute(many(60), { elapsedMs: minutes(1_440) }))).toEqual(
      new Set(["common-cause"]),
    );
  });

  test.each([
    [3, 80, 10, "common-cause"],
    [3, 80, 11, "accepted"],
    [5, 80, 53, "common-cause"],
    [5, 80, 54, "accepted"],
    [20, 80, 892, "common-cause"],
    [20, 80, 893, "accepted"],
    [20, 80, 30 * 1_440, "accepted"],
    [2, 1, 0, "accepted"],
  ])(
    "%i of %i services that fail %i minutes after the last run are %s",
    (count, healthyServices, elapsed, expected) => {
      const found = attribute(many(count), { healthyServices, elapsedMs: minutes(elapsed) });
      expect(new Set(found)).toEqual(new Set([expected]));
    },
  );

  test.each([
    [165, "common-cause"],
    [166, "accepted"],
  ])(
    "a run at once after another counts as five minutes: three of %i are %s",
    (count, expected) => {
      expect(attribute(many(3), { healthyServices: count, elapsedMs: 0 })[0]).toBe(expected);
    },
  );

  test("among five services three are as improbable as among eighty", () => {
    expect(new Set(attribute(many(3), { healthyServices: 5 }))).toEqual(new Set(["common-cause"]));
  });

  test("the service's own answer is accepted and does not count as simultaneous", () => {
    const storm = many(5, { canBePathFault: false });
    expect(attribute([...storm, suspect("a"), suspect("b")])).toEqual(
      Array.from({ length: 7 }, () => "accepted"),
    );
  });

  test("partials count as failures do: many at once have a common cause", () => {
    const partials = many(9, { isDown: false });
    expect(new Set(attribute(partials))).toEqual(new Set(["common-cause"]));
    expect(new Set(attribute(many(2, { isDown: false })))).toEqual(new Set(["accepted"]));
    expect(attribute([suspect("x", { isDown: false }), ...many(3)])[0]).toBe("common-cause");
  });
});

describe("a failure that was held in the previous run", () => {
  test("is accepted when too few are left for a common cause", () => {
    expect(attribute(many(2, { held: heldFor(1) }))).toEqual(["accepted", "accepted"]);
  });

  test("is held again if as many unrelated ones continue, and accepted in the third run", () => {
    expect(attribute(many(3, { held: heldFor(1) }))[0]).toBe("common-cause");
    expect(attribute(many(3, { held: heldFor(2) }))[0]).toBe("accepted");
  });

  test("is accepted with the name of its group if the whole group fails", () => {
    const group = many(4, { held: heldFor(1), groups: ["Selectel", "abroad"] });
    const sizes = new Map([
      ["Selectel", 5],
      ["abroad", 30],
    ]);
    expect(attribute(group, { groupSizes: sizes })[0]).toBe("Selectel");
    expect(attribute(group, { groupSizes: new Map([...sizes, ["Selectel", 6]]) })[0]).toBe(
      "common-cause",
    );
    const newcomer = suspect("late", { groups: ["Selectel"] });
    expect(attribute([...group, newcomer], { groupSizes: sizes }).at(-1)).toBe("common-cause");
  });

  test("is held again if several groups fail at once, unless a larger one has them all", () => {
    const one = many(3, { held: heldFor(1), groups: ["Selectel"] });
    const other = many(3, { held: heldFor(1), groups: ["Beeline"] });
    const sizes = new Map([
      ["Selectel", 3],
      ["Beeline", 3],
    ]);
    const all = [...one, ...other].map((each, index) => ({ ...each, slug: `s${index}` }));
    expect(new Set(attribute(all, { groupSizes: sizes }))).toEqual(new Set(["common-cause"]));
    const zone = all.map((each) => ({ ...each, groups: [...each.groups, ".ru"] }));
    const all6 = new Map([...sizes, [".ru", 6]]);
    expect(new Set(attribute(zone, { groupSizes: all6 }))).toEqual(new Set([".ru"]));
  });

  test("is accepted with the name of the largest group that fails as a whole", () => {
    const inside = many(4, { held: heldFor(1), groups: ["Selectel", ".ru"] });
    const beside = suspect("x", { held: heldFor(1), groups: [".ru"] });
    const groupSizes = new Map([
      ["Selectel", 4],
      [".ru", 5],
    ]);
    expect(new Set(attribute([...inside, beside], { groupSizes }))).toEqual(new Set([".ru"]));
  });

  test.each([
    [4, 1, "Selectel"],
    [4, 2, "common-cause"],
    [8, 2, "Selectel"],
    [8, 3, "common-cause"],
  ])("of a whole group of %i stays one while %i others fail: %s", (size, others, expected) => {
    const group = many(size, { held: heldFor(1), groups: ["Selectel"] });
    const strangers = Array.from({ length: others }, (_, at) =>
      suspect(`x${at}`, { held: heldFor(1) }),
    );
    const groupSizes = new Map([["Selectel", size]]);
    expect(attribute([...group, ...strangers], { groupSizes })[0]).toBe(expected);
  });

  test("two services of a network are not a group", () => {
    const pair = many(2, { held: heldFor(1), groups: ["Selectel"] });
    expect(attribute([...pair, suspect("x", { held: heldFor(1) })])[0]).toBe("common-cause");
  });
});

describe("a group that accepts connections", () => {
  const group = many(3, { isConnected: true, groups: ["Selectel"] });
  const groupSizes = new Map([["Selectel", 3]]);

  test("is accepted in its first run", () => {
    expect(attribute(group, { groupSizes })).toEqual(["Selectel", "Selectel", "Selectel"]);
    expect(attribute([...group, suspect("x")], { groupSizes }).at(-1)).toBe("common-cause");
  });

  test("is held if it is not whole, or others fail as well", () => {
    expect(attribute(group, { groupSizes: new Map([["Selectel", 4]]) })[0]).toBe("common-cause");
    expect(attribute([...group, suspect("x"), suspect("y")], { groupSizes })[0]).toBe(
      "common-cause",
    );
  });

  test("is held in a run with network trouble, like others", () => {
    expect(attribute(group, { groupSizes, connectivity: "half" })[0]).toBe("half");
    expect(attribute(group, { groupSizes, connectivity: "lossy" })[0]).toBe("lossy");
  });

  test("of two services is not an unreachable network", () => {
    expect(attribute(many(2, { isConnected: true, isNetworkUnreachable: true }))[0]).toBe(
      "accepted",
    );
  });
});

test("two services of an unreachable network are held for a run", () => {
  const pair = many(2, { isNetworkUnreachable: true });
  expect(attribute(pair)).toEqual(["common-cause", "common-cause"]);
  expect(attribute(pair.map((one) => ({ ...one, held: heldFor(1) })))).toEqual([
    "accepted",
    "accepted",
  ]);
});

test("an endpoint that fails alone in its service is held for a run", () => {
  const lone = suspect("a", { isLone: true });
  expect(attribute([lone])).toEqual(["lone"]);
  expect(attribute([{ ...lone, canBePathFault: false }])).toEqual(["lone"]);
  expect(attribute([{ ...lone, held: heldFor(1) }])).toEqual(["accepted"]);
  const found = attributeSuspects([lone, suspect("b", { canBePathFault: false })], FINE);
  expect([...found]).toEqual([
    ["a", { kind: "held", cause: "lone", failingTogether: 1 }],
    ["b", { kind: "accepted", sharedCause: null }],
  ]);
});

describe("in a run with network trouble", () => {
  test("half: every failure that the network may explain is held while it lasts", () => {
    const half = { connectivity: "half" } as const;
    expect(attribute([suspect("a"), suspect("b", { held: heldFor(9) })], half)).toEqual([
      "half",
      "half",
    ]);
    expect(attribute([suspect("a", { canBePathFault: false })], half)).toEqual(["accepted"]);
  });

  test("abroad-cut: only services abroad are held", () => {
    const cut = { connectivity: "abroad-cut" } as const;
    const both = [suspect("a", { isAbroad: true, held: heldFor(9) }), suspect("b")];
    expect(attribute(both, cut)).toEqual(["abroad-cut", "accepted"]);
  });

  test("lossy: an outage is held for a run, a partial while it lasts", () => {
    const lossy = { connectivity: "lossy" } as const;
    expect(attribute([suspect("a")], lossy)).toEqual(["lossy"]);
    expect(attribute([suspect("a", { held: heldFor(1) })], lossy)).toEqual(["accepted"]);
    expect(attribute([suspect("a", { isDown: false, held: heldFor(9) })], lossy)).toEqual([
      "lossy",
    ]);
  });

  test("congested: only a partial is held", () => {
    const both = [suspect("a", { isDown: false }), suspect("b")];
    expect(attribute(both, { isCongested: true })).toEqual(["congested", "accepted"]);
  });
});
