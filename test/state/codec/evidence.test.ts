import { describe, expect, test } from "vitest";
import { migrateRunEvidence, type RunEvidenceV5 } from "../../../src/state/codec/migrate-v5.ts";
import { RUN_EVIDENCE_V6 } from "../../../src/state/codec/schema-v6.ts";
import { OUTCOME } from "../../../src/state/codec/schema.ts";
import type { RunEvidence } from "../../../src/model/service/evidence.ts";
import { failed, ok, traceOf } from "../../model/samples.ts";

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

const OLD: RunEvidenceV5 = {
  startedAtMs: 1,
  durationMs: 2,
  validity: "valid",
  isForeignPathDown: true,
  isCongested: false,
  eventLoopLagMs: 3,
  anchors: [
    { url: "https://a.ru/", scope: "domestic", before: ok(), after: ok() },
    { url: "https://b.org/", scope: "foreign", before: failed("tcp-timeout") },
  ],
};

describe("evidence of the last run", () => {
  test("survives JSON unchanged", () => {
    expect(RUN_EVIDENCE_V6.parse(JSON.parse(JSON.stringify(EVIDENCE)))).toEqual(EVIDENCE);
  });

  test.each([
    ["an unknown state", { connectivity: { ...EVIDENCE.connectivity, state: "sunny" } }],
    ["a share above one", { connectivity: { ...EVIDENCE.connectivity, lostRatio: 1.5 } }],
    ["an unknown field", { isForeignPathDown: true }],
  ])("is refused with %s", (_, changes) => {
    expect(RUN_EVIDENCE_V6.safeParse({ ...EVIDENCE, ...changes }).success).toBe(false);
  });

  test("of version 5 keeps its state and its tries, and fits version 6", () => {
    const evidence = migrateRunEvidence(OLD);
    expect(evidence.connectivity).toEqual({
      state: "abroad-cut",
      unreachable: ["https://b.org/"],
      lostRatio: 1 / 3,
      failingZones: [],
    });
    expect(evidence.anchors.map(({ rounds }) => rounds.map(({ phase }) => phase))).toEqual([
      ["start", "end"],
      ["start"],
    ]);
    expect(RUN_EVIDENCE_V6.parse(evidence)).toEqual(evidence);
    expect(migrateRunEvidence({ ...OLD, validity: "offline" }).connectivity.state).toBe("offline");
    expect(migrateRunEvidence({ ...OLD, isForeignPathDown: false }).connectivity.state).toBe(
      "fine",
    );
  });
});

test("an outcome whose stage is not that of its code is refused, and an issuer is kept", () => {
  const national = { kind: "ok", trace: traceOf(5, { isNationalIssuer: true }) };
  expect(OUTCOME.parse(national)).toEqual(national);
  expect(OUTCOME.safeParse({ ...failed("tcp-timeout"), stage: "dns" }).success).toBe(false);
});
