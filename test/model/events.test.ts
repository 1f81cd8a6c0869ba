import { expect, test } from "vitest";
import { seconds } from "../../src/model/events/event-row.ts";
import { EVENTS, levelOf, rowOfEvent } from "../../src/model/run-event.ts";
import type { RunEvent } from "../../src/model/run-event.ts";
import { FINE } from "../../src/model/service/connectivity.ts";
import { EVENT_EXAMPLES } from "../cli/log/event-examples.ts";
import { failed, ok, resultOf } from "./samples.ts";

const MEASURED = { slug: "vtb", url: "https://vtb.ru/", done: 1, total: 2 };

/** An endpoint, as it was in the run before and is now. */
function measured(isFailing: boolean, wasHealthy: boolean): RunEvent {
  const result = resultOf(isFailing ? failed("tcp-timeout") : ok());
  return { event: "endpoint-measured", ...MEASURED, result, wasHealthy };
}

/** The level, and what the log for people says. */
function linesOf(event: RunEvent): string {
  return `  ${levelOf(event)}: ${rowOfEvent(event).sentence?.(event) ?? "(nothing)"}`;
}

test("every event has its level, its fields, and what the log says of it", async () => {
  const lines = Object.entries(EVENTS).flatMap(([name, { level, meaning, fields }]) => [
    `${name} (${level}): ${meaning}`,
    ...Object.entries(fields).map(([field, { text }]) => `  ${field}: ${text || "(its name)"}`),
    ...EVENT_EXAMPLES.filter(({ event }) => event === name).map(linesOf),
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/events.txt");
});

test("what needs no attention is told to those who debug", () => {
  expect(levelOf({ event: "anchors-probed", phase: "start", connectivity: FINE })).toBe("debug");
  const lossy = { ...FINE, state: "lossy" } as const;
  expect(levelOf({ event: "anchors-probed", phase: "start", connectivity: lossy })).toBe("info");
  expect(levelOf(measured(false, true))).toBe("debug");
  expect(
    [measured(false, false), measured(true, true), measured(true, false)].map(levelOf),
  ).toEqual(["info", "info", "info"]);
});

const FEW = { count: 2, ids: ["a", "b"] };

test.each<readonly [RunEvent, string]>([
  [{ event: "monitors-newly-refused", ...FEW }, ": a, b. "],
  [{ event: "monitors-newly-refused", ...FEW, count: 3 }, ": a, b and 1 more. "],
  [{ event: "batch-ended", batch: "b", isRedelivered: false, kind: "answered" }, "0 monitors, 0 "],
  [{ event: "clock-behind", behindMs: 61_500 }, "62 s"],
  [{ event: "clock-behind", behindMs: 61_499 }, "61 s"],
])("the log says of %o%s", (event, words) => {
  expect(linesOf(event)).toContain(words);
});

test("times are told in seconds, with a digit", () => {
  expect([0, 49, 50, 1_949].map(seconds)).toEqual(["0.0 s", "0.0 s", "0.1 s", "1.9 s"]);
});
