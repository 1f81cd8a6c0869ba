import { describe, expect, test } from "vitest";
import { OUTCOME } from "../../../src/model/probe-outcome.ts";
import { RUN_EVIDENCE } from "../../../src/model/service/evidence.ts";
import type { RunEvidence } from "../../../src/model/service/evidence.ts";
import { failed, ok, traceOf } from "../samples.ts";

const EVIDENCE: RunEvidence = {
  startedAtMs: 1_800_000_000_000,
  durationMs: 41_000,
  validity: "valid",
  connectivity: {
    state: "half",
    unreachable: ["https://a.ru/"],
    lostRatio: 0.25,
    failingZones: ["ru"],
  },
  isCongested: true,
  eventLoopLagMs: 12,
  anchors: [
    {
      url: "https://a.ru/",
      scope: "domestic",
      network: "AS1 One",
      rounds: [
        { phase: "start", tries: [ok(), failed("tcp-timeout")] },
        { phase: "middle", tries: [{ kind: "skipped", reason: "aborted" }] },
        { phase: "end", tries: [] },
      ],
    },
  ],
};

describe("evidence of the last run", () => {
  test("survives JSON unchanged", () => {
    expect(RUN_EVIDENCE.parse(JSON.parse(JSON.stringify(EVIDENCE)))).toEqual(EVIDENCE);
  });

  test.each([
    ["an unknown state", { connectivity: { ...EVIDENCE.connectivity, state: "sunny" } }],
    ["a share above one", { connectivity: { ...EVIDENCE.connectivity, lostRatio: 1.5 } }],
    ["an unknown field", { isForeignPathDown: true }],
  ])("is refused with %s", (_, changes) => {
    expect(RUN_EVIDENCE.safeParse({ ...EVIDENCE, ...changes }).success).toBe(false);
  });
});

test("an outcome whose stage is not that of its code is refused, and an issuer is kept", () => {
  const national = { kind: "ok", trace: traceOf(5, { isNationalIssuer: true }) };
  expect(OUTCOME.parse(national)).toEqual(national);
  const { error } = OUTCOME.safeParse({ ...failed("tcp-timeout"), stage: "dns" });
  expect(error?.issues).toMatchObject([{ message: "the stage is not that of the code" }]);
});
