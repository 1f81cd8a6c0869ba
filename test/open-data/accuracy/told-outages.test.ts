import { describe, expect, test } from "vitest";
import type { OutageAbout, ToldOutage } from "../../../src/model/service/accuracy.ts";
import { DAY_MS, MINUTE_MS } from "../../../src/model/time.ts";
import type { VerdictCode } from "../../../src/contract/codes/verdict.ts";
import { foldToldOutages, type ServiceLook } from "../../../src/open-data/accuracy/told-outages.ts";
import { at } from "./sample-ledger.ts";

const T0 = at("2026-11-20T10:00");

/** One generation: its minute after T0, the verdict, and what differs from a quiet one. */
type Moment = readonly [minute: number, code: VerdictCode, changes?: Partial<ServiceLook>];

/** The outages after generations, each with a check of the bank. */
function told(...moments: readonly Moment[]): readonly ToldOutage[] {
  let outages: readonly ToldOutage[] = [];
  let codeBefore: VerdictCode | undefined;
  for (const [minute, code, changes = {}] of moments) {
    const nowMs = T0 + minute * MINUTE_MS;
    const look: ServiceLook = {
      slug: "bank",
      code,
      codeBefore,
      checkedBeforeMs: undefined,
      checkedAtMs: nowMs,
      isReportedSince: () => false,
      surgedAtMs: undefined,
      elsewhere: { isHeard: false, isFailing: false },
      about: null,
      comparison: undefined,
      ...changes,
    };
    const dayMs = nowMs - (nowMs % DAY_MS);
    outages = foldToldOutages(outages, [look], { nowMs, dayMs });
    if (code !== "none") codeBefore = code;
  }
  return outages;
}

function minutesOf({ toldAtMs, endedAtMs, runs }: ToldOutage) {
  const end = endedAtMs === null ? null : (endedAtMs - T0) / MINUTE_MS;
  return [(toldAtMs - T0) / MINUTE_MS, end, runs];
}

const CASES: readonly (readonly [string, readonly Moment[], readonly (readonly unknown[])[]])[] = [
  [
    "a service that works has none",
    [
      [0, "ok"],
      [5, "slow"],
      [10, "ok"],
    ],
    [],
  ],
  [
    "one run",
    [
      [0, "ok"],
      [5, "fail"],
      [10, "ok"],
    ],
    [[5, 10, 1]],
  ],
  [
    "two runs",
    [
      [0, "ok"],
      [5, "err"],
      [10, "fail"],
      [15, "ok"],
    ],
    [[5, 15, 2]],
  ],
  [
    "three runs",
    [
      [0, "ok"],
      [5, "fail"],
      [10, "fail"],
      [15, "fail"],
      [20, "ok"],
    ],
    [[5, 20, 3]],
  ],
  [
    "it lasts",
    [
      [0, "restricted"],
      [5, "restricted_fail"],
    ],
    [[5, null, 1]],
  ],
  [
    "fail_long continues it",
    [
      [0, "ok"],
      [5, "fail"],
      [10, "fail_long"],
    ],
    [[5, null, 2]],
  ],
  [
    "failing from the first verdict",
    [
      [0, "fail"],
      [5, "fail"],
      [10, "ok"],
    ],
    [],
  ],
  [
    "unknown at first",
    [
      [0, "none"],
      [5, "fail"],
      [10, "ok"],
    ],
    [],
  ],
  [
    "none does not end it",
    [
      [0, "ok"],
      [5, "fail"],
      [10, "none"],
      [15, "fail"],
    ],
    [[5, null, 2]],
  ],
  [
    "none does not begin it",
    [
      [0, "ok"],
      [5, "none"],
      [10, "fail"],
    ],
    [[10, null, 1]],
  ],
  [
    "a relapse continues it",
    [
      [0, "ok"],
      [5, "fail"],
      [10, "ok"],
      [25, "fail"],
    ],
    [[5, null, 2]],
  ],
  [
    "later it is another",
    [
      [0, "ok"],
      [5, "fail"],
      [10, "ok"],
      [26, "fail"],
      [31, "ok"],
    ],
    [
      [5, 10, 1],
      [26, 31, 1],
    ],
  ],
  [
    "healed in a gap, at an unknown time",
    [
      [0, "ok"],
      [5, "fail"],
      [21, "ok"],
    ],
    [[5, 21, 3]],
  ],
  [
    "a part of it still fails",
    [
      [0, "ok"],
      [5, "fail"],
      [10, "partial"],
    ],
    [[5, 10, 3]],
  ],
];

test.each(CASES)("%s", (_, moments, expected) => {
  expect(told(...moments).map(minutesOf)).toEqual(expected);
});

test("an outage begins with what is known, and nothing else", () => {
  expect(told([0, "ok"], [5, "fail"])).toEqual([
    {
      slug: "bank",
      toldAtMs: T0 + 5 * MINUTE_MS,
      endedAtMs: null,
      runs: 1,
      checkedAtMs: T0 + 5 * MINUTE_MS,
      isReported: false,
      isSeenElsewhere: false,
      isLookedAtElsewhere: false,
      surgedAtMs: null,
      about: null,
      isEndUnseen: false,
    },
  ]);
  const [ended] = told([0, "ok"], [5, "fail"], [10, "ok"]);
  expect(ended).toMatchObject({ checkedAtMs: null, isEndUnseen: false });
  // Without a time of its check it begins when it is told.
  const [unchecked] = told([0, "ok"], [5, "fail", { checkedAtMs: undefined }]);
  expect(unchecked?.checkedAtMs).toBe(T0 + 5 * MINUTE_MS);
});

test("a service of the catalogue keeps its outage, and one that left ends it once", () => {
  const outages = told([0, "ok"], [5, "fail"]);
  const nowMs = T0 + 10 * MINUTE_MS;
  const gone = foldToldOutages(outages, [], { nowMs, dayMs: T0 });
  expect(gone).toMatchObject([{ endedAtMs: nowMs, isEndUnseen: true, checkedAtMs: null }]);
  expect(foldToldOutages(gone, [], { nowMs: nowMs + MINUTE_MS, dayMs: T0 })).toEqual(gone);
});

test("a publish without a check of the service counts no run", () => {
  const checkedAtMs = T0 + 5 * MINUTE_MS;
  const again: Moment = [6, "fail", { checkedAtMs }];
  const [outage] = told([0, "ok"], [5, "fail"], again, again, [10, "ok"]);
  expect(outage?.runs).toBe(1);
});

test("after midnight a relapse is another outage, because the day before is over", () => {
  const midnight = 14 * 60;
  const outages = told(
    [0, "ok"],
    [midnight - 10, "fail"],
    [midnight - 5, "ok"],
    [midnight + 5, "fail"],
  );
  expect(outages.map(minutesOf)).toEqual([
    [midnight - 10, midnight - 5, 1],
    [midnight + 5, null, 1],
  ]);
});

test("a service that leaves the catalogue ends its outage, whose length is unknown", () => {
  const outages = told([0, "ok"], [5, "fail"]);
  const nowMs = T0 + 10 * MINUTE_MS;
  const after = foldToldOutages(outages, [], { nowMs, dayMs: T0 });
  expect(after.map(minutesOf)).toEqual([[5, 10, 3]]);
});

describe("witnesses", () => {
  const reported = (atMinute: number): Partial<ServiceLook> => ({
    isReportedSince: (fromMs) => fromMs <= T0 + atMinute * MINUTE_MS,
  });

  test.each([
    ["a check in time", [10, "ok"], false],
    ["fifteen minutes later", [20, "ok"], false],
    ["a gap", [21, "ok"], true],
    ["none without a check", [30, "none"], false],
  ] as const)("its end by %s", (_, moment: Moment, isEndUnseen) => {
    const [outage] = told([0, "ok"], [5, "fail"], moment);
    expect(outage).toMatchObject({ isEndUnseen });
  });

  const ABOUT: OutageAbout = {
    code: "fail",
    scope: "unknown",
    sinceMs: T0,
    cause: "tcp-timeout",
    failing: 1,
    counted: 3,
    network: null,
  };

  test("it is told by its beginning, its worst run and the last scope", () => {
    const worse: OutageAbout = {
      ...ABOUT,
      code: "fail_long",
      scope: "russia",
      sinceMs: T0 + 1,
      cause: "tls-reset",
      failing: 2,
      network: "AS1",
    };
    const [outage] = told(
      [0, "ok"],
      [5, "fail", { about: ABOUT }],
      [10, "fail", { about: worse }],
      [15, "fail", { about: { ...ABOUT, network: "AS2" } }],
      [20, "ok"],
    );
    expect(outage?.about).toEqual({ ...worse, code: "fail", sinceMs: T0 });
  });

  test("it has the first of equally bad runs, the first network, and the last operators", () => {
    const operatorsOf = (operator: "mts" | "beeline") => {
      return { shares: [{ operator, percent: 70, usual: 20 }], isAlone: true };
    };
    const equal: OutageAbout = { ...ABOUT, cause: "tls-reset", scope: "russia", network: "AS1" };
    const [outage] = told(
      [0, "ok"],
      [5, "fail", { about: { ...ABOUT, network: "AS0", operators: operatorsOf("mts") } }],
      [10, "fail", { about: { ...equal, operators: operatorsOf("beeline") } }],
      [15, "fail", { about: ABOUT }],
      [20, "fail", { about: null }],
    );
    expect(outage?.about).toEqual({
      ...ABOUT,
      scope: "russia",
      network: "AS0",
      operators: operatorsOf("beeline"),
    });
  });

  test("one of an older version stays without what is known of it", () => {
    const [outage] = told([0, "ok"], [5, "fail"], [10, "fail", { about: ABOUT }]);
    expect(outage?.about).toBeNull();
  });

  test("a relapse after a gap has an end again", () => {
    const moments: readonly Moment[] = [
      [0, "ok"],
      [5, "fail"],
      [21, "ok"],
      [26, "fail"],
    ];
    expect(told(...moments)).toMatchObject([{ endedAtMs: null, isEndUnseen: false }]);
    expect(told(...moments, [31, "ok"])).toMatchObject([{ isEndUnseen: false }]);
  });

  test.each([
    ["ten minutes before", -5, true],
    ["earlier", -6, false],
    ["during it", 7, true],
  ])("a report %s", (_, minute, isReported) => {
    const [outage] = told([0, "ok"], [5, "fail", reported(minute)], [10, "ok", reported(minute)]);
    expect(outage).toMatchObject({ isReported });
  });

  test.each([
    ["nobody was heard", { isHeard: false, isFailing: false }],
    ["one was heard and saw nothing", { isHeard: true, isFailing: false }],
    ["one saw it", { isHeard: true, isFailing: true }],
  ])("elsewhere, %s", (_, elsewhere) => {
    const [outage] = told([0, "ok"], [5, "fail"], [10, "ok", { elsewhere }]);
    expect(outage).toMatchObject({
      isLookedAtElsewhere: elsewhere.isHeard,
      isSeenElsewhere: elsewhere.isFailing,
    });
  });

  test("what was seen once stays seen, and before the outage nothing counts", () => {
    const elsewhere = { isHeard: true, isFailing: true };
    const [seen] = told([0, "ok"], [5, "fail", { elsewhere }], [10, "ok"]);
    expect(seen).toMatchObject({ isSeenElsewhere: true });
    const [unseen] = told([0, "ok", { elsewhere }], [5, "fail"], [10, "ok"]);
    expect(unseen).toMatchObject({ isSeenElsewhere: false });
  });

  test("the first surge counts, before the outage or in it", () => {
    const [before] = told(
      [0, "ok"],
      [5, "fail", { surgedAtMs: T0 - 5 * MINUTE_MS }],
      [10, "fail", { surgedAtMs: T0 + 10 * MINUTE_MS }],
    );
    expect(before?.surgedAtMs).toBe(T0 - 5 * MINUTE_MS);
    const [later] = told([0, "ok"], [5, "fail"], [10, "fail", { surgedAtMs: T0 + 600_000 }]);
    expect(later?.surgedAtMs).toBe(T0 + 600_000);
  });
});
