import { parseAddress } from "./address.ts";

export interface OriginRules {
  /** The origin of our own pages, `https://status.example.ru`. Then no other is ours. */
  readonly ownOrigin?: string;
  /**
   * Without `ownOrigin`: whether pages are ours that a browser of this machine has loaded from the host and port that it sends the
   * report to. Only for an intake that listens on nothing but the loopback; otherwise no page is ours.
   * @default false
   */
  readonly isLoopbackOwn?: boolean;
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
 * the origin of every POST (Fetch Standard, "append a request Origin header") and the page cannot forge it. A page under
 * `Referrer-Policy: no-referrer` sends `null`, which is believed with `Sec-Fetch-Site: same-origin` and a `Host` of ours: another
 * site can point its own name at our address (DNS rebinding), and its pages are of the same origin then. Never throws.
 */
export function judgeOrigin(headers: OriginHeaders, rules: OriginRules): OriginVerdict {
  const { origin, fetchSite, host } = headers;
  if (origin === undefined && (fetchSite === undefined || fetchSite === "none")) return "none";
  if (origin === undefined || origin === "null")
    return fetchSite === "same-origin" && isOwnHost(host, rules) ? "own" : "foreign";
  if (isOwn(origin, host, rules)) return "own";
  return rules.allowedOrigins.includes(origin) ? "cors" : "foreign";
}

/** Whether nothing but this machine can reach the address. */
export function isLoopback(address: string): boolean {
  const parsed = parseAddress(address);
  if (parsed?.family === "ipv4") return parsed.parts[0] === 127;
  return parsed !== undefined && parsed.parts.join(":") === "0:0:0:0:0:0:0:1";
}

function isOwn(origin: string, host: string | undefined, rules: OriginRules): boolean {
  if (rules.ownOrigin !== undefined) return origin === rules.ownOrigin;
  // A front of this machine may end TLS, and then the scheme is not ours to know.
  return isOwnHost(host, rules) && /^https?:\/\/(.+)$/u.exec(origin)?.[1] === host?.toLowerCase();
}

/** The port is not compared: fronts leave it out of what they pass on, and no site can take another port of our name. */
function isOwnHost(host: string | undefined, { ownOrigin, isLoopbackOwn }: OriginRules): boolean {
  const name = host === undefined ? undefined : nameOf(host);
  if (name === undefined) return false;
  if (ownOrigin !== undefined) return name === nameOf(new URL(ownOrigin).host);
  return isLoopbackOwn === true && (name === "localhost" || isLoopback(name));
}

/** The name or address in a `Host` header, without port and brackets, in lower case; undefined when it is none. */
function nameOf(host: string): string | undefined {
  const [, bracketed, plain] =
    /^(?:\[([\da-f:.]+)\]|([^\s:/@[\]]+))(?::\d{1,5})?$/iu.exec(host) ?? [];
  return (bracketed ?? plain)?.toLowerCase();
}
