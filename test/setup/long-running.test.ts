import { expect, test } from "vitest";
import { StoreError } from "../../src/model/store.ts";
import type { RunEvent } from "../../src/model/run-event.ts";
import { isExpectedFailure, UsageError } from "../../src/setup/errors.ts";
import {
  createThrottle,
  repeatUntilStopped,
  throttleEvents,
} from "../../src/setup/long-running.ts";

test("the same is logged again after a minute, or when the clock was set back", () => {
  const clock = { nowMs: 1_000_000 };
  const isDue = createThrottle(() => clock.nowMs);
  const at = (nowMs: number, what: string): boolean => {
    clock.nowMs = nowMs;
    return isDue(what);
  };
  expect([at(1_000_000, "a"), at(1_000_000, "b"), at(1_059_999, "a")]).toEqual([true, true, false]);
  expect([at(1_060_000, "a"), at(1_060_001, "a")]).toEqual([true, false]);
  expect([at(1_000_001, "a"), at(1_000_000, "a")]).toEqual([false, true]);
});

test.each([
  ["inbox-not-cleared", true],
  ["clock-off", true],
  ["monitors-degraded", true],
  ["monitors-withheld", true],
  ["owner-edits-deferred", true],
  ["removals-withheld", true],
  ["reports-deferred", true],
  ["site-without-address", true],
  ["catalogue-changed", false],
  ["truth-ignored", false],
] as const)("the event %s waits for its minute: %s", (name, waits) => {
  const event = { event: name } as RunEvent;
  const logged = (isDue: boolean): readonly RunEvent[] => {
    const events: RunEvent[] = [];
    const asked: string[] = [];
    const emit = throttleEvents(
      (one) => void events.push(one),
      (what) => (asked.push(what), isDue),
    );
    emit(event);
    expect(asked).toEqual(waits ? [name] : []);
    return events;
  };
  expect([logged(true), logged(false)]).toEqual([[event], waits ? [] : [event]]);
});

test("a failure that lasts is told once, until an act succeeds", async () => {
  const stop = new AbortController();
  const told: string[] = [];
  const outcomes = ["down", "down", "full", "", "full", "stop"];
  const act = async (): Promise<void> => {
    const outcome = outcomes.shift();
    if (outcome === "stop") stop.abort();
    else if (outcome !== "") throw new StoreError("read", "x", outcome ?? "");
  };
  await repeatUntilStopped(0, [act], stop.signal, (sentence) => void told.push(sentence));
  expect([outcomes, told]).toEqual([[], ["down", "full", "full"]]);
});

test("a defect ends the repetition", async () => {
  const fail = () => Promise.reject(new TypeError("defect"));
  const { signal } = new AbortController();
  await expect(repeatUntilStopped(0, [fail], signal, () => undefined)).rejects.toThrow("defect");
});

test("after a stop nothing is done", async () => {
  let acts = 0;
  await repeatUntilStopped(0, [async () => void (acts += 1)], AbortSignal.abort(), () => undefined);
  expect(acts).toBe(0);
});

test.each([
  ["StoreError", true],
  ["StateError", true],
  ["ListenError", true],
  ["JournalError", true],
  ["LedgerError", true],
  ["WebsiteError", true],
  ["EngineError", true],
  ["TypeError", false],
])("an error with the name %s is a failure to be expected: %s", (name, isExpected) => {
  expect(isExpectedFailure(Object.assign(new Error("down"), { name }))).toBe(isExpected);
});

test("a failure of a disk, port or file is expected, all others are defects", () => {
  expect(isExpectedFailure(new StoreError("read", "x", "down"))).toBe(true);
  expect(isExpectedFailure(new UsageError(["x"]))).toBe(false);
  expect(isExpectedFailure({ name: "StoreError" })).toBe(false);
});

test("problems are told once, each line for itself", () => {
  expect(new UsageError(["a\nb", "b", "c"]).problems).toEqual(["a", "b", "c"]);
});
