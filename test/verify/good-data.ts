import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { VERDICT_CODES } from "../../src/contract/codes/verdict.ts";
import { drawStatuspage, type GoodEntry } from "./good-statuspage.ts";

const DAY_S = 86_400;
const METHOD = "2026-11-24";
const MONTHS = [
  { month: "2026-10", checks: 8_928, down: 3, outages: 1 },
  { month: "2026-11", checks: 2_880, down: 0, outages: 0 },
];

/**
 * Open data by key, written independently of the publisher, so that they do not share its mistakes. The list has the time `updatedS`; the
 * archive has two days and a month.
 */
export function drawData(
  services: readonly GoodEntry[],
  updatedS: number,
): Readonly<Record<string, string | Buffer>> {
  const shield = JSON.stringify({ schemaVersion: 1, label: "x", message: "y", color: "cf222e" });
  return {
    "changes/v1.json": drawChanges(services, updatedS),
    metrics: drawMetrics(services, updatedS),
    "operators/v1.json": drawOperators(services),
    "accuracy/v1.json": drawAccuracy(updatedS),
    "history/v1/index.json": drawUptimes(services, updatedS),
    "outages/v1/index.json": drawOutages(services, updatedS),
    ...Object.fromEntries(
      services.flatMap(({ slug }) => [
        [`history/v1/${slug}.json`, drawHistory(slug, updatedS)],
        [`badge/${slug}.json`, shield],
      ]),
    ),
    "badge.json": shield,
    ...drawStatuspage(services, updatedS),
    ...drawArchive(updatedS),
  };
}

function dateOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10);
}

const UNUSUAL = { shares: [{ operator: "mts", share: 71, usual: 18 }], alone: true };

/** One operator with many reports about the first service, and one with too few in the last hour. */
function drawOperators([first]: readonly GoodEntry[]): string {
  const usual = { usual: 18, usualOf: "service" };
  const operators = [
    { operator: "mts", reportsHour: 12, reportsDay: 30, share: 71, ...usual, unusual: true },
    { operator: "other", reportsHour: null, reportsDay: 9, share: 20, ...usual, unusual: false },
  ];
  const services = [{ slug: first?.slug, operators, unusual: UNUSUAL }];
  return JSON.stringify({ attribution: "DB-IP", services });
}

/** The last two changes of the first service, and one of a service that left the catalogue. */
function drawChanges([first]: readonly GoodEntry[], updatedS: number): string {
  const slug = first?.slug ?? "";
  const rows = [
    { slug, before: "ok", code: "fail", color: "bad", scope: "everywhere", surge: true },
    { slug: "gone", before: "slow", code: "ok", color: "ok", scope: "none", surge: false },
    { slug, before: "fail", code: "ok", color: "ok", scope: "unknown", surge: false },
  ];
  const changes = rows.map((row, index) => {
    const at = updatedS - 900 + index * 300;
    return { seq: 41 + index, id: `${row.slug}.${at}.${row.code}`, at, ...row };
  });
  return JSON.stringify({ next: 44, changes });
}

/** Two outages, of which the second lasts. */
function drawOutages([first, second]: readonly GoodEntry[], updatedS: number): string {
  const rows = [
    { slug: second?.slug ?? "", told: updatedS - 300, end: null, endSeen: false },
    { slug: first?.slug ?? "", told: updatedS - 600, end: updatedS - 300, endSeen: true },
  ];
  const ids = rows.map(({ slug, told }) => {
    return `${slug}.${new Date(told * 1_000).toISOString().replaceAll(/\D/gu, "").slice(0, 12)}`;
  });
  const outages = rows.map(({ slug, told, ...end }, place) => ({
    id: ids[place],
    slug,
    category: place === 0 ? null : "banks",
    code: "fail",
    told,
    since: told - 60,
    ...end,
    scope: "russia",
    cause: "tcp-timeout",
    failing: 1,
    counted: 2,
    network: null,
    operators: place === 0 ? null : UNUSUAL,
    reported: place === 0,
    truth: null,
    sources: [],
    together: [ids[1 - place]],
  }));
  const months = [
    { month: "2026-11", outages: 2 },
    { month: "2026-10", outages: 40 },
  ];
  return JSON.stringify({ outages, months });
}

const DOWN = /^(?:fail|err|fail_long|restricted_fail)$/u;

function drawMetrics(services: readonly GoodEntry[], updatedS: number): string {
  const known = services.filter(({ color }) => color !== "none");
  return [
    "# TYPE status_snapshot_up gauge",
    "# HELP status_snapshot_up Whether it works.",
    ...known.map(
      ({ slug, code }) => `status_snapshot_up{service="${slug}"} ${DOWN.test(code) ? 0 : 1}`,
    ),
    "# TYPE status_snapshot_verdict gauge",
    "# HELP status_snapshot_verdict The verdict.",
    ...services.flatMap((one) =>
      VERDICT_CODES.map(
        (code) =>
          `status_snapshot_verdict{service="${one.slug}",code="${code}"} ${one.code === code ? 1 : 0}`,
      ),
    ),
    "# TYPE status_snapshot_reports_hour gauge",
    "# HELP status_snapshot_reports_hour Reports.",
    ...services.map(({ slug }) => `status_snapshot_reports_hour{service="${slug}"} 2`),
    "# TYPE status_snapshot_updated_timestamp_seconds gauge",
    "# UNIT status_snapshot_updated_timestamp_seconds seconds",
    "# HELP status_snapshot_updated_timestamp_seconds Time.",
    `status_snapshot_updated_timestamp_seconds ${updatedS}`,
    "# EOF\n",
  ].join("\n");
}

function drawAccuracy(updatedS: number): string {
  const until = updatedS - (updatedS % DAY_S);
  const delay = { count: 1, median: -60, p90: 120 };
  const month = {
    month: "2026-10",
    runs: 8_640,
    outages: {
      told: 3,
      short: 1,
      shortReported: 0,
      shortLookedAtElsewhere: 0,
      shortSeenElsewhere: 0,
    },
    false: { suspected: 1, confirmed: 0 },
    right: { confirmed: 0 },
    late: { surged: 1, suspected: 0 },
    missed: { truthOutages: 0, missed: 0 },
    delay: { byTruth: { count: 0, median: null, p90: null }, byReports: delay },
    congestedRuns: 0,
    noneMinutes: { services: 0, runner: 0 },
    controls: { compared: 12, onlyMoscow: 1, onlyAbroad: 0 },
  };
  return JSON.stringify({
    license: "CC-BY-4.0",
    method: METHOD,
    methodChanges: [{ date: METHOD, text: "The record begins." }],
    since: until - 40 * DAY_S,
    until,
    truthEntries: 0,
    months: [month, { ...month, month: "2026-09" }],
  });
}

function drawUptimes(services: readonly GoodEntry[], updatedS: number): string {
  return JSON.stringify({
    method: METHOD,
    until: updatedS - (updatedS % 3_600),
    services: services.map(({ slug }) => ({
      slug,
      uptime: { "24h": null, "7d": 1, "30d": 0.99998, "90d": 0 },
      checks: { "24h": 0, "7d": 2_016, "30d": 8_640, "90d": 25_920 },
    })),
    months: MONTHS,
    monitorDays: [{ date: dateOf(updatedS - DAY_S), checks: 288 }],
  });
}

function drawHistory(slug: string, updatedS: number): string {
  const checks = { ok: 280, slow: 1, partial: 2, denied: 0, bad: 4, none: 1 };
  const ended = { start: updatedS - 7_200, exact: true, end: updatedS - 6_600, seconds: 600 };
  return JSON.stringify({
    slug,
    method: METHOD,
    changes: [{ at: updatedS - 600, before: "slow", code: "ok", live: false }],
    days: [2, 1].map((ago) => ({ date: dateOf(updatedS - ago * DAY_S), ...checks })),
    outages: [
      { ...ended, cause: "tcp-timeout", failing: 1, counted: 2 },
      {
        start: updatedS - 600,
        exact: false,
        end: null,
        seconds: null,
        cause: null,
        failing: 2,
        counted: 2,
      },
    ],
    months: MONTHS,
  });
}

/** The lists of the archive, the newest first, and its files. */
function drawArchive(updatedS: number): Readonly<Record<string, string | Buffer>> {
  const month = dateOf(updatedS - 40 * DAY_S).slice(0, 7);
  const [newest, older] = [dateOf(updatedS - DAY_S), dateOf(updatedS - 2 * DAY_S)];
  const files = new Map(
    [newest, older].flatMap((date): [string, Buffer][] => [
      [`${date}/checks.parquet`, Buffer.from("PAR1\u00FF\u0000PAR1", "latin1")],
      [`${date}/checks.ndjson.gz`, gzipSync(`{"at":1,"service":"sberbank"}\n`)],
    ]),
  );
  files.set(`${month}/changes.csv`, Buffer.from("seq,service\n1,sberbank\n"));
  files.set(`${month}/reports.csv`, Buffer.from("hour,service,reports\n"));
  const listed = [...files].map(([path, body]) => ({
    path,
    bytes: body.length,
    rows: 1,
    sha256: createHash("sha256").update(body).digest("hex"),
  }));
  const part = (date: string) => ({
    date,
    files: listed.filter(({ path }) => path.startsWith(`${date}/`)),
  });
  return {
    "archive/v1/index.json": JSON.stringify({
      licence: "CC-BY-4.0",
      method: METHOD,
      days: [part(newest), part(older)],
      months: [part(month)],
    }),
    "archive/v1/datapackage.json": JSON.stringify({
      name: "status-snapshot",
      version: METHOD,
      licenses: [{ name: "CC-BY-4.0" }],
      resources: listed.map(({ path, bytes, sha256 }) => ({
        name: path.replaceAll(/[/.]/gu, "-"),
        path,
        bytes,
        hash: `sha256:${sha256}`,
        schema: { fields: [] },
      })),
    }),
    ...Object.fromEntries([...files].map(([path, body]) => [`archive/v1/${path}`, body])),
  };
}
