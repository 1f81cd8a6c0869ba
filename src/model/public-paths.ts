import { MONITOR_ID_SOURCE, SLUG_SOURCE } from "./ids.ts";

/** Content types of the served objects, by the extension of their path; paths of pages and of the metrics have none. */
export const CONTENT_TYPES = {
  atom: "application/atom+xml; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
  css: "text/css; charset=utf-8",
  gz: "application/gzip",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  png: "image/png",
  svg: "image/svg+xml; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  webmanifest: "application/manifest+json",
  xml: "application/xml; charset=utf-8",
} as const;

export type ObjectKind = keyof typeof CONTENT_TYPES;

/** `Cache-Control` of objects. Source: docs/publish/fronts.md, "What every front does". */
export const CACHE_CONTROL = {
  /** Of all that changes with measurements and reports, and of what is missing. */
  minute: "max-age=60",
  /** Of files that change only with the version of the program: pages request them by digest. */
  hour: "max-age=3600",
  /** Source: RFC 8246. */
  ever: "public, max-age=31536000, immutable",
} as const;

/** How a public object is served. */
export interface Served {
  /** @default of a route: by the extension of the path */
  readonly kind: ObjectKind;
  /** @default of a route: "minute" */
  readonly lasts: keyof typeof CACHE_CONTROL;
}

/** Public paths, matched without their leading slash: that is the key, and a path that ends with a slash is the index of that folder. */
export interface Route extends Partial<Served> {
  readonly pattern: RegExp;
}

/** The bound of 200 only keeps names that no store could hold from reaching one. */
const SLUG = `(?![a-z0-9-]{201})${SLUG_SOURCE}`;

/** The code of a verdict, of this version or another. */
const CODE = "[a-z_]{2,20}";

const ID = MONITOR_ID_SOURCE;

/** @param path a regular expression of the whole path. */
function route(path: string, more: Omit<Route, "pattern"> = {}): Route {
  return { pattern: new RegExp(`^(?:${path})$`, "u"), ...more };
}

const { raw } = String;

/** Documents for other programs. Source: docs/open-data.md. */
const OPEN_ROUTES: readonly Route[] = [
  route("metrics", { kind: "openmetrics" }),
  route(raw`(?:changes|operators)/v1\.json`),
  route(raw`history/v1/(?:m/${ID}|${SLUG})\.json`),
  route(raw`outages/v1/(?:index|\d{4}-\d{2}(?:-\d{2})?|${SLUG}/\d{12})\.json`),
  route(raw`api/v2/(?:summary|status|components|incidents(?:/unresolved)?)\.json`),
  route(raw`api/v2/scheduled-maintenances(?:/(?:active|upcoming))?\.json`),
  route(raw`badge(?:/${SLUG})?\.json`),
];

/** The archive: its list, and files that never change. Source: docs/open-data.md, "Archive". */
const ARCHIVE_ROUTES: readonly Route[] = [
  route(raw`archive/v1/(?:index|datapackage)\.json`),
  route(raw`archive/v1/\d{4}-\d{2}-\d{2}/checks\.(?:parquet|ndjson\.gz)`, { lasts: "ever" }),
  route(raw`archive/v1/\d{4}-\d{2}/(?:changes|reports)\.csv`, { lasts: "ever" }),
];

/**
 * The specification of the API, the other badges of a monitor, the website with its assets, feeds, cards and files for robots, and the
 * evidence. `docs/publish/fronts.md` lists them in words.
 */
export const ROUTES: readonly Route[] = [
  // First, because of most objects it is the route.
  route(raw`api/m/${ID}/badge(?:-(?:24h|7d|90d)\.svg|\.(?:svg|png|json))`),
  ...OPEN_ROUTES,
  ...ARCHIVE_ROUTES,
  route("api/v1/status", { kind: "json" }),
  route(`api/v1/status/${SLUG}`, { kind: "json" }),
  route(raw`(?:en/)?(?:api|about|accuracy|data|outages|day/\d{4}-\d\d-\d\d)?`, { kind: "html" }),
  route(raw`(?:en/)?status/${SLUG}(?:/outages/\d{12})?`, { kind: "html" }),
  route("(?:en/)?monitor/(?:new)?", { kind: "html" }),
  route(`(?:en/)?m/${ID}`, { kind: "html" }),
  route(raw`(?:(?:en/)?feed|feed/${SLUG}|feed/m/${ID})\.atom`),
  route(raw`card(?:/${SLUG}\.${CODE}(?:\.\d{12})?|/m/${ID})?\.png`),
  route(raw`badge(?:/${SLUG})?\.svg`),
  route(raw`evidence/v1/(?:raw/)?${SLUG}\.json`),
  route(raw`accuracy/v1\.json`),
  route(raw`checked\.svg|(?:openapi|names)\.json|sitemap\.xml|manifest\.webmanifest`),
  route(raw`(?:operator|robots)\.txt`),
  route(raw`site\.css|(?:site|owners|follow|push|embed)\.js`, { lasts: "hour" }),
  route(raw`favicon\.svg|icon-(?:192|512|maskable)\.png`, { lasts: "hour" }),
];

/** The page for website paths that do not exist. It is not a public path itself. */
export const MISSING_PAGE_KEY = "404.html";

const INDEX = "index.html";

/** How a public path, without its leading slash, is served; undefined for any other. Never throws. */
export function findServed(path: string, routes: readonly Route[] = ROUTES): Served | undefined {
  const route = routes.find(({ pattern }) => pattern.test(path));
  if (route === undefined) return undefined;
  const kind = route.kind ?? kindOf(path);
  return kind && { kind, lasts: route.lasts ?? "minute" };
}

/** The same for the key of an object, which for the index of a folder is not its path. Never throws. */
export function findServedKey(key: string): Served | undefined {
  if (key === MISSING_PAGE_KEY) return { kind: "html", lasts: "minute" };
  const isIndex = key === INDEX || key.endsWith(`/${INDEX}`);
  return findServed(isIndex ? key.slice(0, -INDEX.length) : key);
}

/** The type that the extension of a path gives, without parameters; undefined for an extension that no public path has. */
export function mediaTypeOf(path: string): string | undefined {
  const kind = kindOf(path);
  return kind && CONTENT_TYPES[kind].split(";", 1)[0];
}

function kindOf(path: string): ObjectKind | undefined {
  const extension = path.slice(path.lastIndexOf(".") + 1);
  return Object.hasOwn(CONTENT_TYPES, extension) ? (extension as ObjectKind) : undefined;
}
