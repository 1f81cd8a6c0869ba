/** The kinds of object that are served, by the extension of their path; pages have none in theirs. */
const CONTENT_TYPES = {
  atom: "application/atom+xml; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
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

/** An SVG opened by itself is a document that could run scripts on our origin; styles inside are all that a badge needs. */
const SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/** A page loads nothing from elsewhere, runs nothing that stands in it, and is shown in nobody's frame. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/** The type of an object of the kind, for an answer with a body. */
export function contentTypeOf(kind: ObjectKind): string {
  return CONTENT_TYPES[kind];
}

/** What a browser may do with an object of the kind; also for an answer without a body, which renews it. */
export function policiesOf(kind: ObjectKind): Readonly<Record<string, string>> {
  if (kind === "svg") return { "Content-Security-Policy": SVG_POLICY };
  if (kind !== "html") return {};
  return {
    "Content-Security-Policy": PAGE_POLICY,
    "Referrer-Policy": "strict-origin-when-cross-origin",
  };
}
