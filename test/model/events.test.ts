import { expect, test } from "vitest";
import { MONITOR_EVENTS } from "../../src/model/events/monitor-events.ts";
import { PUBLISH_EVENTS } from "../../src/model/events/publish-events.ts";
import { VANTAGE_EVENTS } from "../../src/model/events/run-events.ts";
import { seconds } from "../../src/model/events/event-row.ts";

const BATCH = { batch: "b", isRedelivered: false };

test.each<readonly [string, string | undefined, string | undefined]>([
  [
    "a website without an address",
    PUBLISH_EVENTS["site-without-address"].sentence?.({ assumedUrl: null }),
    "the website is left out",
  ],
  [
    "a website with an assumed address",
    PUBLISH_EVENTS["site-without-address"].sentence?.({ assumedUrl: "https://a.example" }),
    "the website names https://a.example as its address",
  ],
  [
    "a slot that is taken",
    PUBLISH_EVENTS["archive-skipped"].sentence?.({ reason: "slot-taken" }),
    "Another run of the same five minutes",
  ],
  [
    "a day that is sealed",
    PUBLISH_EVENTS["archive-skipped"].sentence?.({ reason: "day-sealed" }),
    "The archive of this day is made",
  ],
  [
    "an ask that is answered",
    VANTAGE_EVENTS["nothing-asked"].sentence?.({ isAnswered: true }),
    "The newest ask is answered already.",
  ],
  [
    "no ask",
    VANTAGE_EVENTS["nothing-asked"].sentence?.({ isAnswered: false }),
    "Nothing is asked yet.",
  ],
  [
    "a batch that was answered",
    MONITOR_EVENTS["batch-ended"].sentence?.({
      ...BATCH,
      kind: "answered",
      targets: 3,
      failing: 1,
    }),
    "Batch b: 3 monitors, 1 fail.",
  ],
  [
    "a batch that was refused",
    MONITOR_EVENTS["batch-ended"].sentence?.({ ...BATCH, kind: "refused" }),
    "Warning: a batch was refused (b).",
  ],
  [
    "a batch that goes back",
    MONITOR_EVENTS["batch-ended"].sentence?.({ ...BATCH, kind: "returned", reason: "offline" }),
    "Warning: the batch b goes back: offline.",
  ],
])("the log tells of %s", (_event, sentence, words) => {
  expect(sentence).toContain(words);
});

test("times are told in seconds, with a digit", () => {
  expect([0, 49, 50, 1_949].map(seconds)).toEqual(["0.0 s", "0.0 s", "0.1 s", "1.9 s"]);
});
