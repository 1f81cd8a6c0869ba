import { describe, expect, test } from "vitest";
import type { AnchorPhase } from "../../src/model/evidence.ts";
import type { EndpointResult, FailureCode, Outcome } from "../../src/model/outcome.ts";
import type { AnchorRound, AnchorTries } from "../../src/probe/anchors.ts";
import { assessConnectivity, type Surroundings } from "../../src/probe/connectivity.ts";
import { failed, ok, resultOf } from "../model/samples.ts";

const QUIET: Surroundings = { lagMs: 0, results: [] };
const skipped: Outcome = { kind: "skipped", reason: "aborted" };

/** Ten domestic networks as the shipped catalogue has them: seven names in `.ru`, two elsewhere, an address. Six abroad, one of them an address. */
const RU = Array.from({ length: 7 }, (_, at) => `https://d${at}.ru/`);
const DOMESTIC = [...RU, "https://d7.com/", "https://d8.net/", "https://77.88.8.8/"];
const FOREIGN = [
  ...Array.from({ length: 5 }, (_, at) => `https://f${at}.org/`),
  "https://1.1.1.1/",
];
const ALL = [...DOMESTIC, ...FOREIGN];

/** What each try at each anchor ends with; the others answer. */
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

/** All of these are out of reach. */
function gone(urls: readonly string[], code: FailureCode = "tcp-timeout"): Faults {
  return Object.fromEntries(urls.map((url) => [url, [code, code]]));
}

const assess = (faults: Faults, surroundings = QUIET) =>
  assessConnectivity([round(faults)], surroundings);

describe("the state of the way", () => {
  test.each<readonly [string, Faults, string]>([
    ["everything answers", {}, "fine"],
    ["one domestic network is gone", gone(DOMESTIC.slice(0, 1)), "fine"],
    ["two of ten domestic networks are gone", gone(DOMESTIC.slice(0, 2)), "half"],
    ["half of them is gone", gone(DOMESTIC.slice(0, 5)), "half"],
    ["all domestic networks are gone, the foreign ones are there", gone(DOMESTIC), "half"],
    ["two of six foreign networks are gone", gone(FOREIGN.slice(0, 2)), "fine"],
    ["three of six foreign networks are gone", gone(FOREIGN.slice(0, 3)), "abroad-cut"],
    ["the whole way abroad is gone", gone(FOREIGN), "abroad-cut"],
    [
      "the way abroad and one domestic network",
      gone([...FOREIGN, ...RU.slice(0, 1)]),
      "abroad-cut",
    ],
    ["the way abroad and two domestic networks", gone([...FOREIGN, ...RU.slice(0, 2)]), "half"],
    ["eleven of sixteen networks", gone([...FOREIGN, ...DOMESTIC.slice(0, 5)]), "half"],
    ["twelve of sixteen networks", gone([...FOREIGN, ...DOMESTIC.slice(0, 6)]), "offline"],
    ["all networks", gone(ALL), "offline"],
    ["a captive portal at every anchor", gone(ALL, "cert-unknown-issuer"), "offline"],
  ])("when %s", (_, faults, state) => {
    expect(assess(faults).state).toBe(state);
  });

  test("is that of the worst round, and names all that did not answer in some round", () => {
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

  test("does not add up networks that were gone at different times: such a way is lossy", () => {
    const rounds = [round(gone(RU.slice(0, 1))), round(gone(RU.slice(1, 2)), "end")];
    expect(assessConnectivity(rounds, QUIET).state).toBe("lossy");
  });

  test("takes an anchor as there when one of its two tries was answered", () => {
    const faults: Faults = {
      "https://d0.ru/": ["tcp-timeout", "ok"],
      "https://d1.ru/": ["ok", "tcp-timeout"],
    };
    expect(assess(faults)).toMatchObject({ state: "fine", unreachable: [] });
  });

  test("says nothing of anchors that were not tried", () => {
    const faults: Faults = Object.fromEntries(ALL.map((url) => [url, ["skipped", "skipped"]]));
    expect(assess(faults)).toEqual({
      state: "fine",
      unreachable: [],
      lostRatio: 0,
      failingZones: [],
    });
  });

  test("without any round, or any anchor, is fine", () => {
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

  test("count once, however many anchors they have", () => {
    const one = anchors(() => "AS1", RU, 6);
    expect(assessConnectivity([{ phase: "start", anchors: one }], QUIET).state).toBe("fine");
    const several = anchors((url) => url, RU, 2);
    expect(assessConnectivity([{ phase: "start", anchors: several }], QUIET).state).toBe("half");
  });

  test("of a catalogue with few domestic ones: a cut abroad is no offline runner", () => {
    const two = [...RU.slice(0, 2), ...FOREIGN];
    const cut = [...anchors((url) => url, RU.slice(0, 2), 0), ...anchors((url) => url, FOREIGN, 6)];
    expect(cut).toHaveLength(two.length);
    expect(assessConnectivity([{ phase: "start", anchors: cut }], QUIET).state).toBe("abroad-cut");
  });
});

describe("a zone", () => {
  test("of which no name can be looked up is told, and is neither half nor offline", () => {
    expect(assess(gone(RU, "dns-servfail"))).toMatchObject({
      state: "fine",
      failingZones: ["ru"],
      unreachable: RU,
    });
  });

  test("is gone beside the way abroad without making the runner offline", () => {
    const faults = { ...gone(RU, "dns-timeout"), ...gone(FOREIGN) };
    expect(assess(faults)).toMatchObject({ state: "abroad-cut", failingZones: ["ru"] });
  });

  test("does not hide other networks that are gone", () => {
    const faults = { ...gone(RU, "dns-timeout"), ...gone(DOMESTIC.slice(7, 9)) };
    expect(assess(faults)).toMatchObject({ state: "half", failingZones: ["ru"] });
  });

  test("is not gone while one of its names is looked up, or one anchor of it is all there is", () => {
    const most = { ...gone(RU, "dns-timeout"), ...gone(RU.slice(0, 1), "tcp-timeout") };
    expect(assess(most)).toMatchObject({ state: "half", failingZones: [] });
    expect(assess(gone(["https://d7.com/"], "dns-nxdomain"))).toMatchObject({ failingZones: [] });
  });

  test("of every name means that the resolver is gone, whatever addresses alone answer", () => {
    const named = ALL.filter((url) => /[a-z]\/$/u.test(url));
    expect(assess(gone(named, "dns-server-unreachable"))).toMatchObject({
      state: "offline",
      failingZones: [],
    });
  });
});

describe("a lossy way", () => {
  /** So many anchors lose one of their two tries. */
  const lossy = (count: number, code: FailureCode = "tcp-timeout"): Faults =>
    Object.fromEntries(ALL.slice(0, count).map((url) => [url, [code, "ok"]]));

  test("takes three lost tries, and four in a hundred", () => {
    expect(assess(lossy(2))).toMatchObject({ state: "fine", lostRatio: 2 / 32 });
    expect(assess(lossy(3))).toMatchObject({ state: "lossy", lostRatio: 3 / 32 });
    const three = [round(lossy(3)), round({}, "middle"), round({}, "end")];
    expect(assessConnectivity(three, QUIET).state).toBe("fine");
    const four = [round(lossy(4)), round({}, "middle"), round({}, "end")];
    expect(assessConnectivity(four, QUIET).state).toBe("lossy");
  });

  test("is not seen in an anchor that never answers: that one is dead", () => {
    const dead = gone(RU.slice(0, 1));
    const rounds = [round(dead), round(dead, "middle"), round(dead, "end")];
    expect(assessConnectivity(rounds, QUIET)).toMatchObject({ state: "fine", lostRatio: 6 / 96 });
  });

  test("is not seen by a loaded machine in its own time-outs", () => {
    expect(assess(lossy(6), { lagMs: 99, results: [] }).state).toBe("lossy");
    expect(assess(lossy(6), { lagMs: 100, results: [] }).state).toBe("fine");
    expect(assess(lossy(6, "tls-reset"), { lagMs: 100, results: [] }).state).toBe("lossy");
  });

  /** A hundred and sixty endpoints, so many of which answered after a first try that ended so. */
  const endpoints = (count: number, code: FailureCode, isFlaky = true): EndpointResult[] => {
    const attempts = [failed(code), isFlaky ? ok() : failed(code)];
    const shaky = { outcome: attempts[1] ?? ok(), isFlaky, attempts };
    return Array.from({ length: 160 }, (_, at) => (at < count ? shaky : resultOf(ok())));
  };

  test("is seen in eight endpoints, and five in a hundred, that answered only later", () => {
    const stateWith = (results: readonly EndpointResult[], lagMs = 0) =>
      assess({}, { lagMs, results }).state;
    expect(stateWith(endpoints(7, "tcp-timeout"))).toBe("fine");
    expect(stateWith(endpoints(8, "tcp-timeout"))).toBe("lossy");
    expect(stateWith([...endpoints(8, "tcp-timeout"), resultOf(ok())])).toBe("fine");
    expect(stateWith(endpoints(7, "tls-closed").slice(0, 20))).toBe("fine");
    expect(stateWith(endpoints(40, "tcp-timeout"), 150)).toBe("fine");
  });

  test("is not seen in endpoints that fail for good, or answered with an error first", () => {
    expect(assess({}, { lagMs: 0, results: endpoints(40, "tcp-timeout", false) }).state).toBe(
      "fine",
    );
    for (const code of ["http-server-error", "tcp-refused", "cert-expired"] as const)
      expect(assess({}, { lagMs: 0, results: endpoints(40, code) }).state).toBe("fine");
  });
});
