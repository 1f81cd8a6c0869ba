/** The kinds of object that are served, by the extension of their path. */
export type ObjectKind = "json" | "svg" | "png";

/** An object of the store, and how it is to be served. */
export interface Target {
  readonly key: string;
  readonly kind: ObjectKind;
}

/**
 * One family of public paths. The pattern has to match the whole path without its leading slash, which is the key;
 * whatever no pattern matches is not public, however the store names its objects.
 */
export interface Route {
  readonly pattern: RegExp;
  /** The kind of the objects, or `extension`: that of the path says it. */
  readonly kind: ObjectKind | "extension";
}

/**
 * What the specification of the API names, with slugs and monitor ids as the catalogue and the registry allow them, and the
 * other badges of a monitor: its picture as PNG, its text as JSON, and other windows. The window of `badge.svg` has no second
 * name. The bound of 200 only keeps a name that no store could hold from reaching one.
 */
export const ROUTES: readonly Route[] = [
  { pattern: /^api\/v1\/status$/, kind: "json" },
  { pattern: /^api\/v1\/status\/(?!.{201})[a-z0-9]+(?:-[a-z0-9]+)*$/, kind: "json" },
  {
    pattern: /^api\/m\/[A-Za-z0-9_-]{1,64}\/badge(?:-(?:24h|7d|90d)\.svg|\.(?:svg|png|json))$/,
    kind: "extension",
  },
];

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
  const key = path.slice(1);
  const route = routes.find(({ pattern }) => pattern.test(key));
  if (route === undefined) return undefined;
  const kind = route.kind === "extension" ? kindOf(key) : route.kind;
  return kind === undefined ? undefined : { key, kind };
}

/** Proxies send the absolute form (RFC 9112, section 3.2.2). */
function toPath(requestTarget: string): string {
  const withoutOrigin = requestTarget.replace(/^https?:\/\/[^/?#]*/i, "");
  return withoutOrigin.split("?", 1)[0] ?? "";
}

function kindOf(key: string): ObjectKind | undefined {
  const extension = key.slice(key.lastIndexOf(".") + 1);
  return extension === "json" || extension === "svg" || extension === "png" ? extension : undefined;
}
