import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Service } from "../../../src/model/service/catalogue.ts";
import { CONNECTIVITY_STATES } from "../../../src/model/service/connectivity.ts";
import type { EndpointResult, Outcome } from "../../../src/model/probe-outcome.ts";
import { FRESH_MS, toUtcDay } from "../../../src/model/time.ts";
import {
  type HeardResult,
  type HeardVantage,
  NO_VANTAGES,
  SAME_ADDRESS,
  type Seen,
  type Vantage,
  VANTAGE_KINDS,
  type VantagesState,
} from "../../../src/model/service/vantage.ts";
import {
  viewEndpoint,
  type VantageView,
} from "../../../src/services/interference/endpoint-views.ts";
import {
  failsAtHome,
  judgeService,
  type JudgeSources,
  votesOn,
} from "../../../src/services/interference/judge-services.ts";
import { endpointOf, failed, ok, resultOf, T0, traceOf, serviceOf } from "../../model/samples.ts";

const URL_A = "https://a.ru/";
const SERVICE = { ...serviceOf("a", [endpointOf(URL_A, true)]), isAbroad: true };
const FENCED: Service = {
  ...SERVICE,
  endpoints: SERVICE.endpoints.map((one) => ({ ...one, refuses: ["abroad" as const] })),
};

const CUT: EndpointResult = {
  ...resultOf(failed("tls-reset", { address: "192.0.2.1" })),
  experiment: [{ kind: "neutral-name", answer: "answered" }],
};

const ASK = { id: "now", atMs: T0, urls: "u", failing: new Map([[URL_A, "192.0.2.1"]]) };
const CALIBRATED = new Map([[URL_A, [{ day: toUtcDay(T0), healthy: 280, failed: 0 }]]]);

const vantageOf = (id: string, changes: Partial<Vantage> = {}): Vantage => {
  const asn = 1_000 + id.charCodeAt(0);
  return { id, kind: "control", country: "DE", asn, network: id, publicKey: "", ...changes };
};

const WORKS = { code: "ok", sameAddress: "works" } as const;
const FAILS = { code: "tcp-timeout" } as const;

const heardOf = (result: HeardResult, changes: Partial<HeardVantage> = {}): HeardVantage => ({
  askId: ASK.id,
  heardAtMs: T0,
  connectivity: "fine",
  isWhiteList: null,
  results: new Map([[URL_A, result]]),
  ...changes,
});

/** Vantages with what was heard of them, all calibrated. */
function known(...heard: readonly (readonly [Vantage, HeardVantage])[]): VantagesState {
  return {
    ...NO_VANTAGES,
    vantages: heard.map(([vantage]) => vantage),
    asks: [ASK],
    heard: new Map(heard.map(([{ id }, one]) => [id, one])),
    tallies: new Map(heard.map(([{ id }]) => [id, CALIBRATED])),
  };
}

function judge(
  state: VantagesState,
  result: EndpointResult = CUT,
  changes: Partial<JudgeSources> = {},
  service: Service = SERVICE,
) {
  const [endpoint] = judgeService(service, {
    known: state,
    nowMs: T0,
    resultOf: () => result,
    claimsOf: () => [],
    connectivity: "fine",
    failingRunsOf: () => 3,
    ...changes,
  }).endpoints;
  if (endpoint === undefined) throw new Error("no endpoint");
  return endpoint;
}

const TWO = known([vantageOf("f"), heardOf(WORKS)], [vantageOf("h"), heardOf(WORKS)]);

test("two networks abroad and a cut by name make a claim", () => {
  expect(judge(TWO)).toMatchObject({ isClaimed: true, scope: "russia", row: 7 });
});

describe("is no claim:", () => {
  test.each<[string, VantagesState]>([
    ["one control", known([vantageOf("f"), heardOf(WORKS)])],
    [
      "two controls of one network",
      known(
        [vantageOf("f", { asn: 1 }), heardOf(WORKS)],
        [vantageOf("h", { asn: 1 }), heardOf(WORKS)],
      ),
    ],
    [
      "answers to an older ask",
      known([vantageOf("f"), heardOf(WORKS, { askId: "old" })], [vantageOf("h"), heardOf(WORKS)]),
    ],
    [
      "answers to an ask of before a gap in the runs",
      { ...TWO, asks: [{ ...ASK, atMs: T0 - FRESH_MS - 1 }] },
    ],
    [
      "an offline control",
      known(
        [vantageOf("f"), heardOf(WORKS, { connectivity: "offline" })],
        [vantageOf("h"), heardOf(WORKS)],
      ),
    ],
    [
      "a control behind a white list",
      known(
        [vantageOf("f"), heardOf(WORKS, { isWhiteList: true })],
        [vantageOf("h"), heardOf(WORKS)],
      ),
    ],
    [
      "regions and mobiles",
      known(
        [vantageOf("f", { kind: "region" }), heardOf(WORKS)],
        [vantageOf("h", { kind: "mobile" }), heardOf(WORKS)],
      ),
    ],
    [
      "controls that reached another address alone",
      known([vantageOf("f"), heardOf({ code: "ok" })], [vantageOf("h"), heardOf({ code: "ok" })]),
    ],
    [
      "one control of three that fails at the runner's address",
      known(
        [vantageOf("f"), heardOf(WORKS)],
        [vantageOf("h"), heardOf(WORKS)],
        [vantageOf("k"), heardOf({ code: "ok", sameAddress: "fails" })],
      ),
    ],
    ["answers from before the failure", { ...TWO, asks: [{ ...ASK, failing: new Map() }] }],
  ])("%s", (_, state) => {
    expect(judge(state).isClaimed).toBe(false);
  });

  test.each(["dns-servfail", "dns-timeout", "dns-no-answer", "dns-refused"] as const)(
    "a resolver that fails by itself: %s",
    (code) => {
      const state = { ...TWO, asks: [{ ...ASK, failing: new Map([[URL_A, null]]) }] };
      const experiment = [
        { kind: "seen-address", address: "192.0.2.1", answer: "answered" },
      ] as const;
      const dns = (one: typeof code | "dns-nxdomain") => ({ ...resultOf(failed(one)), experiment });
      expect(judge(state, dns(code)).isClaimed).toBe(false);
      expect(judge(state, dns("dns-nxdomain")).isClaimed).toBe(true);
    },
  );

  test("an expired certificate", () => {
    const result = { ...CUT, ...resultOf(failed("cert-expired")) };
    expect(judge(TWO, result).isClaimed).toBe(false);
  });
});

const DOWN = known([vantageOf("f"), heardOf(FAILS)], [vantageOf("h"), heardOf(FAILS)]);

test("what two calibrated controls do not reach is down everywhere", () => {
  expect(judge(DOWN).scope).toBe("everywhere");
});

test.each<[string, VantagesState, Service]>([
  ["a fence", DOWN, FENCED],
  ["no calibration", { ...DOWN, tallies: new Map() }, SERVICE],
  [
    "trouble of their own",
    known(
      [vantageOf("f"), heardOf(FAILS, { connectivity: "half" })],
      [vantageOf("h"), heardOf(FAILS)],
    ),
    SERVICE,
  ],
])("failures abroad say nothing with %s", (_, state, service) => {
  expect(judge(state, CUT, {}, service).scope).toBe("unknown");
});

const outcomes = fc.constantFrom<Outcome>(
  ok(),
  failed("tls-reset", { address: "192.0.2.1" }),
  failed("cert-expired"),
  failed("http-server-error", { tlsVerified: true }),
  failed("http-block-page"),
  { kind: "denied", trace: traceOf(10) },
  { kind: "skipped", reason: "deadline" },
);

const vantages = fc.uniqueArray(
  fc.record({
    id: fc.constantFrom("a", "b", "c", "d", "e"),
    kind: fc.constantFrom(...VANTAGE_KINDS),
    asn: fc.constantFrom(1, 2, 3),
    code: fc.constantFrom("ok", "tcp-timeout", "denied", "skipped"),
    sameAddress: fc.constantFrom(undefined, ...SAME_ADDRESS),
    askId: fc.constantFrom(ASK.id, "old"),
    connectivity: fc.constantFrom(...CONNECTIVITY_STATES),
    isWhiteList: fc.constantFrom(null, true, false),
    isCalibrated: fc.boolean(),
  }),
  { selector: ({ id }) => id, maxLength: 5 },
);

const states = vantages.map((all): VantagesState => {
  return {
    ...NO_VANTAGES,
    vantages: all.map(({ id, kind, asn }) => vantageOf(id, { kind, asn })),
    asks: [ASK],
    heard: new Map(
      all.map(({ id, code, sameAddress, askId, connectivity, isWhiteList }) => {
        const result = { code, ...(sameAddress === undefined ? {} : { sameAddress }) };
        const results = new Map([[URL_A, result]]);
        return [id, { askId, heardAtMs: T0, connectivity, isWhiteList, results }];
      }),
    ),
    tallies: new Map(
      all.flatMap(({ id, isCalibrated }) => (isCalibrated ? [[id, CALIBRATED] as const] : [])),
    ),
  };
});

test("whatever the vantages say, a claim needs a failure here and two networks abroad", () => {
  fc.assert(
    fc.property(states, outcomes, fc.boolean(), (state, outcome, isCut) => {
      const result = { ...CUT, outcome, attempts: [outcome], ...(isCut ? {} : { experiment: [] }) };
      const { isClaimed, scope, finding } = judge(state, result);
      const asns = new Set(
        state.vantages
          .filter(({ id, kind }) => {
            const heard = state.heard.get(id);
            return kind === "control" && heard?.results.get(URL_A)?.code === "ok";
          })
          .map(({ asn }) => asn),
      );
      if (isClaimed)
        expect({ finding, isCut, isTwo: asns.size >= 2 }).toEqual({
          finding: "failing",
          isCut: true,
          isTwo: true,
        });
      if (finding === "healthy") expect(scope).toBe("none");
      expect(judge(state, result, {}, FENCED).scope).not.toBe("everywhere");
      // Without any vantage nothing is claimed and nothing is known of other places.
      expect(judge(NO_VANTAGES, result).isClaimed).toBe(false);
    }),
    { numRuns: 3_000 },
  );
});

describe("a control that works", () => {
  /** Two controls whose answers have these further facts. */
  const twoWith = (seen: Seen, usual = new Map<string, number>()): VantagesState => {
    const heard = heardOf({ ...WORKS, seen });
    return { ...known([vantageOf("f"), heard], [vantageOf("h"), heard]), usual };
  };
  const USUAL = new Map([[URL_A, 200]]);

  test("gives the answer that the endpoint gives when it is healthy", () => {
    expect(judge(twoWith({ status: 200 }, USUAL)).isClaimed).toBe(true);
    expect(judge(twoWith({ status: 403 }, new Map([[URL_A, 403]]))).isClaimed).toBe(true);
  });

  test.each<[string, Seen]>([
    ["a refusal", { status: 403 }],
    ["a wall", { status: 200, wall: true }],
  ])("is none with %s in place of it, so nothing is claimed", (_, seen) => {
    expect(judge(twoWith(seen, USUAL))).toMatchObject({ isClaimed: false, working: 0 });
  });

  test("has read more than a filter lets pass, if the body ended early here", () => {
    const experiment = [{ kind: "large-neighbour", name: "b.ru", answer: "answered" }] as const;
    const frozen = { ...resultOf(failed("body-stall", { address: "192.0.2.1" })), experiment };
    expect(judge(twoWith({ status: 200 }, USUAL), frozen).isClaimed).toBe(false);
    expect(judge(twoWith({ status: 200, large: true }, USUAL), frozen).isClaimed).toBe(true);
  });
});

describe("an address that is many servers", () => {
  const ADDRESS = "9.9.9.9";
  const cutIn = (tcpMs: number): EndpointResult => {
    const timings = { tcpMs, totalMs: tcpMs };
    return { ...CUT, ...resultOf(failed("tls-reset", { address: ADDRESS, timings })) };
  };
  const near = (connectMs: number, more: readonly (readonly [Vantage, HeardVantage])[] = []) => {
    const heard = heardOf({ ...WORKS, seen: { connectMs } });
    return known([vantageOf("f"), heard], [vantageOf("h"), heard], ...more);
  };

  test("is told by connections that are shorter than the way between the places", () => {
    // Moscow and Germany are 1,450 km apart at least: 14.5 ms of light, there and back.
    expect(judge(near(40), cutIn(41))).toMatchObject({
      isClaimed: true,
      basis: { by: "name", networks: 1, runs: 3, isUnicast: true },
    });
    expect(judge(near(7), cutIn(8)).isClaimed).toBe(true);
    expect(judge(near(7), cutIn(7))).toMatchObject({ isClaimed: false, row: 8 });
  });

  test("is told by the quickest attempt at it: a busy machine only adds", () => {
    const slow = cutIn(90);
    const withAttempt = (tcpMs: number, address = ADDRESS): EndpointResult => {
      const timings = { tcpMs, totalMs: tcpMs };
      return { ...slow, attempts: [failed("tls-reset", { address, timings }), slow.outcome] };
    };
    expect(judge(near(7), withAttempt(7)).isClaimed).toBe(false);
    expect(judge(near(7), withAttempt(8)).isClaimed).toBe(true);
    expect(judge(near(7), withAttempt(7, "9.9.9.10")).isClaimed).toBe(true);
  });

  test("is no reason against a claim of two networks in Moscow", () => {
    const claim = judge(near(1, [[HOME, cutAt("name")]]), cutIn(1));
    expect(claim).toMatchObject({ isClaimed: true, basis: { networks: 2, isUnicast: false } });
  });
});

const HOME = vantageOf("m", { kind: "moscow", country: "RU", line: "home" });
const OTHER = vantageOf("n", { kind: "moscow", country: "RU", line: "home" });

/** A place at which the endpoint is reset, and whose experiment showed this. */
function cutAt(cutBy: "name" | "none"): HeardVantage {
  const answer = cutBy === "name" ? "answered" : "cut";
  const steps = [{ kind: "neutral-name", name: "ya.ru", answer }] as const;
  return heardOf({ code: "tls-reset", seen: { steps } });
}

describe("home lines, while the endpoint answers the runner", () => {
  const ANSWERS: EndpointResult = { ...resultOf(ok()), outvotedBy: "failing", decidedBy: "home" };

  test.each<[string, VantagesState, boolean]>([
    ["two that are cut by name", known([HOME, cutAt("name")], [OTHER, cutAt("name")]), true],
    [
      "two of one network",
      known([HOME, cutAt("name")], [{ ...OTHER, asn: HOME.asn }, cutAt("name")]),
      false,
    ],
    ["one", known([HOME, cutAt("name")]), false],
    [
      "one, and a data centre",
      known([HOME, cutAt("name")], [{ ...OTHER, line: "hosting" }, cutAt("name")]),
      false,
    ],
    [
      "two that have never proven anything",
      { ...known([HOME, cutAt("name")], [OTHER, cutAt("name")]), tallies: new Map() },
      false,
    ],
  ])("claim: %s", (_, state, isClaimed) => {
    const basis = { by: "home", networks: 2 };
    expect(judge(state, ANSWERS)).toMatchObject(
      isClaimed ? { scope: "access", isClaimed, basis } : { scope: "access", isClaimed },
    );
    expect(failsAtHome(resultOf(ok()), viewsOf(state))).toBe(isClaimed);
  });

  test("that answer programs and no browser decide, and claim nothing", () => {
    const shut = heardOf({ code: "ok", seen: { status: 200, browser: "tls" } });
    const state = known([HOME, shut], [OTHER, shut]);
    expect(failsAtHome(resultOf(ok()), viewsOf(state))).toBe(true);
    expect(judge(state, ANSWERS)).toMatchObject({ scope: "access", isClaimed: false, row: 16 });
    expect(failsAtHome(resultOf(ok()), viewsOf({ ...state, tallies: new Map() }))).toBe(false);
    expect(failsAtHome(resultOf(ok()), viewsOf(known([HOME, shut])))).toBe(false);
  });

  test("that cut programs and no browser claim nothing", () => {
    const steps = [{ kind: "neutral-name", name: "ya.ru", answer: "answered" }] as const;
    const open = heardOf({ code: "tls-reset", seen: { steps, browser: "opens" } });
    const state = known([HOME, open], [OTHER, open]);
    expect(failsAtHome(resultOf(ok()), viewsOf(state))).toBe(false);
    expect(judge(state, ANSWERS)).toMatchObject({ isClaimed: false });
  });

  test("decide as voters if nothing shows why", () => {
    const state = known([HOME, cutAt("none")], [OTHER, cutAt("none")]);
    expect(failsAtHome(resultOf(ok()), viewsOf(state))).toBe(true);
    expect(judge(state, ANSWERS)).toMatchObject({ scope: "access", isClaimed: false, row: 16 });
    const { tallies: _, ...rest } = state;
    expect(failsAtHome(resultOf(ok()), viewsOf({ ...rest, tallies: new Map() }))).toBe(false);
  });

  test("never claim of a domestic service", () => {
    const state = known([HOME, cutAt("name")], [OTHER, cutAt("name")]);
    expect(judge(state, ANSWERS, {}, { ...SERVICE, isAbroad: false }).isClaimed).toBe(false);
  });
});

function viewsOf(state: VantagesState): readonly VantageView[] {
  return viewEndpoint({ url: URL_A }, { known: state, nowMs: T0 });
}

test("a place that has never proven anything has no vote, whatever it says", () => {
  const places = (result: HeardResult) => known([HOME, heardOf(result)], [OTHER, heardOf(result)]);
  expect(votesOn(CUT, viewsOf(places({ code: "ok" })))).toBe("outvoted");
  for (const result of [{ code: "ok" }, FAILS] as const) {
    const views = viewsOf({ ...places(result), tallies: new Map() });
    expect([votesOn(CUT, views), votesOn(resultOf(ok()), views)]).toEqual(["agreed", "agreed"]);
  }
});

test("a fence does not silence a place in Moscow", () => {
  const voters = known(
    [vantageOf("m", { kind: "moscow", country: "RU" }), heardOf(FAILS)],
    [vantageOf("n", { kind: "moscow", country: "RU" }), heardOf(FAILS)],
  );
  expect(judge(voters, resultOf(ok()), {}, FENCED).votes).toBe("outvoted");
  expect(judge(voters, CUT, {}, FENCED).votes).toBe("agreed");
});
