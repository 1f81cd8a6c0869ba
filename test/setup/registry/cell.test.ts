import { expect, test } from "vitest";
import { hasSlot, SLOT_COUNT, slotOf } from "../../../src/setup/registry/cell.ts";

test.each([
  ["shop", 0x8d9],
  ["shop-1", 0x793],
  ["bank", 0x438],
  // A leading zero counts as a digit.
  ["mail", 0x00d],
])("the slot of %s is what printf %s | sha256sum | cut -c1-3 says", (id, slot) => {
  expect(slotOf(id)).toBe(slot);
});

test.each([1, 3, 10, 64])("each slot is of one of %d cells, which have as many slots", (of) => {
  const cells = Array.from({ length: of }, (_, number) => ({ number, of }));
  const slots = Array.from({ length: SLOT_COUNT }, (_, slot) => slot);
  const sizes = cells.map((cell) => slots.filter((slot) => hasSlot(cell, slot)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(SLOT_COUNT);
  for (const slot of slots) expect(cells.some((cell) => hasSlot(cell, slot))).toBe(true);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
});

test("ids are spread over the cells alike", () => {
  const ids = Array.from({ length: 20_000 }, (_, at) => `m${at}`);
  for (let number = 0; number < 10; number += 1) {
    const count = ids.filter((id) => hasSlot({ number, of: 10 }, slotOf(id))).length;
    expect(Math.abs(count - 2_000)).toBeLessThan(200);
  }
});
