import { describe, expect, test } from "vitest";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import type {
  HeardResult,
  HeardVantage,
  Vantage,
  VantagesState,
} from "../../../src/model/service/vantage.ts";
import type { ServiceScope } from "../../../src/model/service/interference.ts";
import { viewScope } from "../../../src/pipeline/pages/scope-view.ts";
import {
  endpointOf,
  endpointScopeOf,
  PLACE,
  serviceHistoryOf,
  serviceOf,
  T0,
} from "../../model/samples.ts";

const A = "https://a.example/";
const B = "https://b.example/";
const DAY = Math.floor(T0 / 86_400_000);
const WORKING_WEEK = [{ day: DAY, healthy: 250, failed: 0 }];
const TOLD = { country: "NL", asn: 64_500, network: "Example" };

/** One place that answered the present ask so. */
function knownOf(
  results: Readonly<Record<string, HeardResult>>,
  changes: Partial<HeardVantage> = {},
  vantage: Vantage = PLACE,
): VantagesState {
  const heard: HeardVantage = {
    askId: "now",
    heardAtMs: T0 - 5,
    connectivity: "fine",
    isWhiteList: null,
    results: new Map(Object.entries(results)),
    ...changes,
  };
  return {
    ...EMPTY_STATE.vantages,
    vantages: [vantage],
    asks: [{ id: "now", atMs: T0, urls: "", failing: new Map([[A, null]]) }],
    heard: new Map([[vantage.id, heard]]),
    tallies: new Map([[vantage.id, new Map([[A, WORKING_WEEK]])]]),
  };
}

const CRITICAL = serviceOf("a", [endpointOf(B, false), endpointOf(A, true)]);
const DOWN = serviceHistoryOf({ checkClass: "failing" });

const placeOf = (known: VantagesState, service = CRITICAL) =>
  viewScope(service, undefined, DOWN, known, T0).places;

describe("a place", () => {
  test.each<[string, VantagesState, string]>([
    ["opens the service", knownOf({ [A]: { code: "ok" } }), "opens"],
    ["does not open it", knownOf({ [A]: { code: "tls-reset" } }), "fails"],
    ["is refused", knownOf({ [A]: { code: "denied" } }), "denied"],
    [
      "opens it with no browser",
      knownOf({ [A]: { code: "ok", seen: { browser: "tls" } } }),
      "no-browsers",
    ],
    ["did not ask", knownOf({ [A]: { code: "skipped" } }), "unknown"],
    ["knows only what is not critical", knownOf({ [B]: { code: "tls-reset" } }), "unknown"],
    [
      "lets only listed sites through",
      knownOf({ [A]: { code: "ok" } }, { isWhiteList: true }),
      "white-list",
    ],
    ["answered an older ask", knownOf({ [A]: { code: "ok" } }, { askId: "before" }), "silent"],
  ])("that %s", (_, known, status) => {
    expect(placeOf(known)).toMatchObject([{ ...TOLD, kind: "control", status }]);
  });

  test("names the code of the first failure, and whether it means anything", () => {
    expect(placeOf(knownOf({ [A]: { code: "tls-reset" } }))).toEqual([
      {
        ...TOLD,
        kind: "control",
        status: "fails",
        code: "tls-reset",
        isCalibrated: true,
        heardAtMs: null,
      },
    ]);
    const known = knownOf({ [A]: { code: "ok" } });
    const [uncalibrated] = placeOf({ ...known, tallies: new Map() });
    expect(uncalibrated).toMatchObject({ isCalibrated: false });
    expect(uncalibrated).not.toHaveProperty("code");
  });

  test("that is silent has the time when it was heard last, and no calibration", () => {
    expect(placeOf(knownOf({}, { askId: "before" }))).toMatchObject([
      { isCalibrated: false, heardAtMs: T0 - 5 },
    ]);
  });

  test("says nothing of what another place found", () => {
    const other = { ...PLACE, id: "fra", network: "Other" };
    const one = knownOf({ [A]: { code: "tls-reset" } });
    const known = { ...one, vantages: [PLACE, other] };
    expect(placeOf(known).map(({ network, status }) => [network, status])).toEqual([
      ["Example", "fails"],
      ["Other", "silent"],
    ]);
  });
});

describe("the scope of a service", () => {
  const BASIS = { by: "name", networks: 2 } as never;
  const SCOPE = {
    scope: "russia",
    endpoints: [endpointScopeOf(A), endpointScopeOf(B, { isClaimed: true, basis: BASIS })],
  } as ServiceScope;
  const CLAIMS = [{ url: A, sinceMs: T0 }];
  const viewOf = (...[scope, record]: [ServiceScope | undefined, typeof DOWN | undefined]) =>
    viewScope(CRITICAL, scope, record, EMPTY_STATE.vantages, T0);

  test("is told while it is down, with what a claim rests on", () => {
    expect(viewOf(SCOPE, { ...DOWN, claims: CLAIMS })).toEqual({
      scope: "russia",
      isClaimed: true,
      basis: BASIS,
      places: [],
    });
    expect(viewOf(SCOPE, DOWN)).toMatchObject({ isClaimed: false });
    expect(viewOf(undefined, DOWN)).toEqual({ scope: "unknown", isClaimed: false, places: [] });
  });

  test("is absent while it is up, or was never checked", () => {
    const up = { ...serviceHistoryOf(), claims: CLAIMS };
    for (const record of [up, undefined])
      expect(viewOf(SCOPE, record)).toEqual({ scope: "none", isClaimed: false, places: [] });
  });
});
