import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LEVEL_CHARS, levelOf, msOfLevel } from "../../../src/model/response-level.ts";
import type { MonitorResponse } from "../../../src/model/monitor/uptime.ts";
import {
  addResponse,
  isResponseDue,
  pruneResponse,
  responseHourOf,
} from "../../../src/monitors/uptime/time-slots.ts";
import { SHARD_COUNT, shardOf } from "../../../src/model/monitor/shard.ts";
import { recordOf, SLOT0 } from "./samples.ts";

const HOUR0 = SLOT0 / 12;

describe("the hour of a check", () => {
  test("begins a slot later from each shard to the next, and again after twelve", () => {
    for (let shard = 0; shard < SHARD_COUNT; shard += 1) {
      const begins = SLOT0 + (shard % 12);
      expect(responseHourOf(shard, begins - 1)).toBe(HOUR0 - 1);
      expect(responseHourOf(shard, begins)).toBe(HOUR0);
      expect(responseHourOf(shard, begins + 11)).toBe(HOUR0);
    }
  });

  test("begins for six shards at most in one run, so that no run writes many", () => {
    for (let slot = SLOT0; slot < SLOT0 + 12; slot += 1) {
      const beginning = [...Array(SHARD_COUNT).keys()].filter(
        (shard) => responseHourOf(shard, slot) !== responseHourOf(shard, slot - 1),
      );
      expect(beginning.length).toBeGreaterThanOrEqual(5);
      expect(beginning.length).toBeLessThanOrEqual(6);
    }
  });
});

describe("a response time", () => {
  test("is due once in each hour, however seldom runs come", () => {
    for (const slotsApart of [1, 5, 12, 13, 30]) {
      let record = recordOf();
      const hours: number[] = [];
      for (let slot = SLOT0; slot < SLOT0 + 288; slot += slotsApart) {
        if (!isResponseDue("shop", record, slot)) continue;
        const hour = responseHourOf(shardOf("shop"), slot);
        record = { ...record, response: addResponse(record.response, hour, 90) };
        hours.push(hour);
      }
      expect(new Set(hours).size).toBe(hours.length);
      expect(hours.length).toBeGreaterThanOrEqual(Math.floor(288 / Math.max(12, slotsApart)));
    }
  });

  test("is due for a monitor without a record", () => {
    expect(isResponseDue("shop", undefined, SLOT0)).toBe(true);
  });

  test("that is remembered already stays", () => {
    const known: MonitorResponse = { hour: HOUR0, levels: "K.L" };
    expect(addResponse(known, HOUR0, 9_999)).toBe(known);
  });

  test("of a clock that was ahead is forgotten", () => {
    const known: MonitorResponse = { hour: HOUR0 + 500, levels: "K.L" };
    expect(isResponseDue("shop", recordOf({ response: known }), SLOT0)).toBe(true);
    expect(addResponse(known, HOUR0, 5)).toEqual({ hour: HOUR0, levels: "A" });
  });

  test("after years makes no long text", () => {
    const known: MonitorResponse = { hour: 1, levels: "K.L" };
    expect(addResponse(known, 5_000_000, 5)).toEqual({ hour: 5_000_000, levels: "A" });
  });
});

test("what is kept is what a list of all hours holds of the last 24", () => {
  const step = fc.record({
    hours: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 20, max: 30 })),
    char: fc.constantFrom(...LEVEL_CHARS),
    pruneAfter: fc.option(fc.integer({ min: 0, max: 30 })),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const all = new Map<number, string>();
      let response: MonitorResponse | undefined;
      let hour = HOUR0;
      for (const { hours, char, pruneAfter } of steps) {
        hour += hours;
        response = addResponse(response, hour, msOfLevel(char) ?? 0);
        all.set(hour, char);
        let nowHour = hour;
        if (pruneAfter !== null) {
          nowHour += pruneAfter;
          response = pruneResponse(response, nowHour * 12 + 11);
          hour = nowHour;
        }
        expect(rowOf(response, nowHour)).toEqual(
          [...Array(24).keys()].map((index) => all.get(nowHour - 23 + index) ?? "."),
        );
        const { levels } = response ?? { levels: levelOf(5) };
        expect(levels.length).toBeLessThanOrEqual(24);
        expect(`${levels.at(0)}${levels.at(-1)}`).not.toContain(".");
        if (response !== undefined) expect(pruneResponse(response, nowHour * 12)).toBe(response);
      }
    }),
  );
});

/** The last 24 hours; fails where something older is left. */
function rowOf(response: MonitorResponse | undefined, nowHour: number): readonly string[] {
  const row = Array.from({ length: 24 }, () => ".");
  for (const [index, char] of [...(response?.levels ?? "")].entries()) {
    const place = (response?.hour ?? 0) - (response?.levels.length ?? 0) + 1 + index - nowHour + 23;
    if (char !== ".") expect(place).toBeGreaterThanOrEqual(0);
    row[place] = char;
  }
  return row;
}
