import type { SiteAddress } from "./view.ts";

/**
 * Text of `/robots.txt` (RFC 9309): everything may be read, and only the address that takes reports has nothing to read. A
 * robot asks at the root of the host alone, so below another path this file says nothing to anybody, and does no harm.
 */
export function buildRobots({ origin, root }: SiteAddress): string {
  return [
    "User-agent: *",
    `Disallow: ${root}/report/`,
    "",
    `Sitemap: ${origin}${root}/sitemap.xml`,
    "",
  ].join("\n");
}
