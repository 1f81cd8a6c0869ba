import { getDomain } from "tldts";

/**
 * The registrable domain of a host, by the Public Suffix List: `a.b.example.co.uk` belongs to `example.co.uk`. A host without one, as an
 * address or a name of one label, is its own site.
 */
export function siteOf(host: string): string {
  return getDomain(host) ?? host;
}
