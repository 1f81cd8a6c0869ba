import { expect, test } from "vitest";
import { minutes, T0 } from "../model/samples.ts";
import { createFloor } from "./floor.ts";
import { TOPOLOGY, eventOf } from "./samples.ts";
import { findTruth } from "./truth.ts";
import { createNetworkModel } from "./network-model.ts";

const END = T0 + minutes(60);

/** The figures of a floor for an outage of the bank, with a run every five minutes. */
function figuresOf(
  fromMinute: number,
  forMinutes: number,
  isConfirmed: boolean,
  failure: "tcp-timeout" | "tls-timeout" = "tls-timeout",
) {
  const startMs = T0 + minutes(fromMinute);
  const effect = { kind: "fail", failures: [failure], ratio: 1 } as const;
  const endMs = startMs + minutes(forMinutes);
  const events = [eventOf({ startMs, endMs, sites: [0, 1, 2], effect })];
  const truths = findTruth(TOPOLOGY, events, T0, END);
  const model = createNetworkModel(TOPOLOGY.sites, events, 1);
  model.advance(T0, END);
  const scored = { subjects: TOPOLOGY.subjects, truths, isScored: [true, false], fromMs: T0 };
  const floor = createFloor(scored, model, isConfirmed);
  for (let minute = 0; minute < 60; minute += 5) floor.run(T0 + minutes(minute));
  const { missed, delaysMs, falseOnes } = floor.finish(END);
  return { missed: missed.reduce((sum, count) => sum + count, 0), delaysMs, falseOnes };
}

test("an outage that ends before the last confirmation is missed", () => {
  expect(figuresOf(9, 3.5, true)).toMatchObject({ missed: 0 });
  expect(figuresOf(9, 2.9, true).delaysMs).toEqual([]);
  expect(figuresOf(11, 3.9, false)).toMatchObject({ missed: 1, delaysMs: [] });
  expect(figuresOf(9, 3.1, false)).toMatchObject({ missed: 0 });
});

test("an outage is reported after the last confirmation, without false ones", () => {
  // Found at once: a timeout of 5.1 s, the confirmation at 100 s with another one, 2 s for the publish.
  const { delaysMs, falseOnes } = figuresOf(10, 30, true);
  expect(delaysMs).toEqual([112_450]);
  expect(falseOnes).toEqual([]);
  // Without a connection there is one more confirmation, at 160 s.
  expect(figuresOf(10, 30, true, "tcp-timeout").delaysMs).toEqual([172_250]);
});
