import { describe, expect, test } from "vitest";
import { FINE } from "../../../src/model/service/connectivity.ts";
import type { RunEvidence } from "../../../src/model/service/evidence.ts";
import {
  EMPTY_HISTORY,
  type ServiceHistory,
  type History,
} from "../../../src/model/service/history.ts";
import type { EndpointScope, ServiceScope } from "../../../src/model/service/interference.ts";
import type { EndpointResult } from "../../../src/model/probe-outcome.ts";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import {
  type HeardResult,
  NO_VANTAGES,
  type Vantage,
  type VantagesState,
} from "../../../src/model/service/vantage.ts";
import { toUtcDay } from "../../../src/model/time.ts";
import {
  applyClaims,
  applyVotes,
  freshResults,
  resultsIn,
} from "../../../src/pipeline/publish/judge-scopes.ts";
import {
  catalogueOf,
  endpointOf,
  endpointScopeOf,
  failed,
  minutes,
  ok,
  resultOf,
  serviceHistoryOf,
  serviceOf,
  T0,
} from "../../model/samples.ts";

const A = "https://a.example/";
const SIDE = "https://side.example/";
const CATALOGUE = catalogueOf([serviceOf("a", [endpointOf(A, true), endpointOf(SIDE, false)])]);

const RUN: RunEvidence = {
  startedAtMs: T0,
  durationMs: 0,
  validity: "valid",
  connectivity: FINE,
  isCongested: false,
  eventLoopLagMs: 0,
  anchors: [],
};

describe("results count", () => {
  const evidence: State["evidence"] = new Map([
    ["a", { runAtMs: T0, endpoints: [{ url: A, result: resultOf(ok()) }] }],
    ["b", { runAtMs: T0 - 1, endpoints: [{ url: SIDE, result: resultOf(ok()) }] }],
  ]);

  test("for a quarter of an hour", () => {
    const urlsAt = (ageMs: number) => [
      ...freshResults({ evidence, lastRun: RUN }, T0 + ageMs).keys(),
    ];
    expect(urlsAt(minutes(15) - 1)).toEqual([A, SIDE]);
    expect(urlsAt(minutes(15))).toEqual([A]);
    expect(urlsAt(minutes(15) + 1)).toEqual([]);
  });

  test("unless the last run was offline", () => {
    const offline = { ...RUN, validity: "offline" } as const;
    expect([...freshResults({ evidence, lastRun: offline }, T0)]).toEqual([]);
    expect(freshResults({ evidence, lastRun: null }, T0).size).toBe(2);
  });

  test("by the URL of their endpoint", () => {
    expect([...resultsIn(evidence.values()).keys()]).toEqual([A, SIDE]);
  });
});

describe("what counts of a result without places", () => {
  const shut = { isOpen: false, stage: "tls", atMs: T0 } as const;
  const open = { isOpen: true, atMs: T0 } as const;

  test.each<[string, EndpointResult, Partial<EndpointResult>]>([
    ["an answer", resultOf(ok()), {}],
    [
      "an answer that browsers do not get",
      { ...resultOf(ok()), browser: shut },
      { outvotedBy: "failing", decidedBy: "browser" },
    ],
    [
      "a failure that browsers do not have",
      { ...resultOf(failed("tls-reset")), browser: open },
      { outvotedBy: "healthy", decidedBy: "browser" },
    ],
    ["a failure", resultOf(failed("tls-reset")), {}],
  ])("%s", (_, result, added) => {
    for (const url of [A, "https://not-in-the-catalogue.example/"]) {
      const results = new Map([[url, result]]);
      const after = applyVotes(results, EMPTY_STATE, CATALOGUE, "hosting", T0);
      expect([...after]).toEqual([[url, { ...result, ...added }]]);
    }
  });

  test("silence towards a data centre may be a refusal of its owner", () => {
    const refusing = { ...endpointOf(A, true), refuses: ["hosting" as const] };
    const catalogue = catalogueOf([serviceOf("a", [refusing])]);
    const results = new Map([[A, resultOf(failed("tcp-timeout"))]]);
    const after = (line: "hosting" | "home") =>
      applyVotes(results, EMPTY_STATE, catalogue, line, T0).get(A);
    expect(after("hosting")).toMatchObject({ mayBeRefused: true });
    expect(after("home")).not.toHaveProperty("mayBeRefused");
  });
});

describe("what counts of a result with two places in Moscow", () => {
  /** Two proven places in networks of their own that say the same. */
  function twoThat(line: "hosting" | "home", result: HeardResult): VantagesState {
    const vantages = [1, 2].map((asn): Vantage => {
      const [id, network] = [`m${asn}`, `n${asn}`];
      return { id, kind: "moscow", country: "RU", line, asn, network, publicKey: "" };
    });
    const [connectivity, isWhiteList] = ["fine" as const, null];
    const results = new Map([[A, result]]);
    const heard = { askId: "now", heardAtMs: T0, connectivity, isWhiteList, results };
    const days = new Map([[A, [{ day: toUtcDay(T0), healthy: 280, failed: 0 }]]]);
    return {
      ...NO_VANTAGES,
      vantages,
      asks: [{ id: "now", atMs: T0, urls: "u", failing: new Map([[A, "192.0.2.1"]]) }],
      heard: new Map(vantages.map(({ id }) => [id, heard])),
      tallies: new Map(vantages.map(({ id }) => [id, days])),
    };
  }

  const cut = resultOf(failed("tls-reset", { address: "192.0.2.1" }));
  test.each<[string, EndpointResult, VantagesState, Partial<EndpointResult>]>([
    [
      "an answer that lines at home do not get",
      resultOf(ok()),
      twoThat("home", { code: "tcp-timeout" }),
      { outvotedBy: "failing", decidedBy: "home" },
    ],
    [
      "an answer that data centres do not get",
      resultOf(ok()),
      twoThat("hosting", { code: "tcp-timeout" }),
      { outvotedBy: "failing" },
    ],
    [
      "a failure that they do not have",
      cut,
      twoThat("hosting", { code: "ok", sameAddress: "works" }),
      { outvotedBy: "healthy" },
    ],
    ["a failure that they have", cut, twoThat("hosting", { code: "tcp-timeout" }), {}],
  ])("%s", (_, result, vantages, added) => {
    const state = { ...EMPTY_STATE, vantages };
    const after = applyVotes(new Map([[A, result]]), state, CATALOGUE, "hosting", T0);
    expect(after.get(A)).toEqual({ ...result, ...added });
  });
});

describe("a claim of blocking", () => {
  const EARLIER = { url: A, sinceMs: T0 - minutes(60) };

  function claimsAfter(
    ends: readonly Partial<EndpointScope>[],
    { checkClass = "failing", claims = [] }: Partial<ServiceHistory> = {},
  ) {
    const history: History = {
      ...EMPTY_HISTORY,
      services: new Map([["a", serviceHistoryOf({ checkClass, claims })]]),
    };
    const scope: ServiceScope = {
      scope: "russia",
      endpoints: ends.map((one) => endpointScopeOf(A, one)),
    };
    const after = applyClaims(history, CATALOGUE, new Map([["a", scope]]), T0);
    return after.services.get("a")?.claims;
  }

  test("begins when an experiment makes it, and keeps its beginning", () => {
    expect(claimsAfter([{ isClaimed: true }])).toEqual([{ url: A, sinceMs: T0 }]);
    expect(claimsAfter([{ isClaimed: true }], { claims: [EARLIER] })).toEqual([EARLIER]);
  });

  test("ends with the experiments, but stays while nothing is known", () => {
    expect(claimsAfter([{ isClaimed: false }], { claims: [EARLIER] })).toEqual([]);
    expect(claimsAfter([{ finding: "unknown" }], { claims: [EARLIER] })).toEqual([EARLIER]);
    expect(claimsAfter([{ finding: "unknown", isClaimed: true }])).toEqual([]);
  });

  test("is of critical endpoints of services that are down", () => {
    expect(claimsAfter([{ url: SIDE, isClaimed: true }])).toEqual([]);
    expect(claimsAfter([{ isClaimed: true }], { checkClass: "up", claims: [EARLIER] })).toEqual([]);
  });

  test("is not made of a service without a history", () => {
    const scopes = new Map<string, ServiceScope>();
    expect(applyClaims(EMPTY_HISTORY, CATALOGUE, scopes, T0)).toEqual(EMPTY_HISTORY);
  });
});
