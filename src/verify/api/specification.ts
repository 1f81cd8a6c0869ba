/**
 * The specification of the API as a client reads it. A deliberate copy: checks that use the tables of the publisher could not find
 * its mistakes.
 */

/** The only pairs of code and colour. Source: API specification, "States and transitions". */
export const COLOR_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["ok", "ok"],
  ["fail", "bad"],
  ["fail_long", "bad"],
  ["err", "bad"],
  ["restricted_fail", "bad"],
  ["restricted", "bad"],
  ["slow", "warn"],
  ["partial", "warn"],
  ["spike", "warn"],
  ["slowed_ru", "warn"],
  ["partial_ru", "warn"],
  ["provider", "warn"],
  ["none", "none"],
]);

/**
 * `live` of the codes whose description determines it: `fail` is an "ongoing outage right now", `spike` a current increase; with
 * `ok` "everything works", and with `none` no check could have failed. Other codes allow both.
 * Source: API specification, "States and transitions".
 */
export const LIVE_BY_CODE: ReadonlyMap<string, boolean> = new Map([
  ["fail", true],
  ["spike", true],
  ["ok", false],
  ["none", false],
]);

/** Lowercase letters, digits and hyphens. Source: API specification, "Catalogue entry". */
export const SLUG: RegExp = /^[a-z0-9]+(?:-[a-z0-9]+)*$/u;

/** Seconds for which any response may be reused. Source: API specification, "Headers on responses" and "Limits". */
export const MAX_AGE_S = 60;

export const LIST_PATH = "/api/v1/status";

/** Path of the detail of a service. */
export function detailPath(slug: string): string {
  return `${LIST_PATH}/${slug}`;
}

/**
 * The objects of a public monitor. Sources: for the first, API specification, "Monitor badge"; for the others, and the value that
 * badges show, docs/verify.md.
 */
export const BADGE_NAMES = [
  "badge.svg",
  "badge.png",
  "badge.json",
  "badge-24h.svg",
  "badge-7d.svg",
  "badge-90d.svg",
] as const;
export type BadgeName = (typeof BADGE_NAMES)[number];

/** Path of an object of a monitor. */
export function badgePath(id: string, name: string): string {
  return `/api/m/${id}/${name}`;
}

/** `100%`, two decimals, or "no data" in either language. `100.00%` does not match: 100% means that no check failed. */
export const BADGE_VALUE: RegExp = /^(?:100%|\d{1,2}\.\d{2}%|нет данных|no data)$/u;

/*
 * Open data. Source of everything below: docs/open-data.md.
 */

/** Status of the component of a service by its code. Source: "Statuspage". */
export const COMPONENT_STATUS_BY_CODE: ReadonlyMap<string, string> = new Map([
  ["ok", "operational"],
  ["provider", "operational"],
  ["none", "operational"],
  ["slow", "degraded_performance"],
  ["slowed_ru", "degraded_performance"],
  ["partial_ru", "degraded_performance"],
  ["spike", "degraded_performance"],
  ["restricted", "degraded_performance"],
  ["partial", "partial_outage"],
  ["fail", "major_outage"],
  ["err", "major_outage"],
  ["fail_long", "major_outage"],
  ["restricted_fail", "major_outage"],
]);

/** Codes of which the metrics say that the service is not up. Source: "Metrics". */
export const DOWN_CODES: ReadonlySet<string> = new Set([
  "fail",
  "err",
  "fail_long",
  "restricted_fail",
]);

/** From how many per cent of the services with an open incident on the page has an indicator, the worst first. Source: "Statuspage". */
export const INDICATORS = [
  ["critical", 30],
  ["major", 5],
  ["minor", 0],
] as const;

/** Codes of which changes are: a time without data is no change. Source: "Changes". */
export const CHANGED_CODES: readonly string[] = [...COLOR_BY_CODE.keys()].filter(
  (code) => code !== "none",
);

/** Where a service fails. Source: docs/services/scope.md. */
export const SCOPES = [
  "none",
  "russia",
  "everywhere",
  "network",
  "path",
  "mixed",
  "unknown",
] as const;

/** Windows of uptime. Source: "History". */
export const UPTIME_WINDOWS = ["24h", "7d", "30d", "90d"] as const;

/** Paths of the documents of which there is one. */
export const DATA_PATHS = {
  changes: "/changes/v1.json",
  metrics: "/metrics",
  accuracy: "/accuracy/v1.json",
  historyIndex: "/history/v1/index.json",
  archiveIndex: "/archive/v1/index.json",
  datapackage: "/archive/v1/datapackage.json",
  overallShield: "/badge.json",
} as const;

/** Documents in the format of Statuspage. Source: "Statuspage". */
export const STATUSPAGE_NAMES = [
  "summary",
  "status",
  "components",
  "incidents",
  "incidents/unresolved",
  "scheduled-maintenances",
  "scheduled-maintenances/active",
  "scheduled-maintenances/upcoming",
] as const;
export type StatuspageName = (typeof STATUSPAGE_NAMES)[number];

/** Path of a document in the format of Statuspage. */
export function statuspagePath(name: StatuspageName): string {
  return `/api/v2/${name}.json`;
}

/** Path of the history of a service. */
export function historyPath(slug: string): string {
  return `/history/v1/${slug}.json`;
}

/** Path of the verdict of a service for the endpoint badge of shields.io. Source: "Badges as JSON". */
export function shieldPath(slug: string): string {
  return `/badge/${slug}.json`;
}

/** Path of a file of the archive, as the index names it. */
export function archivePath(path: string): string {
  return `/archive/v1/${path}`;
}

/** Files of a day and of a month, with their types. Sources: "Archive", docs/publish/fronts.md. */
export const ARCHIVE_FILES = {
  days: {
    "checks.parquet": "application/vnd.apache.parquet",
    "checks.ndjson.gz": "application/gzip",
  },
  months: { "changes.csv": "text/csv", "reports.csv": "text/csv" },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;
