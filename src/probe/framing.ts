type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** `chunked` delimits the body, and `identity` changes nothing. The request has no `TE`, so it asks for no other coding. */
const KNOWN_CODING = /^(?:chunked|identity)$/iu;

/**
 * Whether the end of the body is ambiguous: a `Transfer-Encoding` other than exactly one `chunked` or `identity`, or any
 * next to a `Content-Length`. The HTTP parser reads some of these bodies until the connection closes, and other software
 * reads them differently. Source: RFC 9112, sections 6.1 and 6.3.
 */
export function hasUnclearLength(headers: Headers): boolean {
  const coding = headers["transfer-encoding"];
  if (coding === undefined) return false;
  if (headers["content-length"] !== undefined) return true;
  return typeof coding !== "string" || !KNOWN_CODING.test(coding);
}
