import { expect, test } from "vitest";
import { classifyCheck } from "../../../src/monitors/checks/host-queues.ts";
import { FAILURE_CODES, ODDITY_CODES } from "../../../src/model/failures.ts";
import { failed, traceOf } from "../../model/samples.ts";

test("only failures of our own guard are refused, all others are failing", () => {
  const refused = FAILURE_CODES.filter((code) => classifyCheck(failed(code)).kind === "refused");
  expect(refused.toSorted()).toEqual(["dns-special-address", "redirect-refused", "url-refused"]);
  for (const code of FAILURE_CODES) {
    const kind = refused.includes(code) ? "refused" : "failing";
    expect(classifyCheck(failed(code))).toEqual({ kind, code });
  }
});

test("a response is healthy with a warning if other addresses are refused", () => {
  const trace = { ...traceOf(90), hasRefusedAddresses: true } as const;
  const expected = { kind: "healthy", totalMs: 90, warning: "mixed-addresses" };
  expect(classifyCheck({ kind: "ok", trace })).toEqual(expected);
});

test("a response is healthy, and a check that was not made is skipped", () => {
  const trace = traceOf(90);
  expect(classifyCheck({ kind: "ok", trace })).toEqual({ kind: "healthy", totalMs: 90 });
  expect(classifyCheck({ kind: "denied", trace })).toEqual({ kind: "healthy", totalMs: 90 });
  expect(classifyCheck({ kind: "skipped", reason: "unconfirmed" })).toEqual({ kind: "skipped" });
});

test("a wall against robots says nothing of the site", () => {
  const trace = traceOf(90, { wall: "x", oddities: ["coding-unasked"] });
  expect(classifyCheck({ kind: "ok", trace })).toEqual({ kind: "skipped", isWalled: true });
});

test("of several warnings the one that comes first in their order is given", () => {
  const trace = traceOf(90, { oddities: [...ODDITY_CODES].toReversed() });
  expect(classifyCheck({ kind: "ok", trace })).toMatchObject({ warning: ODDITY_CODES[0] });
  expect(
    classifyCheck({ kind: "ok", trace: { ...trace, hasRefusedAddresses: true } }),
  ).toMatchObject({ warning: "mixed-addresses" });
});
