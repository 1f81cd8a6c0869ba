import { describe, expect, test } from "vitest";
import type { AnchorPhase } from "../../src/model/service/evidence.ts";
import { FAILURE_CODES, type FailureCode } from "../../src/model/failures.ts";
import type { EndpointResult, Outcome } from "../../src/model/probe-outcome.ts";
import type { AnchorRound, AnchorTries } from "../../src/probe/anchors.ts";
import { assessConnectivity, type Surroundings } from "../../src/probe/assess-connectivity.ts";
import { failed, ok, resultOf } from "../model/samples.ts";

const QUIET: Surroundings = { lagMs: 0, results: [] };
const skipped: Outcome = { kind: "skipped", reason: "aborted" };

/** As in the shipped catalogue: ten domestic networks (seven names in `.ru`, two in other zones, an address), six foreign. */
const RU = Array.from({ length: 7 }, (_, at) => `https://d${at}.ru/`);
const DOMESTIC = [...RU, "https://d7.com/", "https://d8.net/", "https://77.88.8.8/"];
const FOREIGN = [
  ...Array.from({ length: 5 }, (_, at) => `https://f${at}.org/`),
  "https://1.1.1.1/",
];
const ALL = [...DOMESTIC, ...FOREIGN];

/** The outcome of each attempt, by anchor; the other anchors answer. */
type Faults = Readonly<Record<string, readonly (FailureCode | "ok" | "skipped")[]>>;

function triesOf(words: Faults[string] = ["ok", "ok"]): readonly Outcome[] {
  return words.map((word) => (word === "ok" ? ok() : word === "skipped" ? skipped : failed(word)));
}

function round(faults: Faults, phase: AnchorPhase = "start"): AnchorRound {
  const anchors = ALL.map((url): AnchorTries => {
    const scope = DOMESTIC.includes(url) ? "domestic" : "foreign";
    return { anchor: { url, scope, network: url }, tries: triesOf(faults[url]) };
  });
  return { phase, anchors };
}

/** Makes all of these anchors unreachable. */
function gone(urls: readonly string[], code: FailureCode = "tcp-timeout"): Faults {
  return Object.fromEntries(urls.map((url) => [url, [code, code]]));
}

const assess = (faults: Faults, surroundings = QUIET) =>
  assessConnectivity([round(faults)], surroundings);

describe("the connectivity", () => {
  test.each<readonly [string, Faults, string]>([
    ["everything answers", {}, "fine"],
    ["one domestic network is gone", gone(DOMESTIC.slice(0, 1)), "fine"],
    ["two of ten domestic networks are gone", gone(DOMESTIC.slice(0, 2)), "half"],
    ["five of ten domestic networks are gone", gone(DOMESTIC.slice(0, 5)), "half"],
    ["all domestic networks are gone, the foreign ones answer", gone(DOMESTIC), "half"],
    ["two of six foreign networks are gone", gone(FOREIGN.slice(0, 2)), "fine"],
    ["three of six foreign networks are gone", gone(FOREIGN.slice(0, 3)), "abroad-cut"],
    ["all foreign networks are gone", gone(FOREIGN), "abroad-cut"],
    [
      "all foreign networks and one domestic network are gone",
      gone([...FOREIGN, ...RU.slice(0, 1)]),
      "abroad-cut",
    ],
    [
      "all foreign networks and two domestic networks are gone",
      gone([...FOREIGN, ...RU.slice(0, 2)]),
      "half",
    ],
    ["eleven of sixteen networks are gone", gone([...FOREIGN, ...DOMESTIC.slice(0, 5)]), "half"],
    ["twelve of sixteen networks are gone", gone([...FOREIGN, ...DOMESTIC.slice(0, 6)]), "offline"],
    ["all networks are gone", gone(ALL), "offline"],
    ["a captive portal answers for every anchor", gone(ALL, "cert-unknown-issuer"), "offline"],
  ])("if %s", (_, faults, state) => {
    expect(assess(faults).state).toBe(state);
  });

  test("is that of the worst round and lists the unreachable anchors of all rounds", () => {
    const rounds = [
      round(gone(FOREIGN.slice(0, 1))),
      round(gone(DOMESTIC.slice(0, 3)), "middle"),
      round(gone(DOMESTIC.slice(0, 1)), "end"),
    ];
    expect(assessConnectivity(rounds, QUIET)).toMatchObject({
      state: "half",
      unreachable: [...FOREIGN.slice(0, 1), ...DOMESTIC.slice(0, 3)],
    });
  });

  test("is lossy if networks were gone at different times", () => {
    const rounds = [round(gone(RU.slice(0, 1))), round(gone(RU.slice(1, 2)), "end")];
    expect(assessConnectivity(rounds, QUIET).state).toBe("lossy");
  });

  test("takes an anchor for reachable if one of its two attempts was answered", () => {
    const faults: Faults = {
      "https://d0.ru/": ["tcp-timeout", "ok"],
      "https://d1.ru/": ["ok", "tcp-timeout"],
    };
    expect(assess(faults)).toMatchObject({ state: "fine", unreachable: [] });
  });

  test("ignores anchors that were skipped", () => {
    const faults: Faults = Object.fromEntries(ALL.map((url) => [url, ["skipped", "skipped"]]));
    expect(assess(faults)).toEqual({
      state: "fine",
      unreachable: [],
      lostRatio: 0,
      failingZones: [],
    });
  });

  test("is fine without any round or anchor", () => {
    expect(assessConnectivity([], QUIET).state).toBe("fine");
    expect(assessConnectivity([{ phase: "start", anchors: [] }], QUIET).state).toBe("fine");
  });
});

describe("networks", () => {
  const anchors = (network: (url: string) => string, urls: readonly string[], dead: number) =>
    urls.map((url, index): AnchorTries => {
      const scope = DOMESTIC.includes(url) ? "domestic" : "foreign";
      const tries = triesOf(index < dead ? ["tcp-reset", "tcp-reset"] : undefined);
      return { anchor: { url, scope, network: network(url) }, tries };
    });

  test("count once with several anchors", () => {
    const one = anchors(() => "AS1", RU, 6);
    expect(assessConnectivity([{ phase: "start", anchors: one }], QUIET).state).toBe("fine");
    const several = anchors((url) => url, RU, 2);
    expect(assessConnectivity([{ phase: "start", anchors: several }], QUIET).state).toBe("half");
  });

  test("in a cut abroad do not mean offline, even if few are domestic", () => {
    const two = [...RU.slice(0, 2), ...FOREIGN];
    const cut = [...anchors((url) => url, RU.slice(0, 2), 0), ...anchors((url) => url, FOREIGN, 6)];
    expect(cut).toHaveLength(two.length);
    expect(assessConnectivity([{ phase: "start", anchors: cut }], QUIET).state).toBe("abroad-cut");
  });
});

describe("a zone", () => {
  test("without a resolvable name is reported, and is neither half nor offline", () => {
    expect(assess(gone(RU, "dns-servfail"))).toMatchObject({
      state: "fine",
      failingZones: ["ru"],
      unreachable: RU,
    });
  });

  test("can fail together with the foreign networks without being offline", () => {
    const faults = { ...gone(RU, "dns-timeout"), ...gone(FOREIGN) };
    expect(assess(faults)).toMatchObject({ state: "abroad-cut", failingZones: ["ru"] });
  });

  test("does not hide other unreachable networks", () => {
    const faults = { ...gone(RU, "dns-timeout"), ...gone(DOMESTIC.slice(7, 9)) };
    expect(assess(faults)).toMatchObject({ state: "half", failingZones: ["ru"] });
  });

  test("is not failing if one of its names resolves, or it has a single anchor", () => {
    const most = { ...gone(RU, "dns-timeout"), ...gone(RU.slice(0, 1), "tcp-timeout") };
    expect(assess(most)).toMatchObject({ state: "half", failingZones: [] });
    expect(assess(gone(["https://d7.com/"], "dns-nxdomain"))).toMatchObject({ failingZones: [] });
  });

  test("is not reported if the names of all zones fail: the runner is offline", () => {
    const named = ALL.filter((url) => /[a-z]\/$/u.test(url));
    expect(assess(gone(named, "dns-server-unreachable"))).toMatchObject({
      state: "offline",
      failingZones: [],
    });
  });
});

describe("few anchors", () => {
  /** The connectivity by these anchors alone. */
  const assessOnly = (urls: readonly string[], faults: Faults) => {
    const { phase, anchors } = round(faults);
    const some = anchors.filter(({ anchor }) => urls.includes(anchor.url));
    return assessConnectivity([{ phase, anchors: some }], QUIET);
  };

  test("show a failing zone if two of its names fail, not one", () => {
    const faults = gone(RU, "dns-servfail");
    expect(assessOnly([...RU.slice(0, 2), ...FOREIGN], faults).failingZones).toEqual(["ru"]);
    expect(assessOnly([...RU.slice(0, 1), ...FOREIGN], faults).failingZones).toEqual([]);
    // One host outside is enough.
    expect(assessOnly([...RU, ...FOREIGN.slice(0, 1)], faults).failingZones).toEqual(["ru"]);
  });

  test("show no failing zone if no host outside answers, or no name outside is found", () => {
    const addresses = ["https://77.88.8.8/", "https://1.1.1.1/"];
    const lost = { ...gone(RU, "dns-servfail"), ...gone(FOREIGN) };
    expect(assessOnly([...RU, ...FOREIGN], lost).failingZones).toEqual([]);
    expect(assessOnly([...RU, ...addresses], gone(RU, "dns-servfail"))).toMatchObject({
      state: "offline",
      failingZones: [],
    });
  });

  test("show that no name can be looked up if two fail, not one", () => {
    const address = "https://1.1.1.1/";
    const faults = gone(RU, "dns-timeout");
    expect(assessOnly([...RU.slice(0, 2), address], faults).state).toBe("offline");
    expect(assessOnly([...RU.slice(0, 1), address], faults).state).toBe("fine");
  });

  test("of a scope are enough to show that everything is gone", () => {
    expect(assessOnly(FOREIGN, gone(FOREIGN)).state).toBe("offline");
    expect(assessOnly(RU, gone(RU)).state).toBe("offline");
  });

  test("that were not asked count for no network", () => {
    const skippedOnes = Object.fromEntries(
      DOMESTIC.slice(2).map((url) => [url, ["skipped", "skipped"] as const]),
    );
    expect(assess({ ...gone(DOMESTIC.slice(0, 1)), ...skippedOnes }).state).toBe("fine");
    expect(assess({ ...gone([...DOMESTIC.slice(0, 2), ...FOREIGN]), ...skippedOnes }).state).toBe(
      "offline",
    );
  });
});

describe("a lossy network", () => {
  /** Makes this many anchors lose one of their two attempts. */
  const lossy = (count: number, code: FailureCode = "tcp-timeout"): Faults =>
    Object.fromEntries(ALL.slice(0, count).map((url) => [url, [code, "ok"]]));

  test("needs three lost attempts, and 4 % of them", () => {
    expect(assess(lossy(2))).toMatchObject({ state: "fine", lostRatio: 2 / 32 });
    expect(assess(lossy(3))).toMatchObject({ state: "lossy", lostRatio: 3 / 32 });
    const three = [round(lossy(3)), round({}, "middle"), round({}, "end")];
    expect(assessConnectivity(three, QUIET).state).toBe("fine");
    const four = [round(lossy(4)), round({}, "middle"), round({}, "end")];
    expect(assessConnectivity(four, QUIET).state).toBe("lossy");
  });

  test("is not assumed from an anchor that never answers", () => {
    const dead = gone(RU.slice(0, 1));
    const rounds = [round(dead), round(dead, "middle"), round(dead, "end")];
    expect(assessConnectivity(rounds, QUIET)).toMatchObject({ state: "fine", lostRatio: 6 / 96 });
  });

  test("is not assumed from the time-outs of a lagging machine", () => {
    expect(assess(lossy(6), { lagMs: 99, results: [] }).state).toBe("lossy");
    expect(assess(lossy(6), { lagMs: 100, results: [] }).state).toBe("fine");
    expect(assess(lossy(6, "tls-reset"), { lagMs: 100, results: [] }).state).toBe("lossy");
  });

  /** The codes that lost packets can cause, and whether they are time-outs. */
  const LOSSES: Readonly<Partial<Record<FailureCode, boolean>>> = {
    "dns-timeout": true,
    "tcp-timeout": true,
    "tls-timeout": true,
    "http-timeout": true,
    "body-stall": true,
    "body-timeout": true,
    "dns-servfail": false,
    "dns-server-unreachable": false,
    "tcp-reset": false,
    "tcp-unreachable": false,
    "tls-reset": false,
    "tls-closed": false,
    "http-reset": false,
    "http-closed": false,
    "body-reset": false,
    "body-closed": false,
  };

  test.each(FAILURE_CODES)("may be behind %s, or not", (code) => {
    const isTimeOut = LOSSES[code];
    const stateWith = (lagMs: number) => assess({}, { lagMs, results: endpoints(40, code) }).state;
    expect(stateWith(0)).toBe(isTimeOut === undefined ? "fine" : "lossy");
    expect(stateWith(150)).toBe(isTimeOut === false ? "lossy" : "fine");
  });

  /** 160 endpoints; this many of them answered after a first attempt that ended with the code. */
  const endpoints = (count: number, code: FailureCode, isFlaky = true): EndpointResult[] => {
    const attempts = [failed(code), isFlaky ? ok() : failed(code)];
    const shaky = { outcome: attempts[1] ?? ok(), isFlaky, attempts };
    return Array.from({ length: 160 }, (_, at) => (at < count ? shaky : resultOf(ok())));
  };

  test("needs eight endpoints, and 5 % of them, that answered only later", () => {
    const stateWith = (results: readonly EndpointResult[], lagMs = 0) =>
      assess({}, { lagMs, results }).state;
    expect(stateWith(endpoints(7, "tcp-timeout"))).toBe("fine");
    expect(stateWith(endpoints(8, "tcp-timeout"))).toBe("lossy");
    expect(stateWith([...endpoints(8, "tcp-timeout"), resultOf(ok())])).toBe("fine");
    expect(stateWith(endpoints(7, "tls-closed").slice(0, 20))).toBe("fine");
    expect(stateWith(endpoints(40, "tcp-timeout"), 150)).toBe("fine");
  });

  test("is not assumed from owners that may refuse connections", () => {
    const refused = endpoints(40, "tcp-reset").map((one) => ({
      ...one,
      mayBeRefused: true as const,
    }));
    expect(assess({}, { lagMs: 0, results: refused }).state).toBe("fine");
  });

  test("is not assumed from lasting failures", () => {
    expect(assess({}, { lagMs: 0, results: endpoints(40, "tcp-timeout", false) }).state).toBe(
      "fine",
    );
  });
});
