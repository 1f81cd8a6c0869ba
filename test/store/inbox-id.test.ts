import { expect, test } from "vitest";
import { isInboxId } from "../../src/model/folded-ids.ts";
import { createInboxId, createInboxSeries } from "../../src/store/inbox-id.ts";

const NOW_MS = Date.UTC(2026, 10, 23, 9);
const UUID = "01234567-89ab-cdef-0123-456789abcdef";

test("an id begins with 13 digits of milliseconds, so that ids sort by age", () => {
  expect(createInboxId(NOW_MS)).toMatch(/^1795424400000-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/u);
  expect(createInboxId(7.9)).toMatch(/^0000000000007-/u);
  expect(createInboxId(-1)).toMatch(/^0000000000000-/u);
  expect(createInboxId(NOW_MS)).not.toBe(createInboxId(NOW_MS));
});

test("the ids of a series count up from one, in hexadecimal digits", () => {
  const next = createInboxSeries();
  const ids = Array.from({ length: 17 }, (_, at) => next(NOW_MS + at));
  const counted = ids.map((id) => id.slice(-12));
  expect([counted[0], counted[9], counted[16]]).toEqual([
    "000000000001",
    "00000000000a",
    "000000000011",
  ]);
  expect(new Set(ids.map((id) => id.slice(13, -12))).size).toBe(1);
  expect(ids.map((id) => id.slice(0, 13))).toEqual(ids.map((_, at) => `${NOW_MS + at}`));
  expect(ids.every(isInboxId)).toBe(true);
  expect(createInboxSeries()(NOW_MS)).not.toBe(ids[0]);
});

test.each([
  [`1795424400000-${UUID}`, true],
  [`179542440000-${UUID}`, false],
  [`17954244000000-${UUID}`, false],
  [`1795424400000-${UUID}0`, false],
  [`1795424400000-${UUID.slice(1)}`, false],
  [`1795424400000-${UUID.toUpperCase()}`, false],
  [`1795424400000-${UUID}.json`, false],
  [`x1795424400000-${UUID}`, false],
  ["../state", false],
])("%s is an id: %s", (text, isId) => {
  expect(isInboxId(text)).toBe(isId);
});
