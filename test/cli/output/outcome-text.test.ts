import { describe, expect, test } from "vitest";
import { FAILURES } from "../../../src/model/failures.ts";
import { COLOR_OF } from "../../../src/contract/codes/verdict.ts";
import {
  browserLine,
  describeOutcome,
  describeResult,
  nameFailure,
  nameWarning,
  VERDICT_WORDS,
} from "../../../src/cli/output/outcome-text.ts";
import { MONITOR_WARNINGS } from "../../../src/model/monitor/monitor.ts";
import type { EndpointResult, Outcome, SkipReason } from "../../../src/model/probe-outcome.ts";
import { DECIDERS } from "../../../src/model/service/interference.ts";
import { FAILURE_WORDS } from "../../../src/site/words/failure.ts";
import { T0, traceOf } from "../../model/samples.ts";

describe("words", () => {
  test("every failure and every verdict has its own text, as the end of a sentence", () => {
    for (const [words, codes] of [
      [FAILURE_WORDS.en, FAILURES],
      [VERDICT_WORDS, COLOR_OF],
    ] as const) {
      expect(Object.keys(words).toSorted()).toEqual(Object.keys(codes).toSorted());
      const texts = Object.values<string>(words);
      expect(new Set(texts).size).toBe(texts.length);
      for (const text of texts) expect(text).toMatch(/^\S.*[^.\s]$/u);
    }
  });

  test("a failure is told in the words of the website, with its code", () => {
    expect(nameFailure("tcp-refused")).toBe("the server refused the connection [tcp-refused]");
  });

  test("a warning is what the website tells the owner, as the end of a sentence", () => {
    expect(nameWarning("location-repeated")).toBe(
      "the target of a redirect is named twice. Browsers forgive that",
    );
    const texts = MONITOR_WARNINGS.map(nameWarning);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toMatch(/^(?!but )(?:[a-z]|DNS |100 ).*[^.\s]$/u);
  });
});

const SKIPPED: Readonly<Record<SkipReason, true>> = {
  deadline: true,
  unconfirmed: true,
  "ipv6-unavailable": true,
  "runner-exhausted": true,
  aborted: true,
};
const TRACE = traceOf(120, { httpStatus: 403, rawBytes: 900 });
const OK: Outcome = { kind: "ok", trace: TRACE };
const STALL: Outcome = { kind: "failed", stage: "body", code: "body-stall", trace: TRACE };
const OUTCOMES: readonly Outcome[] = [
  OK,
  { kind: "ok", trace: { ...TRACE, wall: "qrator", oddities: ["location-repeated"] } },
  { kind: "denied", trace: TRACE },
  STALL,
  { kind: "failed", stage: "tls", code: "tls-reset", trace: traceOf(5), fingerprint: "stub" },
  ...(Object.keys(SKIPPED) as readonly SkipReason[]).map(
    (reason) => ({ kind: "skipped", reason }) as const,
  ),
];

const STALLED: EndpointResult = { outcome: STALL, isFlaky: false, attempts: [STALL] };
const RESULTS: readonly EndpointResult[] = [
  { outcome: OK, isFlaky: true, attempts: [STALL, OK] },
  { ...STALLED, attempts: [STALL, STALL] },
  { ...STALLED, mayBeRefused: true },
  { ...STALLED, outvotedBy: "failing" },
  ...DECIDERS.map((decidedBy) => ({ ...STALLED, outvotedBy: "healthy" as const, decidedBy })),
];

test("what a probe found is told as it was", async () => {
  const views = [
    { atMs: T0, isOpen: true },
    { atMs: T0, isOpen: false, stage: "tls" },
    { atMs: T0, isOpen: false },
  ] as const;
  const lines = [
    ...OUTCOMES.map(describeOutcome),
    ...RESULTS.map(describeResult),
    ...views.map((browser) => browserLine({ ...STALLED, browser })),
    ...Object.entries(VERDICT_WORDS).map(([code, words]) => `${code}: ${words}`),
  ];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/outcomes.txt");
});

test("an answer without a status has a question mark in its place", () => {
  const trace = traceOf(120);
  expect(describeOutcome({ kind: "ok", trace })).toBe("HTTP ? in 120 ms");
  expect(describeOutcome({ kind: "denied", trace })).toBe(
    "refused for this region by the service itself (HTTP ?)",
  );
});
