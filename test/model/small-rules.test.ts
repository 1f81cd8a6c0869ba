import { describe, expect, test } from "vitest";
import { backoffMs } from "../../src/model/store.ts";
import { fnv1a, hashText } from "../../src/model/fnv1a.ts";
import { OWNER_PROBLEMS, VISITOR_PROBLEMS } from "../../src/model/monitor/problems.ts";
import { gradeUptime, gradeUptimes } from "../../src/model/monitor/pictures.ts";
import { isOfWebsite, NOTHING_PUBLISHED } from "../../src/model/publication.ts";
import { isPublicSuffix, registrableDomainOf } from "../../src/model/registrable-domain.ts";
import { NOTHING_COUNTED } from "../../src/model/service/accuracy.ts";
import { NO_REPORTS } from "../../src/model/service/reports.ts";
import { METHOD_CHANGES, METHOD_VERSION } from "../../src/model/service/method.ts";

test.each([
  [1, 0.5, 20],
  [2, 0.5, 40],
  [3, 0.25, 40],
  [4, 0.5, 150],
  [9, 0, 0],
])("after attempt %i, with %d by chance, a writer waits %i ms", (attempt, chance, ms) => {
  expect(backoffMs(attempt, () => chance, { firstMs: 20, longestMs: 300 })).toBe(ms);
});

test("FNV-1a gives the published values, and a hash of it has 64 bits", () => {
  expect(fnv1a("")).toBe(0x811c9dc5);
  expect(fnv1a("a")).toBe(0xe40c292c);
  expect(fnv1a("foobar")).toBe(0xbf9cf968);
  expect(hashText("a")).toBe(`${(0xe40c292c).toString(36)}.${fnv1a("a", 0x2f0b4c47).toString(36)}`);
});

describe("an uptime", () => {
  test.each([
    [0, 0, null, "none"],
    [1, 0, "0.00%", "bad"],
    [1, 1, "100%", "best"],
    [10_000, 9_999, "99.99%", "best"],
    [10_000, 9_990, "99.90%", "best"],
    [10_000, 9_989, "99.89%", "good"],
    [10_000, 9_900, "99.00%", "good"],
    [10_000, 9_899, "98.99%", "fair"],
    [10_000, 9_700, "97.00%", "fair"],
    [10_000, 9_699, "96.99%", "poor"],
    [10_000, 9_000, "90.00%", "poor"],
    [10_000, 8_999, "89.99%", "bad"],
    [1_000_000, 999_999, "99.99%", "best"],
    [3, 2, "66.66%", "bad"],
  ])("of %i checks with %i healthy is %s, %s", (decided, healthy, value, tone) => {
    expect(gradeUptime({ decided, healthy })).toEqual({ value, tone });
  });

  test("is graded by each window", () => {
    const of = (healthy: number) => ({ decided: 10, healthy });
    const grades = gradeUptimes({ "24h": of(1), "7d": of(2), "30d": of(3), "90d": of(4) });
    expect(Object.entries(grades).map(([window, { value }]) => [window, value])).toEqual([
      ["24h", "10.00%"],
      ["7d", "20.00%"],
      ["30d", "30.00%"],
      ["90d", "40.00%"],
    ]);
  });
});

test("a refusal has the status that HTTP has for it", () => {
  // RFC 9110, RFC 6585, and RFC 4918 for 422.
  const wanted = {
    malformed: 400,
    "no-address": 400,
    "foreign-origin": 403,
    "blocked-host": 403,
    unknown: 404,
    off: 404,
    "alerts-off": 404,
    "wrong-method": 405,
    "too-slow": 408,
    "not-proved": 409,
    removed: 409,
    refused: 409,
    "limit-host": 409,
    "limit-domain": 409,
    "limit-channels": 409,
    changed: 412,
    "too-large": 413,
    "unknown-media-type": 415,
    invalid: 422,
    flood: 429,
    "limit-network": 429,
    unavailable: 503,
  };
  const statuses = (problems: Readonly<Record<string, readonly [number, string]>>) =>
    Object.fromEntries(Object.entries(problems).map(([code, [status]]) => [code, status]));
  expect(statuses(OWNER_PROBLEMS)).toEqual(wanted);
  const forVisitors = { ...wanted, "limit-host": 503, "limit-all": 503 };
  for (const [code, status] of Object.entries(statuses(VISITOR_PROBLEMS)))
    expect([code, status]).toEqual([code, forVisitors[code as keyof typeof forVisitors]]);
});

test.each([
  ["index.html", true],
  ["en/feed.atom", true],
  ["apix", true],
  ["metrics/x", true],
  ["api/v1/status.json", false],
  ["changes/1.json", false],
  ["accuracy/2026-11.json", false],
  ["metrics", false],
])("%s belongs to the website: %s", (key, isWebsite) => {
  expect(isOfWebsite(key)).toBe(isWebsite);
});

test.each([
  ["shop.example.co.uk", "example.co.uk", false],
  ["user.github.io", "user.github.io", false],
  ["a.user.github.io", "user.github.io", false],
  ["github.io", "github.io", true],
  ["co.uk", "co.uk", true],
  ["ru", "ru", true],
  ["192.0.2.1", "192.0.2.1", false],
  ["localhost", "localhost", false],
])("the domain of %s is %s; it is a public suffix: %s", (host, domain, isSuffix) => {
  expect([registrableDomainOf(host), isPublicSuffix(host)]).toEqual([domain, isSuffix]);
});

test("the version of the method is the date of its last change", () => {
  const dates = METHOD_CHANGES.map(({ date }) => date);
  expect(dates).toEqual(dates.toSorted());
  expect(METHOD_VERSION).toBe(dates.at(-1));
});

test("nothing is counted, and nothing published, at first", () => {
  expect(new Set(Object.values(NOTHING_COUNTED))).toEqual(new Set([0]));
  expect(NO_REPORTS).toEqual({ hour: 0, day: 0, isSurging: false });
  expect(NOTHING_PUBLISHED).toMatchObject({ generation: 0, marks: [], auditedAtMs: 0 });
});
