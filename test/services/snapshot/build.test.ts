import { expect, test } from "vitest";
import type { Verdict } from "../../../src/contract/codes/verdict.ts";
import { buildSnapshot } from "../../../src/services/snapshot/api-documents.ts";
import { catalogueOf, serviceOf, T0 } from "../../model/samples.ts";

const OK: Verdict = { code: "ok", color: "ok", live: false, sinceMs: T0 };
const DOWN: Verdict = { code: "fail", color: "bad", live: true, sinceMs: T0 };
const catalogue = catalogueOf([serviceOf("b", []), serviceOf("a", [])]);

test("services are in catalogue order, with zero reports by default", () => {
  const verdicts = new Map<string, Verdict>([
    ["a", OK],
    ["b", DOWN],
  ]);
  const reports = new Map([["a", { hour: 1, day: 2, isSurging: false }]]);
  expect(buildSnapshot(catalogue, verdicts, reports, T0)).toEqual({
    updatedAtMs: T0,
    services: [
      {
        slug: "b",
        name: "Сервис b",
        verdict: DOWN,
        reports: { hour: 0, day: 0, isSurging: false },
      },
      { slug: "a", name: "Сервис a", verdict: OK, reports: { hour: 1, day: 2, isSurging: false } },
    ],
  });
});

test("a service without a verdict throws", () => {
  expect(() => buildSnapshot(catalogue, new Map([["a", OK]]), new Map(), T0)).toThrow(
    "no verdict for b",
  );
});
