import { expect, test } from "vitest";
import { judgeCheck } from "../../src/checks/verdict.ts";
import { FAILURES, type FailureCode } from "../../src/model/outcome.ts";
import { failed, traceOf } from "../model/samples.ts";

test("only what our own guard ended is refused, every other failure is failing", () => {
  const codes = Object.keys(FAILURES) as FailureCode[]; // its own keys
  const refused = codes.filter((code) => judgeCheck(failed(code)).kind === "refused");
  expect(refused.toSorted()).toEqual(["dns-special-address", "redirect-refused", "url-refused"]);
  for (const code of codes) {
    const kind = refused.includes(code) ? "refused" : "failing";
    expect(judgeCheck(failed(code))).toEqual({ kind, code });
  }
});

test("an answer from one of several addresses, some of which may not be connected to, is healthy with a warning", () => {
  const trace = { ...traceOf(90), hasRefusedAddresses: true } as const;
  const expected = { kind: "healthy", totalMs: 90, warning: "mixed-addresses" };
  expect(judgeCheck({ kind: "ok", trace })).toEqual(expected);
});

test("an answer is healthy, and a check that was not made is skipped", () => {
  const trace = traceOf(90);
  expect(judgeCheck({ kind: "ok", trace })).toEqual({ kind: "healthy", totalMs: 90 });
  expect(judgeCheck({ kind: "denied", trace })).toEqual({ kind: "healthy", totalMs: 90 });
  expect(judgeCheck({ kind: "skipped", reason: "unconfirmed" })).toEqual({ kind: "skipped" });
});
