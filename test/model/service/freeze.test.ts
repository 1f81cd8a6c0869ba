import { expect, test } from "vitest";
import type { Outcome } from "../../../src/model/probe-outcome.ts";
import { tooSmallBody } from "../../../src/model/service/freeze.ts";
import { failed, traceOf } from "../samples.ts";

function whole(bodyBytes: number, kind: "ok" | "denied" = "ok"): Outcome {
  return { kind, trace: traceOf(100, { bodyBytes }) };
}

const LIMIT = 65_536;

test.each<readonly [string, readonly Outcome[], number | undefined]>([
  [
    "without an answer has no body",
    [failed("tcp-timeout"), { kind: "skipped", reason: "aborted" }],
    undefined,
  ],
  ["with a body of 64 KiB shows a freeze", [whole(LIMIT)], undefined],
  ["with one byte less does not", [whole(LIMIT - 1)], LIMIT - 1],
  ["is judged by its largest body", [whole(10), whole(300), whole(20)], 300],
  ["is judged by a refusal of the region as well", [whole(10), whole(70, "denied")], 70],
  ["is not judged by a failure", [failed("body-reset"), whole(10)], 10],
])("a service abroad %s", (_what, outcomes, bytes) => {
  const named = outcomes.map((outcome, at) => [`https://a.ru/${at}`, outcome] as const);
  const found = tooSmallBody({ isAbroad: true }, named);
  expect(found?.bytes).toBe(bytes);
  const of = named.find(([, one]) => "trace" in one && one.trace.bodyBytes === bytes);
  expect(found?.url).toBe(of?.[0]);
});

test("a service in Russia is not judged", () => {
  expect(tooSmallBody({ isAbroad: false }, [["https://a.ru/", whole(10)]])).toBeUndefined();
});
