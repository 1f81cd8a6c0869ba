import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHECK_CLASSES, type CheckClass, type ServiceHistory } from "../../src/model/history.ts";
import { continueEpisode, isDown } from "../../src/history/episode.ts";
import { minutes, serviceHistoryOf, T0 } from "../model/samples.ts";

type Step = readonly [minute: number, checkClass: CheckClass];

function play(...steps: readonly Step[]): ServiceHistory {
  let history: ServiceHistory | undefined;
  for (const [minute, checkClass] of steps) {
    const atMs = T0 + minutes(minute);
    const episode = continueEpisode(history, { atMs, checkClass });
    history = serviceHistoryOf({ ...episode, checkedAtMs: atMs });
  }
  return history ?? serviceHistoryOf();
}

/** [minute of since, exact, minute of downSince or null] */
function begun(...steps: readonly Step[]): readonly [number, boolean, number | null] {
  const { sinceMs, isSinceExact, downSinceMs } = play(...steps);
  const downSince = downSinceMs === null ? null : (downSinceMs - T0) / minutes(1);
  return [(sinceMs - T0) / minutes(1), isSinceExact, downSince];
}

describe("since", () => {
  test("of the first run is that run, and not exact", () => {
    expect(begun([0, "up"])).toEqual([0, false, null]);
    expect(begun([0, "failing"])).toEqual([0, false, 0]);
  });

  test("stays while the class stays, its exactness too", () => {
    expect(begun([0, "up"], [5, "up"])).toEqual([0, false, null]);
    expect(begun([0, "up"], [5, "slow"], [10, "slow"])).toEqual([5, true, null]);
  });

  test("moves with every change of the class", () => {
    expect(begun([0, "up"], [5, "slow"], [10, "partial"])).toEqual([10, true, null]);
  });

  test("stays over a gap with the same class on both sides", () => {
    expect(begun([0, "up"], [5, "slow"], [3000, "slow"])).toEqual([5, true, null]);
  });

  test("after a gap with another class is the first run after it, and not exact", () => {
    expect(begun([0, "up"], [16, "failing"])).toEqual([16, false, 16]);
  });

  test("over exactly 15 minutes is exact: that is no gap yet", () => {
    expect(begun([0, "up"], [15, "failing"])).toEqual([15, true, 15]);
  });
});

describe("the down episode", () => {
  test("spans failing and server-error while since moves", () => {
    expect(begun([0, "up"], [5, "failing"], [10, "server-error"])).toEqual([10, true, 5]);
    expect(begun([0, "up"], [5, "server-error"], [10, "failing"])).toEqual([10, true, 5]);
  });

  test("spans a gap with down classes on both sides", () => {
    expect(begun([0, "up"], [5, "failing"], [60, "server-error"])).toEqual([60, false, 5]);
  });

  test("ends with any other class", () => {
    for (const checkClass of CHECK_CLASSES.filter((each) => !isDown(each))) {
      expect(begun([0, "failing"], [5, checkClass])).toEqual([5, true, null]);
    }
  });
});

describe("a relapse", () => {
  const down: readonly Step[] = [
    [0, "up"],
    [5, "failing"],
    [10, "failing"],
  ];

  test("within 15 minutes of coming back takes the old beginning over", () => {
    expect(begun(...down, [15, "up"], [20, "failing"])).toEqual([5, true, 5]);
    expect(begun(...down, [15, "up"], [25, "slow"], [30, "failing"])).toEqual([5, true, 5]);
  });

  test("later than that is a new episode", () => {
    const back: readonly Step[] = [
      [15, "up"],
      [25, "up"],
    ];
    expect(begun(...down, ...back, [31, "failing"])).toEqual([31, true, 31]);
  });

  test("as the other down class continues the episode under a since of its own", () => {
    expect(begun(...down, [15, "up"], [20, "server-error"])).toEqual([20, true, 5]);
  });

  test("keeps the old beginning inexact when it was", () => {
    expect(begun([0, "failing"], [5, "up"], [10, "failing"])).toEqual([0, false, 0]);
  });

  test("after coming back somewhere inside a gap is a new episode", () => {
    expect(begun(...down, [60, "up"], [65, "failing"])).toEqual([65, true, 65]);
  });

  test("into partial is no relapse", () => {
    expect(begun(...down, [15, "up"], [20, "partial"])).toEqual([20, true, null]);
  });

  test("leaves nothing behind to relapse to twice, but ends anew", () => {
    const { lastEpisode } = play(...down, [15, "up"], [20, "failing"]);
    expect(lastEpisode).toBeNull();
    const flapping: readonly Step[] = [
      [15, "up"],
      [20, "failing"],
      [25, "up"],
      [30, "failing"],
    ];
    expect(begun(...down, ...flapping)).toEqual([5, true, 5]);
  });
});

describe("for every sequence of classes", () => {
  const steps = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 40 }), fc.constantFrom(...CHECK_CLASSES)),
    { minLength: 1, maxLength: 30 },
  );

  test("since never lies after the check, moves back only in a relapse, and down implies a down start", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        let history: ServiceHistory | undefined;
        let atMs = T0;
        for (const [step, checkClass] of sequence) {
          atMs += minutes(step);
          const previous: ServiceHistory | undefined = history;
          const next = continueEpisode(previous, { atMs, checkClass });
          history = serviceHistoryOf({ ...next, checkedAtMs: atMs });
          expect(next.sinceMs).toBeLessThanOrEqual(atMs);
          expect(next.downSinceMs !== null).toBe(isDown(checkClass));
          expect(next.downSinceMs ?? next.sinceMs).toBeLessThanOrEqual(next.sinceMs);
          if (previous === undefined) continue;
          const isRelapse = isDown(checkClass) && !isDown(previous.checkClass);
          if (!isRelapse) expect(next.sinceMs).toBeGreaterThanOrEqual(previous.sinceMs);
          if (previous.checkClass === checkClass) expect(next.sinceMs).toBe(previous.sinceMs);
        }
      }),
    );
  });
});
