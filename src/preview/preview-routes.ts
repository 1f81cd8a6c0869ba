import {
  findServed,
  type ObjectKind,
  type Route,
  ROUTES,
  type Served,
} from "../model/public-paths.ts";

/** Browser policies of a kind; a response without a body has them too, because it renews them. */
export const POLICIES: Readonly<Partial<Record<ObjectKind, Readonly<Record<string, string>>>>> = {
  // An SVG opened by itself is a document that could run scripts on our origin; a badge needs only inline styles.
  svg: { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" },
  // A page loads nothing from other sites, runs no inline scripts, and cannot be framed.
  html: {
    "Content-Security-Policy":
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "strict-origin-when-cross-origin",
  },
};

export interface ServedObject extends Served {
  readonly key: string;
}

/**
 * The object for a request target (raw, as received); undefined if there is none. Ignores the query, decodes nothing and resolves no dot
 * segments, like the fronts of `docs/publish/fronts.md`. Never throws.
 */
export function findTarget(
  requestTarget: string,
  routes: readonly Route[] = ROUTES,
): ServedObject | undefined {
  const path = toPath(requestTarget);
  if (!path.startsWith("/")) return undefined;
  const name = path.slice(1);
  const served = findServed(name, routes);
  const key = name === "" || name.endsWith("/") ? `${name}index.html` : name;
  return served && { key, ...served };
}

/** The path of the object of a request target, if it differs: the English index is a folder. */
export function findMove(requestTarget: string): string | undefined {
  return toPath(requestTarget) === "/en" ? "/en/" : undefined;
}

/** Whether a missing path gets the page for readers instead of JSON. Only the path counts. Source: docs/publish/fronts.md. */
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
