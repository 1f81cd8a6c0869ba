/** Content types of the served objects, by the extension of their path; paths of pages and of the metrics have none. */
const CONTENT_TYPES = {
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

/** Whether an extension names a kind. */
export function isObjectKind(extension: string): extension is ObjectKind {
  return Object.hasOwn(CONTENT_TYPES, extension);
}

/** An SVG opened by itself is a document that could run scripts on our origin; a badge needs only inline styles. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A page loads nothing from other sites, runs no inline scripts, and cannot be framed. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The content type of an object of the kind, for a response with a body. */
export function contentTypeOf(kind: ObjectKind): string {
  return CONTENT_TYPES[kind];
}

/** Browser policies for an object of the kind; a response without a body has them too, because it renews them. */
export function policiesOf(kind: ObjectKind): Readonly<Record<string, string>> {
  if (kind === "svg") return { "Content-Security-Policy": SVG_POLICY };
  if (kind !== "html") return {};
  return {
    "Content-Security-Policy": PAGE_POLICY,
    "Referrer-Policy": "strict-origin-when-cross-origin",
  };
}
