import type { UnusualOperators } from "../../src/model/service/reports.ts";
import { describe, expect, test } from "vitest";
import { FINE, type ConnectivityState } from "../../src/model/service/connectivity.ts";
import { MINUTE_MS, toUtcDay } from "../../src/model/time.ts";
import { NO_REPORTS } from "../../src/model/service/reports.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import type {
  HeardResult,
  Vantage,
  VantageKind,
  VantagesState,
} from "../../src/model/service/vantage.ts";
import type { CodeAndColor } from "../../src/contract/codes/verdict.ts";
import { keepAccuracy } from "../../src/pipeline/publish/keep-accuracy.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  ok,
  resultOf,
  runMark,
  serviceHistoryOf,
  serviceOf,
  T0,
} from "../model/samples.ts";

const URL = "https://bank.example.ru/";
const CATALOGUE = catalogueOf([serviceOf("bank", [endpointOf(URL, true)])], []);

/** One place and its last answer. By default a calibrated control that was asked in this run, and works. */
interface Place {
  readonly kind?: VantageKind;
  readonly result?: HeardResult;
  /** The endpoint failed in Moscow when it was asked. */
  readonly isAboutFailure?: boolean;
  readonly slots?: number;
  readonly heardAtMs?: number;
  readonly connectivity?: ConnectivityState;
}

function vantagesOf(places: readonly Place[]): VantagesState {
  const vantages = places.map(({ kind = "control" }, at): Vantage => {
    return { id: `v${at}`, kind, country: "DE", asn: at + 1, network: "", publicKey: "" };
  });
  const byId = <T>(valueOf: (place: Place, at: number) => T) =>
    new Map(places.map((place, at) => [`v${at}`, valueOf(place, at)] as const));
  return {
    vantages,
    asks: [
      { id: "calm", atMs: T0 - 1, urls: "", failing: new Map() },
      { id: "failure", atMs: T0, urls: "", failing: new Map([[URL, null]]) },
    ],
    heard: byId(({ isAboutFailure = true, result = { code: "ok" }, ...place }) => ({
      askId: isAboutFailure ? "failure" : "calm",
      heardAtMs: place.heardAtMs ?? T0,
      connectivity: place.connectivity ?? "fine",
      isWhiteList: null,
      results: new Map([[URL, result]]),
    })),
    tallies: byId(
      ({ slots = 288 }) => new Map([[URL, [{ day: toUtcDay(T0), healthy: slots, failed: 0 }]]]),
    ),
    cited: new Map(),
    usual: new Map(),
  };
}

/** The state after a run at T0 that found the bank so. */
function stateOf(
  isFailing: boolean,
  places: readonly Place[],
  connectivity: ConnectivityState = "fine",
): State {
  const result = resultOf(isFailing ? failed("tcp-timeout") : ok());
  const checkClass = isFailing ? "failing" : "up";
  return {
    ...EMPTY_STATE,
    history: {
      ...EMPTY_STATE.history,
      updatedAtMs: T0,
      runs: [runMark({ atMs: T0 })],
      services: new Map([["bank", serviceHistoryOf({ checkClass, checkedAtMs: T0 })]]),
    },
    evidence: new Map([["bank", { runAtMs: T0, endpoints: [{ url: URL, result }] }]]),
    lastRun: {
      startedAtMs: T0,
      durationMs: 0,
      validity: "valid",
      connectivity: { ...FINE, state: connectivity },
      isCongested: false,
      eventLoopLagMs: 0,
      anchors: [],
    },
    vantages: vantagesOf(places),
  };
}

function keep(after: State, isFailing: boolean) {
  const before: State = {
    ...EMPTY_STATE,
    verdicts: { ...EMPTY_STATE.verdicts, codes: new Map([["bank", "ok"]]) },
  };
  const pair: CodeAndColor = isFailing
    ? { code: "fail", color: "bad" }
    : { code: "ok", color: "ok" };
  const verdict = { ...pair, live: isFailing, sinceMs: T0 };
  const bank = { slug: "bank", name: "bank", verdict, reports: NO_REPORTS };
  const snapshot = { updatedAtMs: T0, services: [bank] };
  const { services } = CATALOGUE;
  const scopeOf = () => "russia" as const;
  const operatorsOf = () => UNUSUAL;
  const nowMs = T0 + MINUTE_MS;
  return keepAccuracy({ before, after, snapshot, services, scopeOf, operatorsOf, nowMs });
}

const UNUSUAL: UnusualOperators = {
  shares: [{ operator: "mts", percent: 70, usual: 18 }],
  isAlone: false,
};

const FAILS: HeardResult = { code: "tcp-timeout" };

describe("Moscow and abroad are compared in each run", () => {
  test.each<readonly [string, boolean, readonly Place[], readonly [number, number, number]]>([
    ["fails here, works there", true, [{}], [1, 1, 0]],
    ["fails here and there", true, [{ result: FAILS }], [1, 0, 0]],
    ["fails here, and there for some", true, [{}, { result: FAILS }], [1, 0, 0]],
    ["works here and there", false, [{ isAboutFailure: false }], [1, 0, 0]],
    ["works here, fails there", false, [{ isAboutFailure: false, result: FAILS }], [1, 0, 1]],
    [
      "works here, fails there for some",
      false,
      [{ isAboutFailure: false, result: FAILS }, { isAboutFailure: false }],
      [1, 0, 0],
    ],
    ["works here again, there was asked while it failed", false, [{ result: FAILS }], [0, 0, 0]],
    ["fails here, there was asked before", true, [{ isAboutFailure: false }], [0, 0, 0]],
    ["nobody is there", true, [], [0, 0, 0]],
    ["the owner refuses that country", true, [{ result: { code: "denied" } }], [0, 0, 0]],
    ["it never works there", true, [{ slots: 100 }], [0, 0, 0]],
    ["that place is in trouble itself", true, [{ connectivity: "lossy" }], [0, 0, 0]],
    ["that place has been silent", true, [{ heardAtMs: T0 - 16 * MINUTE_MS }], [0, 0, 0]],
    ["a region is no control", true, [{ kind: "region" }], [0, 0, 0]],
  ])("%s", (_, isFailing, places, [compared, onlyMoscow, onlyAbroad]) => {
    const { today } = keep(stateOf(isFailing, places), isFailing);
    expect(today).toMatchObject({ compared, onlyMoscow, onlyAbroad });
  });

  test("not by a runner whose own connection is in trouble", () => {
    const { today } = keep(stateOf(true, [{}], "abroad-cut"), true);
    expect(today).toMatchObject({ compared: 0 });
  });

  test("not in a publish without a check", () => {
    const after = stateOf(true, [{}]);
    const services = new Map([["bank", serviceHistoryOf({ checkedAtMs: T0 - MINUTE_MS })]]);
    const stale = { ...after, history: { ...after.history, services } };
    expect(keep(stale, true).today).toMatchObject({ compared: 0 });
  });
});

test.each<readonly [string, readonly Place[], boolean, boolean]>([
  ["a control that sees it", [{ result: FAILS }], true, true],
  ["a region that sees it", [{ kind: "region", result: FAILS }], true, true],
  ["a place for which it works", [{}], true, false],
  ["a place at which a failure means nothing", [{ result: FAILS, slots: 100 }], false, false],
  ["nobody", [], false, false],
])(
  "a failing verdict has as its witness: %s",
  (_, places, isLookedAtElsewhere, isSeenElsewhere) => {
    const { outages } = keep(stateOf(true, places), true);
    expect(outages).toMatchObject([{ slug: "bank", isLookedAtElsewhere, isSeenElsewhere }]);
  },
);
