import { expect, test } from "vitest";
import { indicatorOf, statuspageIdOf } from "../../src/contract/statuspage.ts";

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

/* The ids were computed with Python: b32encode(sha256(slug)).lower()[:12]. */
test.each([
  ["sberbank", "ksiavi6k6nfa"],
  ["chat-gpt", "i3km5635zpjs"],
  ["", "4oymiquy7qob"],
])("the component of %j has the id %s", (slug, id) => {
  expect(statuspageIdOf(slug)).toBe(id);
});
