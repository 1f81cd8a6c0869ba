import { expect, test } from "vitest";
import { indicatorOf } from "../../src/contract/statuspage.ts";

test.each([
  [0, 0, "none"],
  [0, 85, "none"],
  [1, 85, "minor"],
  [6, 140, "minor"],
  // 0.05 * 140 is more than 7.
  [7, 140, "major"],
  [41, 140, "major"],
  [42, 140, "critical"],
  [1, 1, "critical"],
])("%i open incidents of %i services are %s", (open, services, indicator) => {
  expect(indicatorOf(open, services)).toBe(indicator);
});
