import { expect, test } from "vitest";
import { minutes, T0 } from "../model/samples.ts";
import { createFloor } from "./floor.ts";
import { CAST, eventOf } from "./samples.ts";
import { findTruth } from "./truth.ts";
import { createWorld } from "./world.ts";

const END = T0 + minutes(60);

/** What a floor says of an outage of the bank from a minute on, for some minutes, with a run each five. */
function see(
  fromMinute: number,
  forMinutes: number,
  isConfirmed: boolean,
  failure: "tcp-timeout" | "tls-timeout" = "tls-timeout",
) {
  const startMs = T0 + minutes(fromMinute);
  const effect = { kind: "fail", failures: [failure], ratio: 1 } as const;
  const endMs = startMs + minutes(forMinutes);
  const events = [eventOf({ startMs, endMs, sites: [0, 1, 2], effect })];
  const truths = findTruth(CAST, events, T0, END);
  const world = createWorld(CAST.sites, events, 1);
  world.advance(T0, END);
  const judged = { subjects: CAST.subjects, truths, isJudged: [true, false], fromMs: T0 };
  const floor = createFloor(judged, world, isConfirmed);
  for (let minute = 0; minute < 60; minute += 5) floor.look(T0 + minutes(minute));
  const { missed, delaysMs, falseOnes } = floor.finish(END);
  return { missed: missed.reduce((sum, count) => sum + count, 0), delaysMs, falseOnes };
}

test("an outage that is over before the last confirmation is missed by who knows the truth", () => {
  expect(see(9, 3.5, true)).toMatchObject({ missed: 0 });
  expect(see(9, 2.9, true).delaysMs).toEqual([]);
  expect(see(11, 3.9, false)).toMatchObject({ missed: 1, delaysMs: [] });
  expect(see(9, 3.1, false)).toMatchObject({ missed: 0 });
});

test("the truth is told when the last confirmation is over, and never of a service that is well", () => {
  // Found at once, a time-out of 5.1 s, the confirmation at 100 s with another, 2 s for the publish.
  const { delaysMs, falseOnes } = see(10, 30, true);
  expect(delaysMs).toEqual([112_450]);
  expect(falseOnes).toEqual([]);
  // Where no connection comes about there is one more confirmation, at 160 s.
  expect(see(10, 30, true, "tcp-timeout").delaysMs).toEqual([172_250]);
});
