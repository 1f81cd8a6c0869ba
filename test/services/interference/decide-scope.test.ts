import { describe, expect, test } from "vitest";
import type { CutBy, LocalFinding, VoteResult } from "../../../src/model/service/interference.ts";
import {
  decideScope,
  type ScopeDecision,
  type ScopeSignals,
} from "../../../src/services/interference/decide-scope.ts";

const FINDINGS: readonly LocalFinding[] = [
  "healthy",
  "unknown",
  "block-evidence",
  "server-error",
  "denied",
  "failing",
  "failing-at-home",
  "browser-fails",
  "browser-works",
];
const VOTES: readonly VoteResult[] = ["agreed", "outvoted", "alone"];
const CUTS: readonly CutBy[] = ["name", "address", "network", "none", "unknown"];
const COUNTS = [0, 1, 2, 3] as const;
/** Networks in Moscow that are cut by name, and those of subscribers among them. */
const CUT_PLACES = [
  [0, 0],
  [1, 0],
  [2, 1],
  [2, 2],
] as const;

/** Every combination of signals that can occur: no more networks at the same address than work at all. */
function* combine(): Generator<ScopeSignals> {
  for (const finding of FINDINGS)
    for (const votes of VOTES)
      for (const cutBy of CUTS)
        for (const working of COUNTS)
          for (const workingAtSameAddress of COUNTS.filter((count) => count <= working))
            for (const failing of COUNTS)
              for (const bits of Array.from({ length: 32 * 4 }, (_, index) => index)) {
                const [cutElsewhere, cutAtHome] = CUT_PLACES[bits >> 5] ?? [0, 0];
                yield {
                  cutElsewhere,
                  cutAtHome,
                  finding,
                  votes,
                  cutBy,
                  working,
                  workingAtSameAddress,
                  failing,
                  isInterference: (bits & 1) > 0,
                  isForeignPathUp: (bits & 2) > 0,
                  isAddressBroken: (bits & 4) > 0,
                  wasClaimed: (bits & 8) > 0,
                  mayBeWall: (bits & 16) > 0,
                };
              }
}

const ALL = [...combine()].map((signals) => ({ signals, decision: decideScope(signals) }));

function ofRunner(isOfKind: (signals: ScopeSignals) => boolean): readonly ScopeSignals[] {
  return claimsWhere((one) => one.finding === "failing" && isOfKind(one));
}

function atHome(isOfKind: (signals: ScopeSignals) => boolean): readonly ScopeSignals[] {
  return claimsWhere((one) => one.finding === "failing-at-home" && isOfKind(one));
}

/** The combinations of a kind in which something is claimed. */
function claimsWhere(isOfKind: (signals: ScopeSignals) => boolean): readonly ScopeSignals[] {
  const claimed = ALL.filter(({ decision }) => decision.isClaimed);
  return claimed.map(({ signals }) => signals).filter(isOfKind);
}

test("all combinations are there, and some claim", () => {
  expect(ALL).toHaveLength(9 * 3 * 5 * 10 * 4 * 32 * 4);
  expect(claimsWhere(({ wasClaimed }) => !wasClaimed).length).toBeGreaterThan(0);
});

describe("over all combinations", () => {
  test("only an endpoint that fails here is claimed to be blocked", () => {
    const others = claimsWhere(({ finding }) => finding !== "failing");
    expect(new Set(others.map(({ finding }) => finding))).toEqual(new Set(["failing-at-home"]));
  });

  test("one network alone claims nothing", () => {
    expect(ofRunner((one) => !one.wasClaimed && one.working < 2)).toEqual([]);
    expect(atHome((one) => one.cutAtHome < 2)).toEqual([]);
  });

  test("an address that is many servers needs a second network in Moscow", () => {
    const many = ofRunner((one) => !one.wasClaimed && one.workingAtSameAddress < 2);
    expect(many.length).toBeGreaterThan(0);
    expect(many.filter(({ cutElsewhere }) => cutElsewhere === 0)).toEqual([]);
  });

  test("nothing is claimed where a wall of the owner can make the same picture", () => {
    expect(claimsWhere(({ mayBeWall }) => mayBeWall)).toEqual([]);
  });

  test("a browser that finds something else is never a claim", () => {
    const client = ALL.filter(({ signals }) => signals.finding.startsWith("browser-"));
    expect(new Set(client.map(({ decision }) => decision.scope))).toEqual(new Set(["client"]));
    expect(client.filter(({ decision }) => decision.isClaimed)).toEqual([]);
  });

  test("a network in which it fails prevents a claim, and two end one", () => {
    expect(ofRunner((one) => !one.wasClaimed && one.failing > 0)).toEqual([]);
    expect(ofRunner(({ failing }) => failing >= 2)).toEqual([]);
  });

  test("a certificate or a wrong status is never claimed to be blocking", () => {
    expect(ofRunner(({ isInterference }) => !isInterference)).toEqual([]);
  });

  test("nothing is claimed while the way abroad is down", () => {
    expect(ofRunner((one) => !one.wasClaimed && !one.isForeignPathUp)).toEqual([]);
  });

  test("nothing is claimed without an experiment that answered under another name", () => {
    expect(ofRunner((one) => !one.wasClaimed && one.cutBy !== "name")).toEqual([]);
  });

  test("a server that fails for a control as well is not blocked", () => {
    expect(ofRunner((one) => !one.wasClaimed && one.isAddressBroken)).toEqual([]);
  });

  test("nothing is claimed against the other places in Moscow", () => {
    expect(ofRunner(({ votes }) => votes !== "agreed")).toEqual([]);
  });

  test("an earlier claim stays without its reasons, but not as a new one", () => {
    const sticky = ofRunner((one) => one.wasClaimed && one.cutBy !== "name");
    expect(sticky.length).toBeGreaterThan(0);
    for (const signals of sticky)
      expect(decideScope({ ...signals, wasClaimed: false }).isClaimed).toBe(false);
  });

  test("only an outage that controls see as well is everywhere", () => {
    const everywhere = ALL.filter(({ decision }) => decision.scope === "everywhere");
    expect(everywhere.length).toBeGreaterThan(0);
    expect(everywhere.filter(({ signals }) => signals.failing < 2 || signals.working > 0)).toEqual(
      [],
    );
  });

  test("what works here is nowhere down", () => {
    const healthy = ALL.filter(({ signals }) => signals.finding === "healthy");
    expect(new Set(healthy.map(({ decision }) => decision.scope))).toEqual(new Set(["none"]));
  });
});

const FAILING: ScopeSignals = {
  finding: "failing",
  votes: "agreed",
  cutBy: "name",
  working: 2,
  workingAtSameAddress: 2,
  failing: 0,
  cutElsewhere: 0,
  cutAtHome: 0,
  isInterference: true,
  isForeignPathUp: true,
  isAddressBroken: false,
  wasClaimed: false,
  mayBeWall: false,
};

test.each<[string, Partial<ScopeSignals>, ScopeDecision]>([
  ["works here", { finding: "healthy" }, { row: 1, scope: "none", isClaimed: false }],
  ["nothing is known", { finding: "unknown" }, { row: 2, scope: "unknown", isClaimed: false }],
  [
    "a block page, and it works abroad",
    { finding: "block-evidence" },
    { row: 3, scope: "russia", isClaimed: false },
  ],
  [
    "an error of the server, and abroad too",
    { finding: "server-error", working: 0, failing: 2 },
    { row: 4, scope: "everywhere", isClaimed: false },
  ],
  [
    "the owner refuses Russia",
    { finding: "denied" },
    { row: 5, scope: "russia", isClaimed: false },
  ],
  ["only here in Moscow", { votes: "outvoted" }, { row: 6, scope: "network", isClaimed: false }],
  ["one of two in Moscow", { votes: "alone" }, { row: 6, scope: "network", isClaimed: false }],
  ["cut by name", {}, { row: 7, scope: "russia", isClaimed: true }],
  [
    "cut by name at an address that is many servers",
    { workingAtSameAddress: 0 },
    { row: 8, scope: "russia", isClaimed: false },
  ],
  [
    "the same in a second network in Moscow",
    { workingAtSameAddress: 0, cutElsewhere: 1 },
    { row: 7, scope: "russia", isClaimed: true },
  ],
  [
    "cut by name on two home lines",
    { finding: "failing-at-home", cutBy: "unknown", cutElsewhere: 2, cutAtHome: 2 },
    { row: 15, scope: "access", isClaimed: true },
  ],
  [
    "fails on home lines, and nothing shows why",
    { finding: "failing-at-home", cutBy: "unknown", cutElsewhere: 1, cutAtHome: 1 },
    { row: 16, scope: "access", isClaimed: false },
  ],
  [
    "programs open it, browsers do not",
    { finding: "browser-fails" },
    { row: 13, scope: "client", isClaimed: false },
  ],
  [
    "browsers open it, programs do not",
    { finding: "browser-works" },
    { row: 14, scope: "client", isClaimed: false },
  ],
  ["only asymmetry", { cutBy: "none" }, { row: 8, scope: "russia", isClaimed: false }],
  [
    "the way abroad is cut",
    { isForeignPathUp: false },
    { row: 8, scope: "path", isClaimed: false },
  ],
  ["abroad for some", { failing: 1 }, { row: 9, scope: "mixed", isClaimed: false }],
  [
    "down abroad too",
    { working: 0, workingAtSameAddress: 0, failing: 2 },
    { row: 10, scope: "everywhere", isClaimed: false },
  ],
  [
    "claimed before, and the experiment says nothing now",
    { wasClaimed: true, cutBy: "unknown" },
    { row: 11, scope: "russia", isClaimed: true },
  ],
  [
    "claimed before, and nobody answers now",
    { wasClaimed: true, working: 0, workingAtSameAddress: 0 },
    { row: 11, scope: "unknown", isClaimed: true },
  ],
  [
    "claimed before, and fails in a way that no box causes",
    { wasClaimed: true, isInterference: false },
    { row: 8, scope: "russia", isClaimed: false },
  ],
  [
    "one control alone",
    { working: 1, workingAtSameAddress: 1 },
    { row: 12, scope: "unknown", isClaimed: false },
  ],
])("%s", (_, changes, expected) => {
  expect(decideScope({ ...FAILING, ...changes })).toEqual(expected);
});
