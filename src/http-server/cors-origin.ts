import { parseAddress } from "./network-key.ts";

export interface OriginRules {
  /** The only origin of our own pages, `https://status.example.ru`. */
  readonly ownOrigin?: string;
  /** Without `ownOrigin`: our own pages are those loaded from the host and port reported to. Only for an intake on the loopback alone. */
  readonly isLoopbackOwn?: boolean;
  /** Origins of other sites whose pages may send reports, exactly as in the `Origin` header. */
  readonly allowedOrigins: readonly string[];
}

/** `cors`: an allowed page of another site, which needs CORS headers to read the response. */
export type OriginClass = "own" | "cors" | "none" | "foreign";

/**
 * Whether an own page, an allowed page, no page (`none`: curl, a script), or a foreign page sent the request. Browsers send the origin of every
 * POST, and a page cannot forge it. A page under `Referrer-Policy: no-referrer` sends `null`, which is accepted with `Sec-Fetch-Site:
 * same-origin` and our own `Host`: with DNS rebinding, pages of another site are of the same origin, but name another host. Never throws.
 */
export function originOf(headers: Headers, rules: OriginRules): OriginClass {
  const read = (name: string): string | undefined => headers.get(name) ?? undefined;
  const [origin, fetchSite, host] = ["Origin", "Sec-Fetch-Site", "Host"].map(read);
  if (origin === undefined && (fetchSite === undefined || fetchSite === "none")) return "none";
  if (origin === undefined || origin === "null")
    return fetchSite === "same-origin" && isOwnHost(host, rules) ? "own" : "foreign";
  if (isOwn(origin, host, rules)) return "own";
  return rules.allowedOrigins.includes(origin) ? "cors" : "foreign";
}

/** Whether a page may read the answer. */
export function isTrusted(origin: OriginClass): boolean {
  return origin === "own" || origin === "cors";
}

/** Whether only this machine can reach the address. */
export function isLoopback(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed?.family === "ipv4") return parsed.parts[0] === 127;
  return parsed !== undefined && parsed.parts.join(":") === "0:0:0:0:0:0:0:1";
}

function isOwn(origin: string, host: string | undefined, rules: OriginRules): boolean {
  if (rules.ownOrigin !== undefined) return origin === rules.ownOrigin;
  // A reverse proxy on this machine may terminate TLS, so the scheme is unknown.
  return isOwnHost(host, rules) && /^https?:\/\/(.+)$/u.exec(origin)?.[1] === host?.toLowerCase();
}

/** The port is not compared: reverse proxies leave it out, and another site cannot use a port of our name. */
function isOwnHost(host: string | undefined, { ownOrigin, isLoopbackOwn }: OriginRules): boolean {
  const name = host === undefined ? undefined : nameOf(host);
  if (name === undefined) return false;
  if (ownOrigin !== undefined) return name === nameOf(new URL(ownOrigin).host);
  return isLoopbackOwn === true && (name === "localhost" || isLoopback(name));
}

/** The name or address in a `Host` header, without port and brackets, in lower case; undefined if it is malformed. */
function nameOf(host: string): string | undefined {
  const [, bracketed, plain] =
    /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+))(?::\d{1,5})?$/iu.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}
