import { urlOf } from "./pages/parts/links.ts";
import { LANGUAGES } from "../contract/codes/language.ts";
import { toIsoSeconds } from "../model/time.ts";
import type { SiteAddress, SiteView } from "./view.ts";
import { element, type Markup, toXmlDocument } from "./xml.ts";

const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML = "http://www.w3.org/1999/xhtml";

/**
 * Text of `/sitemap.xml`: every page in both languages, each with its versions, and with the time of the last change of a verdict on
 * it; without monitors, whose addresses belong to their owners.
 * Sources: https://www.sitemaps.org/protocol.html, https://developers.google.com/search/docs/specialty/international/localized-versions
 */
export function buildSitemap({ address, services, changes, outagePaths }: SiteView): string {
  const changedAt = new Map(changes.toReversed().map(({ slug, atMs }) => [slug, atMs]));
  const urls = [
    ...toUrls(address, "/", changes[0]?.atMs),
    ...services.flatMap(({ slug }) => toUrls(address, `/status/${slug}`, changedAt.get(slug))),
    ...["/api", "/about", "/accuracy", "/data", "/outages"].flatMap((path) =>
      toUrls(address, path),
    ),
    ...(address.isSelfService ? toUrls(address, "/monitor/new") : []),
    ...outagePaths.flatMap((path) => toUrls(address, path)),
  ];
  return toXmlDocument(element("urlset", { xmlns: SITEMAP, "xmlns:xhtml": XHTML }, ...urls));
}

function toUrls(address: SiteAddress, path: string, changedAtMs?: number): readonly Markup[] {
  const versions = [...LANGUAGES, "x-default" as const].map((hreflang) => {
    const href = urlOf(address, hreflang === "x-default" ? "ru" : hreflang, path);
    return element("xhtml:link", { rel: "alternate", hreflang, href });
  });
  return LANGUAGES.map((language) =>
    element(
      "url",
      {},
      element("loc", {}, urlOf(address, language, path)),
      ...(changedAtMs === undefined ? [] : [element("lastmod", {}, toIsoSeconds(changedAtMs))]),
      ...versions,
    ),
  );
}
