import { getDomain, parse } from "tldts";

/**
 * The registrable domain of a host by the public suffix list, private suffixes included: `shop.example.co.uk` → `example.co.uk`,
 * `user.github.io` → itself. A host without one, such as an address, is its own. Never throws.
 */
export function registrableDomainOf(host: string): string {
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

/** Whether a host is itself a suffix on that list: `co.uk`, `github.io`. Never throws. */
export function isPublicSuffix(host: string): boolean {
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true });
  return domain === null && (isIcann === true || isPrivate === true);
}
