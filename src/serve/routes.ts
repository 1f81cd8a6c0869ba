import { isObjectKind, type ObjectKind } from "./kinds.ts";

/** An object of the store, and how it is to be served. */
export interface Target {
  readonly key: string;
  readonly kind: ObjectKind;
  readonly isLasting: boolean;
}

/**
 * One family of public paths. The pattern has to match the whole path without its leading slash, which is the key; a path that
 * ends with a slash is the index of that folder. Whatever no pattern matches is not public, however the store names its objects.
 */
export interface Route {
  readonly pattern: RegExp;
  /** The kind of the objects, or `extension`: that of the path says it. */
  readonly kind: ObjectKind | "extension";
  /**
   * Whether caches may keep them for an hour. Everything else changes with what is measured or reported, so it is kept for a minute.
   * @default false
   */
  readonly isLasting?: boolean;
}

/** As the catalogue allows slugs. The bound of 200 only keeps a name that no store could hold from reaching one. */
const SLUG = "(?![a-z0-9-]{201})[a-z0-9]+(?:-[a-z0-9]+)*";

/** As the registry allows ids of monitors. */
const ID = "[A-Za-z0-9_-]{1,64}";

/**
 * What the specification of the API names, the other badges of a monitor (its picture as PNG, its text as JSON, and other
 * windows; the window of `badge.svg` has no second name), and the website: pages in two languages, what they are made of, feeds,
 * pictures of shared links, and what robots ask for. `docs/cdn.md` has the list in words.
 */
export const ROUTES: readonly Route[] = [
  { pattern: /^api\/v1\/status$/u, kind: "json" },
  { pattern: new RegExp(`^api/v1/status/${SLUG}$`, "u"), kind: "json" },
  {
    pattern: new RegExp(`^api/m/${ID}/badge(?:-(?:24h|7d|90d)\\.svg|\\.(?:svg|png|json))$`, "u"),
    kind: "extension",
  },
  { pattern: /^(?:en\/)?(?:api|about)?$/u, kind: "html" },
  { pattern: new RegExp(`^(?:en/)?status/${SLUG}$`, "u"), kind: "html" },
  { pattern: new RegExp(`^(?:en/)?m/${ID}$`, "u"), kind: "html" },
  { pattern: new RegExp(`^(?:en/)?feed(?:/${SLUG})?\\.atom$`, "u"), kind: "extension" },
  { pattern: new RegExp(`^card(?:/${SLUG}|/m/${ID})?\\.png$`, "u"), kind: "extension" },
  {
    pattern: /^(?:checked\.svg|openapi\.json|sitemap\.xml|robots\.txt|manifest\.webmanifest)$/u,
    kind: "extension",
  },
  {
    pattern: /^(?:site\.css|site\.js|embed\.js|favicon\.svg|icon-192\.png|icon-512\.png)$/u,
    kind: "extension",
    isLasting: true,
  },
];

/** The page that answers a path of the website that leads to nothing. It is no path itself. */
export const MISSING_PAGE_KEY = "404.html";

/**
 * The object that a request target (the raw one, as it came over the wire) means; undefined when it means none. The query
 * is ignored, since the interface defines no parameters. Nothing is decoded and no dot segment resolved, as in the fronts of
 * `docs/cdn.md`: no path of ours needs a percent sign, so what has one is no path of ours. Never throws.
 */
export function findTarget(
  requestTarget: string,
  routes: readonly Route[] = ROUTES,
): Target | undefined {
  const path = toPath(requestTarget);
  if (!path.startsWith("/")) return undefined;
  const name = path.slice(1);
  const route = routes.find(({ pattern }) => pattern.test(name));
  if (route === undefined) return undefined;
  const kind = route.kind === "extension" ? kindOf(name) : route.kind;
  if (kind === undefined) return undefined;
  const key = name === "" || name.endsWith("/") ? `${name}index.html` : name;
  return { key, kind, isLasting: route.isLasting ?? false };
}

/** Where the object of a request target has its address, if that is another one: the English index is a folder. */
export function findMove(requestTarget: string): string | undefined {
  return toPath(requestTarget) === "/en" ? "/en/" : undefined;
}

/**
 * Whether a reader, and no program, is to be told that a path leads to nothing: not below `/api/`, and without a dot in the last
 * segment. By the path alone, whatever `Accept` says, so that caches have one answer for it. The rule of docs/cdn.md.
 */
export function isPagePath(requestTarget: string): boolean {
  const path = toPath(requestTarget);
  const last = path.slice(path.lastIndexOf("/") + 1);
  return path.startsWith("/") && !path.startsWith("/api/") && !last.includes(".");
}

/** Proxies send the absolute form (RFC 9112, section 3.2.2). */
function toPath(requestTarget: string): string {
  const withoutOrigin = requestTarget.replace(/^https?:\/\/[^/?#]*/i, "");
  return withoutOrigin.split("?", 1)[0] ?? "";
}

function kindOf(key: string): ObjectKind | undefined {
  const extension = key.slice(key.lastIndexOf(".") + 1);
  return isObjectKind(extension) ? extension : undefined;
}
