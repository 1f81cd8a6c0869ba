import { describe, expect, test } from "vitest";
import type { Anchor } from "../../../src/model/service/catalogue.ts";
import { FINE } from "../../../src/model/service/connectivity.ts";
import { EMPTY_HISTORY } from "../../../src/model/service/history.ts";
import type { EndpointResult, Outcome } from "../../../src/model/probe-outcome.ts";
import {
  anchorAnswers,
  type Measurement,
  networksOf,
  resultsByUrl,
  resultsOf,
  runEvidence,
} from "../../../src/pipeline/run/measurement.ts";
import { endpointOf, failed, ok, resultOf, serviceOf, T0 } from "../../model/samples.ts";

const A = "https://a.example/";
const B = "https://b.example/";
const ANCHORS: readonly Anchor[] = ["d1", "f1"].map((network) => ({
  url: `https://${network}.example/`,
  scope: network === "d1" ? "domestic" : "foreign",
  network,
}));
const SKIPPED: Outcome = { kind: "skipped", reason: "deadline" };

function measurementOf(changes: Partial<Measurement> = {}): Measurement {
  return {
    services: [serviceOf("a", [endpointOf(A, true)])],
    measured: new Map(),
    rounds: [],
    connectivity: FINE,
    lagMs: 0,
    ...changes,
  };
}

/** A result whose attempts went to these addresses; null: it was not made, undefined: it had none. */
function triedAt(...addresses: readonly (string | null | undefined)[]): EndpointResult {
  const attempts = addresses.map((address) =>
    address === null ? SKIPPED : failed("tcp-timeout", address === undefined ? {} : { address }),
  );
  return { outcome: attempts.at(-1) ?? SKIPPED, isFlaky: false, attempts };
}

test("an endpoint is in the network of the first address that the run tried", () => {
  const measured = new Map([
    [A, triedAt(undefined, null, "192.0.2.1", "192.0.2.2")],
    [B, triedAt(undefined, null)],
  ]);
  const networks = networksOf(measurementOf({ measured }), (address) => `network of ${address}`);
  expect([...networks]).toEqual([[A, "network of 192.0.2.1"]]);
});

test("of all results those of the endpoints are taken, in the order of the endpoints", () => {
  const [one, other] = [resultOf(ok()), resultOf(failed("tcp-timeout"))];
  const measured = new Map([
    [A, one],
    [B, other],
  ]);
  const asked = [{ url: B }, { url: "https://never.example/" }, { url: A }];
  expect(resultsOf(asked, measured)).toEqual([
    { url: B, result: other },
    { url: A, result: one },
  ]);
  expect([...resultsByUrl(measurementOf({ measured }))]).toEqual([[A, one]]);
});

describe("what a run says of itself", () => {
  const ROUNDS = [
    { phase: "start", anchors: ANCHORS.map((anchor) => ({ anchor, tries: [ok(100), ok(90)] })) },
    { phase: "end", anchors: ANCHORS.map((anchor) => ({ anchor, tries: [SKIPPED] })) },
  ] as const;

  test("is its time, its connectivity, and each anchor with its tries in all rounds", () => {
    const measurement = measurementOf({ rounds: ROUNDS, lagMs: 12.6 });
    expect(runEvidence(measurement, EMPTY_HISTORY, T0, 7_000)).toEqual({
      startedAtMs: T0,
      durationMs: 7_000,
      validity: "valid",
      connectivity: FINE,
      isCongested: false,
      eventLoopLagMs: 13,
      anchors: ANCHORS.map((anchor) => ({
        ...anchor,
        rounds: [
          { phase: "start", tries: [ok(100), ok(90)] },
          { phase: "end", tries: [SKIPPED] },
        ],
      })),
    });
  });

  test("is that it was offline, or that its own event loop lagged by 100 ms", () => {
    const offline = measurementOf({ connectivity: { ...FINE, state: "offline" } });
    expect(runEvidence(offline, EMPTY_HISTORY, T0, 0)).toMatchObject({
      validity: "offline",
      anchors: [],
    });
    for (const [lagMs, isCongested] of [
      [99, false],
      [100, true],
    ] as const)
      expect(runEvidence(measurementOf({ lagMs }), EMPTY_HISTORY, T0, 0)).toMatchObject({
        isCongested,
        eventLoopLagMs: lagMs,
      });
  });

  test("compares response times with the first answers of the first round", () => {
    expect([...anchorAnswers(measurementOf({ rounds: ROUNDS }))]).toEqual(
      ANCHORS.map(({ url }) => [url, ok(100)]),
    );
    expect([...anchorAnswers(measurementOf())]).toEqual([]);
  });
});
