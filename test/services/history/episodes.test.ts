import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CHECK_CLASSES,
  type CheckClass,
  type ServiceHistory,
} from "../../../src/model/service/history.ts";
import { continueEpisode, isDown } from "../../../src/services/history/episodes.ts";
import { minutes, serviceHistoryOf, T0 } from "../../model/samples.ts";

type Step = readonly [minute: number, checkClass: CheckClass];

function continueAll(...steps: readonly Step[]): ServiceHistory {
  let history: ServiceHistory | undefined;
  for (const [minute, checkClass] of steps) {
    const atMs = T0 + minutes(minute);
    const isClean = checkClass === "up" || checkClass === "slow";
    const episode = continueEpisode(history, { atMs, checkClass, isClean });
    history = serviceHistoryOf({ ...episode, checkedAtMs: atMs });
  }
  return history ?? serviceHistoryOf();
}

/** [class, minute of since, exact] */
function begun(...steps: readonly Step[]): readonly [CheckClass, number, boolean] {
  const { checkClass, sinceMs, isSinceExact } = continueAll(...steps);
  return [checkClass, (sinceMs - T0) / minutes(1), isSinceExact];
}

describe("since", () => {
  test("is the first run of all, and not exact", () => {
    expect(begun([0, "up"])).toEqual(["up", 0, false]);
    expect(begun([0, "failing"])).toEqual(["failing", 0, false]);
  });

  test("and its exactness stay while the class stays", () => {
    expect(begun([0, "up"], [5, "up"])).toEqual(["up", 0, false]);
    expect(begun([0, "up"], [5, "slow"], [10, "slow"])).toEqual(["slow", 5, true]);
  });

  test("moves with every change of the class", () => {
    expect(begun([0, "up"], [5, "slow"], [10, "partial"])).toEqual(["partial", 10, true]);
  });

  test("stays across a gap with the same class on both sides", () => {
    expect(begun([0, "up"], [5, "slow"], [3000, "slow"])).toEqual(["slow", 5, true]);
  });

  test("is the first run after a gap with another class, and not exact", () => {
    expect(begun([0, "up"], [16, "failing"])).toEqual(["failing", 16, false]);
  });

  test("is exact after exactly 15 minutes, which are not a gap", () => {
    expect(begun([0, "up"], [15, "failing"])).toEqual(["failing", 15, true]);
  });

  test("of a held failure is the run that found it first", () => {
    const before = continueAll([0, "up"], [5, "up"]);
    const found = {
      atMs: T0 + minutes(20),
      checkClass: "failing",
      isClean: false,
      begun: { sinceMs: T0 + minutes(10), isSinceExact: true },
    } as const;
    expect(continueEpisode(before, found)).toMatchObject({
      sinceMs: T0 + minutes(10),
      isSinceExact: true,
    });
  });
});

describe("an outage", () => {
  test("has one beginning across timeouts and 5xx answers", () => {
    const storm: readonly Step[] = [
      [0, "up"],
      [5, "failing"],
      [10, "server-error"],
      [15, "failing"],
    ];
    expect(begun(...storm)).toEqual(["failing", 5, true]);
    expect(begun(...storm.slice(0, 3))).toEqual(["server-error", 5, true]);
  });

  test("spans a gap with an outage on both sides", () => {
    expect(begun([0, "up"], [5, "failing"], [300, "server-error"])).toEqual([
      "server-error",
      5,
      true,
    ]);
  });

  test.each(["up", "slow", "partial", "provider-denied"] as const)(
    "within 15 minutes of %s continues the last one, whatever its class",
    (between) => {
      const back: readonly Step[] = [
        [0, "up"],
        [5, "failing"],
        [10, between],
      ];
      expect(begun(...back, [25, "server-error"])).toEqual(["server-error", 5, true]);
      expect(begun(...back, [20, between], [30, "failing"])).toEqual(["failing", 30, true]);
    },
  );

  test("does not continue one that ended inside a gap", () => {
    expect(begun([0, "failing"], [30, "up"], [35, "failing"])).toEqual(["failing", 35, true]);
  });
});

describe("partial", () => {
  test("ends with the first clean run", () => {
    const spell: readonly Step[] = [
      [0, "up"],
      [5, "partial"],
    ];
    expect(begun(...spell)).toEqual(["partial", 5, true]);
    expect(begun(...spell, [10, "slow"])).toEqual(["slow", 10, true]);
    expect(begun(...spell, [10, "partial"], [15, "up"])).toEqual(["up", 15, true]);
  });

  test("ends at once with an outage, and with any class after a gap", () => {
    expect(begun([0, "up"], [5, "partial"], [10, "failing"])).toEqual(["failing", 10, true]);
    expect(begun([0, "up"], [5, "partial"], [60, "up"])).toEqual(["up", 60, false]);
  });

  const ended: readonly Step[] = [
    [0, "up"],
    [5, "partial"],
    [10, "up"],
    [15, "up"],
    [20, "up"],
    ...[25, 30, 35, 40, 45, 50, 55, 60, 65, 70, 75, 80].map((at): Step => [at, "up"]),
  ];

  const endedUntil = (minute: number): readonly Step[] => ended.filter(([at]) => at < minute);

  test("within an hour continues the last one", () => {
    expect(begun(...endedUntil(70.5), [70.5, "partial"])).toEqual(["partial", 70.5, true]);
    expect(begun(...endedUntil(70), [70, "partial"])).toEqual(["partial", 5, true]);
  });

  test("continues after an outage", () => {
    expect(begun([0, "up"], [5, "partial"], [10, "failing"], [15, "partial"])).toEqual([
      "partial",
      5,
      true,
    ]);
  });
});

test("since is never after the run, and never moves within an outage", () => {
  const step = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(...CHECK_CLASSES));
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      let minute = 0;
      const timed = steps.map(([wait, checkClass]): Step => [(minute += wait), checkClass]);
      timed.forEach(([at], index) => {
        const one = begun(...timed.slice(0, index));
        const next = begun(...timed.slice(0, index + 1));
        expect(next[1]).toBeLessThanOrEqual(at);
        if (index > 0 && isDown(one[0]) && isDown(next[0])) expect(next[1]).toBe(one[1]);
      });
    }),
  );
});
