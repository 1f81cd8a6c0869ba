import type { Document } from "../../src/model/service/snapshot.ts";

/** One object of the website, and how the front must serve it. */
export interface SiteObject extends Document {
  /** The public path of the object. */
  readonly path: string;
  readonly shows: "page" | "svg" | "data";
}

const PAGE = "text/html; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";
const CSV = "text/csv; charset=utf-8; header=present";
const SVG = "image/svg+xml; charset=utf-8";

/** Long enough that every front compresses it. */
const LENGTH = 3_000;

/** The type of one object for every family of website paths in both languages, by key. Each body contains its key. */
const TYPES: Readonly<Record<string, string>> = {
  "index.html": PAGE,
  "en/index.html": PAGE,
  "status/sberbank": PAGE,
  "en/status/sberbank": PAGE,
  "status/mir-tesen-2": PAGE,
  "m/My_shop-1": PAGE,
  "en/m/My_shop-1": PAGE,
  "m/--": PAGE,
  api: PAGE,
  about: PAGE,
  accuracy: PAGE,
  "en/api": PAGE,
  "en/about": PAGE,
  "en/accuracy": PAGE,
  data: PAGE,
  "en/data": PAGE,
  "monitor/new": PAGE,
  "en/monitor/new": PAGE,
  "monitor/index.html": PAGE,
  "en/monitor/index.html": PAGE,
  "feed.atom": ATOM,
  "en/feed.atom": ATOM,
  "feed/sberbank.atom": ATOM,
  "feed/m/My_shop-1.atom": ATOM,
  "card.png": "image/png",
  "card/sberbank.restricted.png": "image/png",
  "card/sberbank.fail_long.202611230258.png": "image/png",
  "card/m/My_shop-1.png": "image/png",
  "badge.svg": SVG,
  "badge/sberbank.svg": SVG,
  "checked.svg": SVG,
  "favicon.svg": SVG,
  "icon-192.png": "image/png",
  "icon-512.png": "image/png",
  "icon-maskable.png": "image/png",
  "site.css": "text/css; charset=utf-8",
  "site.js": "text/javascript; charset=utf-8",
  "push.js": "text/javascript; charset=utf-8",
  "follow.js": "text/javascript; charset=utf-8",
  "owners.js": "text/javascript; charset=utf-8",
  "embed.js": "text/javascript; charset=utf-8",
  "openapi.json": "application/json; charset=utf-8",
  "names.json": "application/json; charset=utf-8",
  "accuracy/v1.json": "application/json; charset=utf-8",
  "evidence/v1/sberbank.json": "application/json; charset=utf-8",
  "evidence/v1/vantages.json": "application/json; charset=utf-8",
  "evidence/v1/raw/fra-1.json": "application/json; charset=utf-8",
  metrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  "changes/v1.json": "application/json; charset=utf-8",
  "history/v1/index.json": "application/json; charset=utf-8",
  "history/v1/sberbank.json": "application/json; charset=utf-8",
  "history/v1/m/My_shop-1.json": "application/json; charset=utf-8",
  "api/v2/summary.json": "application/json; charset=utf-8",
  "api/v2/incidents/unresolved.json": "application/json; charset=utf-8",
  "api/v2/scheduled-maintenances/active.json": "application/json; charset=utf-8",
  "badge.json": "application/json; charset=utf-8",
  "badge/sberbank.json": "application/json; charset=utf-8",
  "archive/v1/index.json": "application/json; charset=utf-8",
  "archive/v1/datapackage.json": "application/json; charset=utf-8",
  "archive/v1/2025-11-23/checks.parquet": "application/vnd.apache.parquet",
  "archive/v1/2025-11-23/checks.ndjson.gz": "application/gzip",
  "archive/v1/2025-10/changes.csv": CSV,
  "archive/v1/2025-10/reports.csv": CSV,
  "sitemap.xml": "application/xml; charset=utf-8",
  "robots.txt": "text/plain; charset=utf-8",
  "manifest.webmanifest": "application/manifest+json",
};

const LASTING = new Set([
  "site.css",
  "site.js",
  "owners.js",
  "follow.js",
  "push.js",
  "embed.js",
  "favicon.svg",
  "icon-192.png",
  "icon-512.png",
  "icon-maskable.png",
]);

/** Files of the archive have a date in their path, and never change. */
const IMMUTABLE = /^archive\/v1\/\d/u;

function cacheControlOf(key: string): string {
  if (IMMUTABLE.test(key)) return "public, max-age=31536000, immutable";
  return LASTING.has(key) ? "max-age=3600" : "max-age=60";
}

/** What a front must hand out as it is, because it is compressed already. */
export const PACKED_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "application/gzip",
  "application/vnd.apache.parquet",
]);

export const SITE: readonly SiteObject[] = Object.entries(TYPES).map(([key, contentType]) => ({
  key,
  path: `/${key.replace(/(?:^|(?<=\/))index\.html$/u, "")}`,
  contentType,
  cacheControl: cacheControlOf(key),
  body: Buffer.from(`${key} — страница `.repeat(LENGTH / 10).slice(0, LENGTH)),
  shows: contentType === PAGE ? "page" : contentType === SVG ? "svg" : "data",
}));

/** The page for paths that do not exist. */
export const MISSING_PAGE: Document = {
  key: "404.html",
  contentType: PAGE,
  cacheControl: "max-age=60",
  body: Buffer.from("<!doctype html><title>Такой страницы нет · No such page</title>".repeat(40)),
};

/** Keys that are in the store but not public. */
export const NO_PAGES = [
  "status/another.html",
  "m/another.html",
  "another.html",
  "en/index.htm",
  "feed/m/a.b.atom",
  "accuracy/v2.json",
  "evidence/v2/sberbank.json",
  "archive/v1/2025-11/checks.parquet",
  "archive/v1/2025-11-23/changes.csv",
  "archive/v1/2025-11-23/checks.json",
  "archive/2025-11-23.checks.ndjson.gz",
  "evidence/v1/raw/a/b.json",
  "badge/sberbank.png",
  "changes/v2.json",
  "history/v1/m/a.b.json",
  "api/v2/subscribers.json",
  "archive/v1/2025-11-23/checks.csv",
  "archive/v1/2025-11/checks.parquet",
  "archive/v1/2025-11-23/checks.ndjson",
  "card/sberbank.fail.20261123.png",
  "en/feed/sberbank.atom",
  "card/sberbank.png",
  "card/sberbank.Fail.png",
  "en/card.png",
  "card/m/a.b.png",
  "site.css.map",
  "icon-64.png",
  "status/a/b",
  "m/a/b",
  "secret",
  "en/secret",
];

/** Missing request targets that get the 404 page for readers. */
export const LOST_READERS = [
  "/nothing",
  "/secret",
  "/en/secret",
  "/en/nothing",
  "/status",
  "/status/",
  "/status/nobody",
  "/en/status/nobody",
  "/status/sberbank/",
  "/status/Sberbank",
  "/status/-sberbank",
  "/status/a/b",
  `/status/${"a".repeat(201)}`,
  "/m/nobody",
  "/m/",
  "/m/a/b",
  "/m/My%5fshop-1",
  "/m/my_shop-1",
  `/m/${"a".repeat(65)}`,
  "/about/",
  "/About",
  "/data/",
  "/data/v1",
  "/en/about/",
  "/en/en/about",
  "/ru/",
  "//",
  "//about",
  "/en//",
  "/./about",
  "/en/../about",
  "/%61bout",
  "/state/current",
  "/api%2fv1",
  "/report/sberbank",
  "/nothing?list-type=2",
  "/nothing?a.b",
  "/feed",
  "/card/sberbank",
];

/** Missing request targets that get a JSON 404 for programs. */
export const LOST_PROGRAMS = [
  "/index.html",
  "/en/index.html",
  "/404.html",
  "/status/sberbank.html",
  "/m/My_shop-1.html",
  "/m/My_shop-1.json",
  "/about.html",
  "/another.html",
  "/status/another.html",
  "/about.json",
  "/en/checked.svg",
  "/en/site.css",
  "/site.css.map",
  "/SITE.CSS",
  "/icon-64.png",
  "/card/nobody.ok.png",
  "/card/sberbank.png",
  "/card/sberbank.Fail.png",
  "/card/m/nobody.png",
  "/card/m/a.b.png",
  "/en/card.png",
  "/feed/nobody.atom",
  "/evidence/v1/nobody.json",
  "/metrics.json",
  "/changes/v2.json",
  "/history/v1/nobody.json",
  "/history/v1/m/a.b.json",
  "/api/v2/subscribers.json",
  "/api/v2/summary",
  "/badge/nobody.json",
  "/archive/v1/2025-11-22/checks.parquet",
  "/archive/v1/2025-11/checks.parquet",
  "/archive/v1/2025-11-23/changes.csv",
  "/archive/v1/2025-11-23/checks.json",
  "/archive/2025-11-23.checks.ndjson.gz",
  "/evidence/v1/raw/nobody.json",
  "/en/feed/sberbank.atom",
  "/feed/m/nobody.atom",
  "/feed/m/a.b.atom",
  "/badge/nobody.svg",
  "/archive/v1/2025-11-22/checks.parquet",
  "/archive/v1/2025-11-23/checks.csv",
  "/archive/v1/2025-11/checks.parquet",
  "/archive/v1/2025-11-23/../index.json",
  "/badge/sberbank.png",
  "/badge/Sberbank.svg",
  "/en/badge.svg",
  "/card/sberbank.fail.20261123.png",
  "/.state/state.json.gz",
  "/.tmp",
  "/en/..",
  "/api/",
  "/api/about",
  "/api/v1",
  "/api/v1/status/",
  "/api/v1/status/nobody",
  "/api/m/nobody/badge.svg",
  "/nothing.here?x=/",
];
