import { expect, test } from "vitest";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import { whyUnknown } from "../../../src/services/history/views.ts";
import { endpointOf, minutes, serviceHistoryOf, serviceOf, T0 } from "../../model/samples.ts";

const CRITICAL = "https://lk.bank.ru/";
const MINOR = "https://bank.ru/";
const BANK = serviceOf("bank", [endpointOf(CRITICAL, true), endpointOf(MINOR, false)]);

/** @param last the sample of the critical endpoint; the minor one is healthy. */
function reasonFor(last: string, checkedAtMs?: number, proven: readonly string[] = []) {
  const services = checkedAtMs === undefined ? [] : [["bank", serviceHistoryOf({ checkedAtMs })]];
  return whyUnknown(BANK, {
    ...EMPTY_HISTORY,
    updatedAtMs: T0,
    endpoints: new Map([
      [CRITICAL, last],
      [MINOR, "A"],
    ]),
    proven: new Set([MINOR, ...proven]),
    services: new Map(services as [string, ReturnType<typeof serviceHistoryOf>][]),
  });
}

test.each([
  ["silence of an owner that may refuse the runner", "*", "refused"],
  ["a wall", "@", "wall-only"],
  ["a failure of what never answered", "!", "never-reached"],
  ["a run that had no time for it", "?", null],
  ["a run that did not look", "", null],
])("%s: %s", (_, last, reason) => {
  expect(reasonFor(last)).toBe(reason);
});

test("a failure of what has answered is no reason", () => {
  expect(reasonFor("!", undefined, [CRITICAL])).toBeNull();
});

test.each([
  ["a quarter of an hour ago", 15, null],
  ["longer ago", 20, "refused"],
])("after a check %s a silent run says: %s", (_, ago, reason) => {
  expect(reasonFor("*", T0 - minutes(ago))).toBe(reason);
});
