import { isObjectKind, type ObjectKind } from "./kinds.ts";

/** How long caches may keep an object. All that changes with measurements and reports, for a minute. */
export type Lifetime = "minute" | "hour" | "ever";

/** An object of the store and how to serve it. */
export interface ServedObject {
  readonly key: string;
  readonly kind: ObjectKind;
  readonly lasts: Lifetime;
}

/**
 * One family of public paths. The pattern must match the whole path without its leading slash, which is the key; a path that
 * ends with a slash is the index of that folder. Other paths are not public, whatever objects the store has.
 */
export interface Route {
  readonly pattern: RegExp;
  /** The kind of the objects, or `extension`: given by the extension of the path. */
  readonly kind: ObjectKind | "extension";
  /** @default "minute" */
  readonly lasts?: Lifetime;
}

/** As in the catalogue. The bound of 200 only keeps names that no store could hold from reaching one. */
const SLUG = "(?![a-z0-9-]{201})[a-z0-9]+(?:-[a-z0-9]+)*";

/** The code of a verdict, of this version or another. */
const CODE = "[a-z_]{2,20}";

/** As in the registry of monitors. */
const ID = "[A-Za-z0-9_-]{1,64}";

/** Documents for other programs. Source: docs/open-data.md. */
const OPEN_ROUTES: readonly Route[] = [
  { pattern: /^metrics$/u, kind: "openmetrics" },
  { pattern: /^changes\/v1\.json$/u, kind: "json" },
  { pattern: new RegExp(`^history/v1/(?:m/${ID}|${SLUG})\\.json$`, "u"), kind: "json" },
  {
    pattern:
      /^api\/v2\/(?:summary|status|components|incidents|incidents\/unresolved|scheduled-maintenances(?:\/(?:active|upcoming))?)\.json$/u,
    kind: "json",
  },
  { pattern: new RegExp(`^badge(?:/${SLUG})?\\.json$`, "u"), kind: "json" },
];

/** The archive: its list, and files that never change. Source: docs/open-data.md, "Archive". */
const ARCHIVE_ROUTES: readonly Route[] = [
  { pattern: /^archive\/v1\/(?:index|datapackage)\.json$/u, kind: "json" },
  {
    pattern:
      /^archive\/v1\/(?:\d{4}-\d{2}-\d{2}\/checks\.(?:parquet|ndjson\.gz)|\d{4}-\d{2}\/(?:changes|reports)\.csv)$/u,
    kind: "extension",
    lasts: "ever",
  },
];

/**
 * The paths in the specification of the API, the other badges of a monitor (PNG, JSON, and other windows; the window of
 * `badge.svg` has no second name), and the website: pages in two languages with their assets, feeds, cards, and files for
 * robots, and the evidence. `docs/publish/fronts.md` lists them in words.
 */
export const ROUTES: readonly Route[] = [
  ...OPEN_ROUTES,
  ...ARCHIVE_ROUTES,
  { pattern: /^api\/v1\/status$/u, kind: "json" },
  { pattern: new RegExp(`^api/v1/status/${SLUG}$`, "u"), kind: "json" },
  {
    pattern: new RegExp(`^api/m/${ID}/badge(?:-(?:24h|7d|90d)\\.svg|\\.(?:svg|png|json))$`, "u"),
    kind: "extension",
  },
  { pattern: /^(?:en\/)?(?:api|about|accuracy|data)?$/u, kind: "html" },
  { pattern: new RegExp(`^(?:en/)?status/${SLUG}$`, "u"), kind: "html" },
  { pattern: /^(?:en\/)?monitor\/(?:new)?$/u, kind: "html" },
  { pattern: new RegExp(`^(?:en/)?m/${ID}$`, "u"), kind: "html" },
  {
    pattern: new RegExp(`^(?:(?:en/)?feed|feed/${SLUG}|feed/m/${ID})\\.atom$`, "u"),
    kind: "extension",
  },
  {
    pattern: new RegExp(`^card(?:/${SLUG}\\.${CODE}(?:\\.\\d{12})?|/m/${ID})?\\.png$`, "u"),
    kind: "extension",
  },
  { pattern: new RegExp(`^badge(?:/${SLUG})?\\.svg$`, "u"), kind: "extension" },
  { pattern: new RegExp(`^evidence/v1/(?:raw/)?${SLUG}\\.json$`, "u"), kind: "extension" },
  { pattern: /^accuracy\/v1\.json$/u, kind: "extension" },
  {
    pattern:
      /^(?:checked\.svg|openapi\.json|names\.json|sitemap\.xml|robots\.txt|manifest\.webmanifest)$/u,
    kind: "extension",
  },
  {
    pattern:
      /^(?:site\.css|site\.js|owners\.js|follow\.js|push\.js|embed\.js|favicon\.svg|icon-(?:192|512|maskable)\.png)$/u,
    kind: "extension",
    lasts: "hour",
  },
];

/** The page for website paths that do not exist. It is not a public path itself. */
export const MISSING_PAGE_KEY = "404.html";

/**
 * The object for a request target (raw, as received); undefined if there is none. Ignores the query, because the interface
 * defines no parameters. Decodes nothing and resolves no dot segments, like the fronts of `docs/publish/fronts.md`: no public path
 * needs a percent sign. Never throws.
 */
export function findTarget(
  requestTarget: string,
  routes: readonly Route[] = ROUTES,
): ServedObject | undefined {
  const path = toPath(requestTarget);
  if (!path.startsWith("/")) return undefined;
  const name = path.slice(1);
  const route = routes.find(({ pattern }) => pattern.test(name));
  if (route === undefined) return undefined;
  const kind = route.kind === "extension" ? kindOf(name) : route.kind;
  if (kind === undefined) return undefined;
  const key = name === "" || name.endsWith("/") ? `${name}index.html` : name;
  return { key, kind, lasts: route.lasts ?? "minute" };
}

/** The path of the object of a request target, if it differs: the English index is a folder. */
export function findMove(requestTarget: string): string | undefined {
  return toPath(requestTarget) === "/en" ? "/en/" : undefined;
}

/**
 * Whether a missing path gets the 404 page for readers instead of JSON: not below `/api/`, not the metrics, and without a dot in the last
 * segment. Only the path counts, not `Accept`, so that caches keep one response for it. Source: docs/publish/fronts.md.
 */
export function isPagePath(requestTarget: string): boolean {
  const path = toPath(requestTarget);
  const last = path.slice(path.lastIndexOf("/") + 1);
  const isOfProgram = path.startsWith("/api/") || path === "/metrics" || last.includes(".");
  return path.startsWith("/") && !isOfProgram;
}

/** The path of a target. Proxies send the absolute form (RFC 9112, section 3.2.2). */
function toPath(requestTarget: string): string {
  const withoutOrigin = requestTarget.replace(/^https?:\/\/[^/?#]*/i, "");
  return withoutOrigin.split("?", 1)[0] ?? "";
}

function kindOf(key: string): ObjectKind | undefined {
  const extension = key.slice(key.lastIndexOf(".") + 1);
  return isObjectKind(extension) ? extension : undefined;
}
