type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Codings that say how long a body is, or nothing at all. No other one was asked for, as no `TE` is sent. */
const KNOWN_CODING = /^(?:chunked|identity)$/iu;

/**
 * Whether the head leaves it open where the body ends: a `Transfer-Encoding` that is anything but one `chunked` or one
 * `identity`, or any beside a `Content-Length`. The parser of HTTP takes several of these for a body that ends with the
 * connection, and other software reads them in other ways. Source: RFC 9112, sections 6.1 and 6.3.
 */
export function hasUnclearLength(headers: Headers): boolean {
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return false;
  if (headers["content-length"] !== undefined) return true;
  return typeof coding !== "string" || !KNOWN_CODING.test(coding);
}
