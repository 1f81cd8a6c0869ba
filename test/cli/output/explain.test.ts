import { describe, expect, test } from "vitest";
import { type ExplanationView, renderExplanation } from "../../../src/cli/output/explain-table.ts";
import { describeConnectivity } from "../../../src/cli/output/runner-text.ts";
import { SCOPE_MEANINGS } from "../../../src/contract/evidence.ts";
import { FINE, type Connectivity } from "../../../src/model/service/connectivity.ts";
import type { EndpointScope, Scope } from "../../../src/model/service/interference.ts";
import type { Clause } from "../../../src/services/verdict/decision-table.ts";
import {
  endpointOf,
  endpointScopeOf,
  failed,
  ok,
  PLACE,
  resultOf,
  serviceOf,
  T0,
} from "../../model/samples.ts";

/* What `explain` prints, as files to read: a service of which nothing is known, one that fails with everything there is, and one on each path. */

const MAIN = "https://main.example/";
const SIDE = "https://side.example/";

type Given = { readonly [Part in keyof ExplanationView]?: object | null | undefined };

/** Only what is printed of each part; the rest of it would be as long as the program. */
function viewOf(given: Given): ExplanationView {
  return {
    service: serviceOf("alpha", [endpointOf(MAIN, true), endpointOf(SIDE, false)]),
    atMs: T0,
    explanation: {
      verdict: { code: "none", color: "none" },
      rejected: [],
      fired: { rowNumber: 13, met: [] },
      live: { isLive: false, rule: "never", isSurging: false, isOld: false },
      since: { kind: "never-checked" },
    },
    reports: {
      hour: { accepted: 0, raw: 0 },
      day: { accepted: 0, raw: 0 },
      beyondShare: 0,
      surge: { phase: "off" },
    },
    evidence: undefined,
    experiments: {},
    walls: {},
    doubts: { held: null, sharedCause: null, leftOut: {}, unknown: null },
    lastRun: null,
    scope: undefined,
    ...given,
  } as unknown as ExplanationView;
}

const expectFile = (text: string, name: string) =>
  expect(`${text}\n`).toMatchFileSnapshot(`golden/explain-${name}.txt`);

const REPORTS = {
  hour: { accepted: 41, raw: 60 },
  day: { accepted: 120, raw: 200 },
  networks: 30,
  ignoredNetworks: 2,
  blocks: 12,
  threshold: 15,
  operators: {
    operators: [
      { operator: "mts", hour: 30, day: 60, percent: 73, usual: { percent: 18, of: "all" } },
      { operator: "other", hour: null, day: 9, percent: 7, usual: undefined },
    ],
    unusual: { shares: [{ operator: "mts", percent: 73, usual: 18 }], isAlone: true },
  },
  isSpread: false,
  beyondShare: 19,
  rule: "baseline",
  expected: 1.234,
  probability: 0.000_001_5,
  heldServices: 7,
  surge: { phase: "on", startedAtMs: T0, quiet: 1 },
};

test("of a service that no run has probed", async () => {
  await expectFile(renderExplanation(viewOf({})), "nothing");
});

test("of a service that fails, with all that is known", async () => {
  const trace = {
    address: "192.0.2.7",
    redirects: 2,
    certExpiresAtMs: T0,
    tlsVerified: false,
    timings: { dnsMs: 1, tcpMs: 2, tlsMs: 3, firstByteMs: 4, bodyMs: 5, totalMs: 15 },
  };
  const met: readonly Clause[] = [
    { signal: "isSurging", is: true },
    { signal: "access", is: "restricted" },
    { signal: "checks", is: "failing" },
  ] as readonly Clause[];
  const result = resultOf(failed("tls-reset", trace));
  const scope = ({ url = MAIN, ...changes }: Partial<EndpointScope>) =>
    endpointScopeOf(url, changes);
  const view = viewOf({
    service: {
      ...serviceOf("alpha", [endpointOf(MAIN, true)], ["restricted"]),
      annotations: [
        ...serviceOf("alpha", [], ["restricted"]).annotations,
        { kind: "slowed_ru", since: "2026-01-02", reason: "heard", certainty: "reported" },
        { kind: "calls", since: "2025-08-13", reason: "limited", certainty: "reported" },
      ],
    },
    explanation: {
      verdict: { code: "restricted_fail", color: "bad" },
      rejected: [
        {
          rowNumber: 1,
          code: "none",
          unmet: [[{ signal: "isFresh", is: false }], [{ signal: "hasProvider", is: true }]],
        },
      ],
      fired: { rowNumber: 4, met },
      live: { isLive: true, rule: "if-surging-or-recent", isSurging: true, isOld: false },
      since: { kind: "checked", checkClass: "failing", sinceMs: T0, isExact: false },
    },
    reports: REPORTS,
    evidence: {
      runAtMs: T0,
      endpoints: [
        { url: MAIN, result: { ...result, attempts: [result.outcome, failed("tcp-timeout")] } },
        { url: SIDE, result: resultOf(ok()) },
      ],
    },
    experiments: { [MAIN]: "name" },
    walls: { [MAIN]: { walled: 3, decided: 10 }, [SIDE]: { walled: 0, decided: 10 } },
    doubts: {
      held: {
        checkClass: "partial",
        sinceMs: T0,
        runs: 2,
        cause: "common-cause",
        failingTogether: 9,
      },
      sharedCause: ".ru",
      leftOut: { [SIDE]: "unproven" },
      unknown: "refused",
    },
    lastRun: {
      startedAtMs: T0,
      validity: "offline",
      connectivity: { ...FINE, state: "lossy", lostRatio: 0.123, unreachable: ["https://a/"] },
      isCongested: true,
    },
    scope: {
      scope: "russia",
      claims: [{ url: MAIN, sinceMs: T0 }],
      endpoints: [
        scope({ isClaimed: true }),
        scope({ url: "https://page.example/", finding: "block-evidence" }),
        scope({ url: "https://fine.example/", finding: "healthy", scope: "none" }),
        scope({ url: "https://rest.example/" }),
        scope({
          url: "https://doubt.example/",
          votes: "alone",
          cutBy: "address",
          working: 1,
          failing: 1,
          scope: "path",
        }),
        ...(["network", "none", "unknown"] as const).map((cutBy) =>
          scope({ url: `https://${cutBy}.example/`, cutBy }),
        ),
      ],
      vantages: {
        [MAIN]: [
          {
            vantage: PLACE,
            result: { code: "ok", sameAddress: "works" },
            isCalibrated: false,
            isAboutFailure: false,
          },
          {
            vantage: { ...PLACE, id: "msk", kind: "moscow", country: "RU" },
            result: { code: "tcp-timeout" },
            isCalibrated: false,
            isAboutFailure: true,
          },
        ],
      },
      silent: ["fra", "hel"],
    },
  });
  await expectFile(renderExplanation(view), "everything");
});

test("of each clause, of each basis of a claim, and of each doubt", async () => {
  const signals = ["isFresh", "isBlocked", "isSurging", "isOld", "hasProvider"] as const;
  const unmet = signals.flatMap((signal) => [[{ signal, is: true }], [{ signal, is: false }]]);
  const bases = [true, false, null].flatMap((isUnicast) =>
    (["name", "home"] as const).map((by) => ({ by, networks: 2, runs: 3, isUnicast })),
  );
  const findings = ["failing-at-home", "browser-fails", "browser-works"] as const;
  const view = viewOf({
    explanation: {
      ...viewOf({}).explanation,
      rejected: [
        { rowNumber: 1, code: "fail", unmet: [...unmet, [{ signal: "access", is: "none" }]] },
      ],
    },
    scope: {
      scope: "access",
      claims: [],
      endpoints: [
        ...bases.map((basis) => endpointScopeOf(MAIN, { isClaimed: true, basis })),
        ...findings.map((finding) => endpointScopeOf(SIDE, { finding })),
      ],
      vantages: {
        [SIDE]: [
          {
            vantage: PLACE,
            result: { code: "ok", seen: { browser: "tls" } },
            says: "nothing",
            isCutByName: true,
          },
        ],
      },
      silent: [],
    },
    doubts: { held: null, sharedCause: null, leftOut: { [SIDE]: "chronic" }, unknown: "wall-only" },
    evidence: { runAtMs: T0, endpoints: [] },
  });
  await expectFile(renderExplanation(view), "claims");
});

test("of each scope, surge and rule", async () => {
  const scopes = Object.keys(SCOPE_MEANINGS) as readonly Scope[];
  const texts = scopes.map((scope, at) =>
    renderExplanation(
      viewOf({
        scope: { scope, claims: [], endpoints: [], vantages: {}, silent: [] },
        reports: {
          ...REPORTS,
          ...(at % 2 === 0 ? { rule: "cold", ignoredNetworks: 0, beyondShare: 0 } : {}),
          isSpread: at % 2 === 0,
          surge: at % 3 === 0 ? { phase: "held", startedAtMs: T0 } : { phase: "off" },
        },
        explanation: {
          ...viewOf({}).explanation,
          live: {
            isLive: false,
            rule: (["always", "never", "if-surging", "if-surging-or-recent"] as const)[at % 4],
            isSurging: false,
            isOld: true,
          },
          since: {
            kind: "checked",
            checkClass: at % 2 === 0 ? "ok" : "server-error",
            sinceMs: T0,
            isExact: true,
          },
        },
      }),
    ),
  );
  await expectFile(texts.join("\n\n----\n\n"), "paths");
});

test.each<[Connectivity["state"], string | undefined]>([
  ["fine", undefined],
  [
    "lossy",
    "The runner's network path is lossy: some connections fail (5.0 % of the attempts at anchors).",
  ],
  [
    "abroad-cut",
    "The runner's path abroad is cut: it cannot reach half of the foreign networks or more.",
  ],
  ["half", "The runner reaches only a part of the domestic networks."],
  ["offline", "The runner is offline."],
])("a path that is %s is named", (state, text) => {
  expect(describeConnectivity({ ...FINE, state, lostRatio: 0.05 })).toBe(text);
  expect(describeConnectivity({ ...FINE, state, lostRatio: 0.05, failingZones: ["ru"] })).toBe(
    [text, "No name of .ru can be looked up, though the runner is online."]
      .filter(Boolean)
      .join(" "),
  );
});

/** The lines of a part of an explanation. */
function partOf(given: Given, title: string): readonly string[] {
  const parts = renderExplanation(viewOf(given)).split("\n\n");
  const [, ...lines] = parts.find((part) => part.startsWith(`${title}\n`))?.split("\n") ?? [];
  return lines.map((line) => line.slice(2));
}

test("a first run that was offline is told, and no other one is missed", () => {
  const lastRun = {
    startedAtMs: T0,
    validity: "offline",
    connectivity: { ...FINE, state: "offline" },
    isCongested: false,
  };
  expect(partOf({ lastRun }, "Evidence")).toEqual([
    "No valid run has probed this service yet.",
    "The last attempt (2027-01-15T08:00:00Z) was invalid: the runner was offline.",
    "Network path of the last run: offline. The runner is offline.",
  ]);
});

test("an endpoint that was skipped has no trace, and one without runs no wall", () => {
  const skipped = resultOf({ kind: "skipped", reason: "deadline" });
  const evidence = { runAtMs: T0, endpoints: [{ url: MAIN, result: skipped }] };
  expect(partOf({ evidence }, "Evidence")).toEqual([
    "Run of 2027-01-15T08:00:00Z",
    `${MAIN} (page, critical)`,
    "  skipped: not reached before the deadline of the run",
  ]);
});

describe("operators in reports", () => {
  const linesOf = (operators: readonly object[], unusual?: object): readonly string[] =>
    partOf({ reports: { ...REPORTS, operators: { operators, unusual } } }, "Reports").filter(
      (line) => line.startsWith("By operator"),
    );
  const HEAD = "By operator, last hour, last 24 hours, share: ";
  const mts = { operator: "mts", hour: 30, day: 60, percent: 73, usual: undefined };

  test("that are too few to be published have no line", () => {
    expect(linesOf([])).toEqual([]);
  });

  test("have few reports where their number is not published", () => {
    expect(linesOf([mts, { ...mts, operator: "other", hour: null, day: null }])).toEqual([
      `${HEAD}mts 30, 60, 73%; other few, few, 73%.`,
    ]);
  });

  test("with more reports than usual are named, and whether one makes the surge alone", () => {
    const shares = [{ operator: "mts" }, { operator: "other" }];
    expect(linesOf([mts], { shares, isAlone: false })).toEqual([
      `${HEAD}mts 30, 60, 73%. More than usual: mts, other.`,
    ]);
    expect(linesOf([mts], { shares: [{ operator: "mts" }], isAlone: true })).toEqual([
      `${HEAD}mts 30, 60, 73%. More than usual: mts, which alone makes the surge.`,
    ]);
  });
});
