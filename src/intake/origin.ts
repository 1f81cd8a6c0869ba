export interface OriginRules {
  /** The origin of our own pages, `https://status.example.ru`. Without it, that is whatever host the request was sent to. */
  readonly ownOrigin?: string;
  /** Origins of other sites whose pages may send reports, exactly as a browser names them. */
  readonly allowedOrigins: readonly string[];
}

/** What a browser says of where a request comes from; undefined where a header is missing. */
export interface OriginHeaders {
  readonly origin: string | undefined;
  readonly fetchSite: string | undefined;
  readonly host: string | undefined;
}

/** `cors`: the page of another site that is allowed, so it has to be told that it may read the answer. */
export type OriginVerdict = "own" | "cors" | "none" | "foreign";

/**
 * Whether a page of ours, an allowed page, no page (`none`: curl, a script), or a foreign page sent the request. Browsers name
 * the origin of every POST (Fetch Standard, "append a request Origin header") and the page cannot forge it. `null` is
 * believed only with `Sec-Fetch-Site: same-origin`: that is our own page under `Referrer-Policy: no-referrer`. Never throws.
 */
export function judgeOrigin(headers: OriginHeaders, rules: OriginRules): OriginVerdict {
  const { origin, fetchSite } = headers;
  const isSaidOwn = fetchSite === "same-origin";
  if (origin === undefined) {
    return fetchSite === undefined || fetchSite === "none" ? "none" : isSaidOwn ? "own" : "foreign";
  }
  if (origin === "null") return isSaidOwn ? "own" : "foreign";
  if (isOwn(origin, headers.host, rules.ownOrigin)) return "own";
  return rules.allowedOrigins.includes(origin) ? "cors" : "foreign";
}

/** Behind a front that ends TLS the scheme is not ours to know, so only the hosts are compared. */
function isOwn(origin: string, host: string | undefined, ownOrigin: string | undefined): boolean {
  if (ownOrigin !== undefined) return origin === ownOrigin;
  return host !== undefined && /^https?:\/\/(.+)$/u.exec(origin)?.[1] === host.toLowerCase();
}
