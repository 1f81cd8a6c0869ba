import type { SiteAddress } from "./view.ts";

/**
 * Text of `/robots.txt` (RFC 9309): everything except the report endpoint may be crawled. Crawlers only read it at the root of a
 * host, so it has no effect, and does no harm, if the site is served below another path.
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
