import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS, toUtcDay } from "../../../src/model/time.ts";
import {
  buildHistoryIndex,
  buildMonitorHistory,
  buildServiceHistory,
} from "../../../src/open-data/documents/histories.ts";
import { METHOD_VERSION } from "../../../src/model/service/method.ts";
import { changeOf } from "../../model/verdict-changes.ts";
import { T0 } from "../../model/samples.ts";
import { contentOf } from "./read.ts";

const TODAY = toUtcDay(T0);
const DAYS = [
  { day: TODAY - 3, counts: [280, 2, 1, 1, 1, 3] },
  { day: TODAY - 1, counts: [300, 0, 0, 0, 0, 0] },
  { day: TODAY, counts: [9, 0, 0, 0, 0, 0] },
];
const OUTAGE = {
  sinceMs: T0 - 9_500,
  isSinceExact: true,
  endedAtMs: T0,
  code: "tcp-timeout",
  failing: 2,
  counted: 3,
} as const;

const MONTHS = [{ month: 682, checks: 8_640, down: 12, outages: 3 }];

function historyOf(parts: Partial<Parameters<typeof buildServiceHistory>[0]> = {}) {
  const record = { days: DAYS, outages: [OUTAGE] };
  const input = {
    slug: "bank",
    record,
    changes: [],
    past: undefined,
    months: MONTHS,
    nowMs: T0,
    ...parts,
  };
  return contentOf(buildServiceHistory(input));
}

test("the history of a service has its days that ended, with those without a check", () => {
  const { days } = historyOf();
  expect(days).toEqual([
    { date: "2027-01-12", ok: 280, slow: 2, partial: 1, denied: 1, bad: 4, none: 0 },
    { date: "2027-01-13", ok: 0, slow: 0, partial: 0, denied: 0, bad: 0, none: 288 },
    { date: "2027-01-14", ok: 300, slow: 0, partial: 0, denied: 0, bad: 0, none: 0 },
  ]);
  expect(historyOf({ record: undefined })).toMatchObject({ days: [], outages: [] });
});

test("a day that goes on changes no byte", () => {
  const later = DAYS.map((one) =>
    one.day === TODAY ? { ...one, counts: [99, 9, 9, 9, 9, 9] } : one,
  );
  const record = { days: later, outages: [OUTAGE] };
  expect(historyOf({ record, nowMs: T0 + HOUR_MS })).toEqual(historyOf());
  expect(historyOf({ record, nowMs: T0 + DAY_MS }).days).toHaveLength(4);
});

test("a history has the changes of its service, and outages with length and cause", () => {
  const changes = [
    changeOf({ seq: 1, slug: "bank", atMs: T0 - 5_000, code: "fail", live: true }),
    changeOf({ seq: 2, slug: "shop", atMs: T0, code: "fail" }),
  ];
  const at = Math.floor(T0 / 1_000);
  const lasting = { ...OUTAGE, endedAtMs: null };
  expect(historyOf({ changes, record: { days: [], outages: [OUTAGE, lasting] } })).toMatchObject({
    changes: [{ at: at - 5, before: "ok", code: "fail", live: true }],
    outages: [
      { start: at - 10, end: at, seconds: 10, cause: "tcp-timeout", failing: 2, counted: 3 },
      { start: at - 10, end: null, seconds: null },
    ],
  });
});

test("the index cuts uptimes off, so that 1 means that no check failed", () => {
  const all = { decided: 25_920, healthy: 25_920 };
  const most = { decided: 1_000_000, healthy: 999_999 };
  const none = { decided: 0, healthy: 0 };
  const uptimes = { "24h": all, "7d": most, "30d": none, "90d": all };
  const services = [{ slug: "bank", uptimes }];
  const index = contentOf(
    buildHistoryIndex({ hourMs: T0, services, months: MONTHS, monitorDays: [[TODAY - 1, 287]] }),
  );
  expect(index).toMatchObject({
    until: Math.floor(T0 / 1_000),
    services: [
      {
        slug: "bank",
        uptime: { "24h": 1, "7d": 0.99999, "30d": null, "90d": 1 },
        checks: { "24h": 25_920, "7d": 1_000_000, "30d": 0, "90d": 25_920 },
      },
    ],
    months: [{ month: "2026-11", checks: 8_640, down: 12, outages: 3 }],
    monitorDays: [{ date: "2027-01-14", checks: 287 }],
  });
});

test("the history of a monitor has only days that were not whole", () => {
  const days = [{ day: TODAY - 1, checks: 288, failed: 3, skipped: 1 }];
  const failures = [{ sinceMs: T0 - 60_000, endedAtMs: null, code: "tcp-timeout" as const }];
  expect(contentOf(buildMonitorHistory({ id: "My_shop-1", days, failures }))).toMatchObject({
    id: "My_shop-1",
    days: [{ date: "2027-01-14", checks: 288, failed: 3, skipped: 1 }],
    failures: [{ end: null, seconds: null, cause: "tcp-timeout" }],
  });
});

test("the history of a service is whole, with how long its own outages have lasted", () => {
  const past = { of: "category", days: 90, count: 7, medianMs: 60_000, longestMs: 90_500 } as const;
  const document = buildServiceHistory({
    slug: "bank",
    record: { days: [], outages: [OUTAGE] },
    changes: [],
    past,
    months: MONTHS,
    nowMs: T0,
  });
  const end = T0 / 1_000;
  expect([document.key, contentOf(document)]).toEqual([
    "history/v1/bank.json",
    {
      slug: "bank",
      method: METHOD_VERSION,
      changes: [],
      days: [],
      outages: [
        {
          start: end - 10,
          exact: true,
          end,
          seconds: 10,
          cause: "tcp-timeout",
          failing: 2,
          counted: 3,
        },
      ],
      past: { of: "service", days: 90, outages: 7, median: 60, longest: 90 },
      months: [{ month: "2026-11", checks: 8_640, down: 12, outages: 3 }],
    },
  ]);
  expect(historyOf()).not.toHaveProperty("past");
});

test("a history has 90 days, and a day with more runs than the timer makes lacks none", () => {
  const days = [
    { day: TODAY - 91, counts: [1] },
    { day: TODAY - 1, counts: [289] },
  ];
  const { days: told } = historyOf({ record: { days, outages: [] } }) as {
    readonly days: readonly object[];
  };
  expect([told.length, told[0], told.at(-1)]).toEqual([
    90,
    { date: "2026-10-17", ok: 0, slow: 0, partial: 0, denied: 0, bad: 0, none: 288 },
    { date: "2027-01-14", ok: 289, slow: 0, partial: 0, denied: 0, bad: 0, none: 0 },
  ]);
  const ofToday = { days: [{ day: TODAY, counts: [3] }], outages: [] };
  expect(historyOf({ record: ofToday })).toMatchObject({ days: [] });
});

test("the history of a monitor is whole", () => {
  const failures = [{ sinceMs: T0 - 60_000, endedAtMs: T0 - 30_000, code: "tcp-timeout" as const }];
  const document = buildMonitorHistory({ id: "My_shop-1", days: [], failures });
  expect([document.key, contentOf(document)]).toEqual([
    "history/v1/m/My_shop-1.json",
    {
      id: "My_shop-1",
      method: METHOD_VERSION,
      days: [],
      failures: [
        { start: T0 / 1_000 - 60, end: T0 / 1_000 - 30, seconds: 30, cause: "tcp-timeout" },
      ],
    },
  ]);
});

test("a share of uptime of five decimals is cut off there", () => {
  const of = (decided: number, healthy: number) => ({ decided, healthy });
  const uptimes = { "24h": of(3, 2), "7d": of(3, 0), "30d": of(1, 1), "90d": of(7, 6) };
  const index = buildHistoryIndex({
    hourMs: T0,
    services: [{ slug: "bank", uptimes }],
    months: [],
    monitorDays: [],
  });
  expect(index.key).toBe("history/v1/index.json");
  expect(contentOf(index)).toMatchObject({
    method: METHOD_VERSION,
    services: [{ uptime: { "24h": 0.66666, "7d": 0, "30d": 1, "90d": 0.85714 } }],
  });
});
