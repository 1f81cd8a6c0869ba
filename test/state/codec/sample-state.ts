import { ANY_VERSION } from "../../../src/model/publication.ts";
import { addFolded } from "../../../src/model/folded-ids.ts";
import { addRecent, NO_RECENT_REPORTS } from "../../../src/model/service/recent-reports.ts";
import { NO_OPERATORS, NO_SURGE, type ServiceReports } from "../../../src/model/service/reports.ts";
import { type State } from "../../../src/model/state.ts";
import { type MonitorChange } from "../../../src/model/monitor/uptime.ts";
import type { HeardResult } from "../../../src/model/service/vantage.ts";
import { OWNERS } from "../../model/owned-samples.ts";
import { failed, ok, resultOf, runMark, serviceHistoryOf, T0 } from "../../model/samples.ts";

const runs = [
  runMark({ atMs: T0 }),
  runMark({ atMs: T0 + 300_123, isCongested: true, connectivity: "lossy" }),
];

const SILENCE: ServiceReports = {
  firstAtMs: 0,
  minutes: [],
  symptoms: [],
  operators: NO_OPERATORS,
  recent: NO_RECENT_REPORTS,
  hours: [],
  surge: NO_SURGE,
};

function idOf(number: number): string {
  return `0000000000001-2f1d8f0a-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

const ASK = "0d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b11";

export const STATE: State = {
  owners: OWNERS,
  archive: {
    days: [
      {
        date: "2026-11-20",
        method: "2026-11-01",
        files: [{ name: "checks.parquet", bytes: 107_253, sha256: "ab".repeat(32), rows: 73_728 }],
      },
    ],
    months: [],
    sealedDay: 20_777,
  },
  accuracy: {
    sinceMs: T0 - 86_400_000,
    day: 20_833,
    months: [
      {
        month: 684,
        runs: 288,
        congestedRuns: 0,
        serviceNoneMinutes: 1_700,
        runnerNoneMinutes: 20,
        compared: 576,
        onlyMoscow: 1,
        onlyAbroad: 2,
      },
    ],
    today: {
      runs: 12,
      congestedRuns: 0,
      serviceNoneMinutes: 0,
      runnerNoneMinutes: 0,
      compared: 24,
      onlyMoscow: 0,
      onlyAbroad: 0,
    },
    outages: [
      {
        slug: "a",
        toldAtMs: T0 - 7_200_000,
        endedAtMs: T0 - 6_900_000,
        runs: 1,
        checkedAtMs: null,
        isReported: true,
        isSeenElsewhere: false,
        isLookedAtElsewhere: true,
        surgedAtMs: T0 - 7_800_000,
        about: {
          code: "fail",
          scope: "russia",
          sinceMs: T0 - 7_500_000,
          cause: "tcp-timeout",
          failing: 2,
          counted: 3,
          network: "AS13335 Cloudflare",
        },
        isEndUnseen: true,
      },
      {
        slug: "b",
        toldAtMs: T0,
        endedAtMs: null,
        runs: 3,
        checkedAtMs: T0 + 300_123,
        isReported: false,
        isSeenElsewhere: true,
        isLookedAtElsewhere: false,
        surgedAtMs: null,
        about: null,
        isEndUnseen: false,
      },
    ],
  },
  vantages: {
    vantages: [
      {
        id: "fra",
        kind: "control",
        country: "DE",
        asn: 24_940,
        network: "Hetzner",
        publicKey: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
      },
    ],
    asks: [
      { id: ASK, atMs: T0, urls: "abc", failing: new Map([["https://b.ru/", "192.0.2.1"]]) },
      { id: "later", atMs: T0 + 1, urls: "abc", failing: new Map([["https://c.ru/", null]]) },
    ],
    heard: new Map([
      [
        "fra",
        {
          askId: ASK,
          heardAtMs: T0 + 2,
          connectivity: "fine",
          isWhiteList: null,
          results: new Map<string, HeardResult>([
            ["https://b.ru/", { code: "ok", address: "192.0.2.1", sameAddress: "works" }],
            ["https://c.ru/", { code: "tls-reset" }],
          ]),
        },
      ],
    ]),
    tallies: new Map([
      ["fra", new Map([["https://b.ru/", [{ day: 20_833, healthy: 280, failed: 1 }]]])],
    ]),
    usual: new Map([["https://a.example/", 200]]),
    cited: new Map([
      [
        "fra",
        {
          askId: ASK,
          atMs: T0,
          urls: ["https://b.ru/", "https://c.ru/"],
          signed: { payload: "e30", protected: "e30", signature: "AA" },
        },
      ],
    ]),
  },
  history: {
    updatedAtMs: T0 + 300_123,
    runs,
    endpoints: new Map([
      ["https://b.ru/", "a!"],
      ["anchor:https://ya.ru/", "kk"],
    ]),
    proven: new Set(["https://b.ru/"]),
    services: new Map([
      [
        "b",
        serviceHistoryOf({
          strip: "uf",
          days: [{ day: 20_833, counts: [1, 0, 0, 0, 0, 1] }],
          months: [{ month: 680, checks: 8_640, down: 12 }],
          lastOutage: { sinceMs: T0, isSinceExact: false, endedAtMs: T0 + 5 },
          sharedCause: "Selectel",
          outages: [
            {
              sinceMs: 1_770_000_000_000,
              isSinceExact: true,
              endedAtMs: 1_770_000_900_000,
              code: "tls-reset",
              failing: 2,
              counted: 3,
            },
            {
              sinceMs: 1_770_090_000_000,
              isSinceExact: false,
              endedAtMs: null,
              code: null,
              failing: 0,
              counted: 0,
            },
          ],
        }),
      ],
    ]),
    held: new Map([
      [
        "b",
        {
          cause: "common-cause",
          checkClass: "failing",
          sinceMs: T0,
          isSinceExact: true,
          lastAtMs: T0,
          runs: 1,
          failingTogether: 4,
        },
      ],
    ]),
  },
  evidence: new Map([
    [
      "b",
      { runAtMs: T0, endpoints: [{ url: "https://b.ru/", result: resultOf(failed("tls-reset")) }] },
    ],
  ]),
  lastRun: {
    startedAtMs: T0,
    durationMs: 1_234,
    validity: "valid",
    connectivity: {
      state: "lossy",
      unreachable: ["https://ya.ru/"],
      lostRatio: 0.05,
      failingZones: ["ru"],
    },
    isCongested: true,
    eventLoopLagMs: 3.5,
    anchors: [
      {
        url: "https://ya.ru/",
        scope: "domestic",
        network: "AS13238 Yandex",
        rounds: [{ phase: "start", tries: [failed("tcp-timeout"), ok()] }],
      },
    ],
  },
  publication: {
    generation: 7,
    marks: ["one", "two"],
    store: "file:public",
    objects: new Map([
      ["api/v1/status", { digest: "ab", etag: "cd", isPublished: true, suspectUntilMs: 0 }],
      ["api/v1/status/b", { digest: null, etag: null, isPublished: false, suspectUntilMs: T0 }],
    ]),
    groups: new Map([
      ["shop", { digest: "1|x", etag: ANY_VERSION, isPublished: true, suspectUntilMs: 0 }],
      ["gone", { digest: null, etag: null, isPublished: false, suspectUntilMs: T0 }],
    ]),
    auditedAtMs: T0,
  },
  monitors: {
    clock: { runs: 3, lastSlot: 9, days: [[20_833, 1]], recentSlots: [5, 7, 9] },
    sequence: 7,
    pending: {
      sequence: 7,
      run: 3,
      slot: 9,
      atMs: T0,
      changes: new Map<string, MonitorChange>([
        ["shop", { kind: "failing", code: "tcp-timeout" }],
        ["__proto__", { kind: "refused", code: "dns-special-address" }],
        ["old", { kind: "gone" }],
        ["new", { kind: "healthy" }],
        ["timed", { kind: "healthy", totalMs: 120 }],
        ["late", { kind: "skipped" }],
      ]),
    },
    shards: [0, 63],
  },
  reports: {
    ledger: {
      services: new Map([
        [
          "b",
          {
            firstAtMs: T0,
            minutes: [
              [28_000_000, 3, 4],
              [28_000_001, 1, 1],
            ],
            symptoms: [[480_000, [1, 0, 2, 0, 0, 1]]],
            operators: { hours: [[480_000, [1, 3]]], weeks: [[2_857, [4, 9, 0, 2]]] },
            recent: addRecent(NO_RECENT_REPORTS, [
              [T0, 2 ** 53 - 1, 1],
              [T0, 0, 1, 2],
              [T0 + 5, 9_007_000_000_000_001, 2 ** 32 - 1],
            ]),
            hours: [[480_000, 7, 1]],
            surge: { phase: "on", startedAtMs: T0, quiet: 1, loudSlot: 5_900_000 },
          },
        ],
        ["quiet", { ...SILENCE, firstAtMs: T0 }],
      ]),
      evaluatedSlot: 5_900_000,
    },
    folded: addFolded(
      addFolded(new Map(), ["0000000000001-x"], T0),
      [1, 2, 3, 2 ** 48 - 1].map(idOf),
      T0 + 1,
    ),
  },
  verdicts: {
    codes: new Map([
      ["b", "fail"],
      ["a", "ok"],
    ]),
    changes: [
      {
        seq: 7,
        slug: "b",
        atMs: T0,
        before: "ok",
        code: "fail",
        scope: "russia",
        isSurge: true,
        live: true,
        past: { of: "category", days: 90, count: 7, medianMs: 60_000, longestMs: 90_000 },
      },
    ],
    next: 8,
  },
  incidents: {
    open: [{ slug: "b", steps: [{ atMs: T0, code: "fail" }] }],
    past: [
      {
        slug: "a",
        steps: [
          { atMs: T0 - 9, code: "err" },
          { atMs: T0 - 4, code: "ok" },
        ],
      },
    ],
    changedAtMs: T0,
  },
  baseUrl: "https://status.example.ru/sub",
  siteSettings: {
    reportUrl: "https://reports.example.ru",
    isSelfService: true,
    people: {
      operator: "Ирина",
      contact: "mailto:status@example.ru",
      follow: {
        telegram: "https://t.me/example",
        categories: { banks: { max: "https://max.ru/example" } },
      },
    },
    pushKey: `B${"a".repeat(86)}`,
  },
};
