import { urlOf } from "./pages/links.ts";
import { LANGUAGES } from "./words/language.ts";
import type { SiteAddress, SiteView } from "./view.ts";
import { element, type Markup, toXmlDocument } from "./xml.ts";

const SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9";
const XHTML = "http://www.w3.org/1999/xhtml";

/**
 * Text of `/sitemap.xml`: every page in both languages, each with its versions; without monitors, whose addresses belong to their
 * owners. It has no times, so it only changes with the catalogue.
 * Sources: https://www.sitemaps.org/protocol.html, https://developers.google.com/search/docs/specialty/international/localized-versions
 */
export function buildSitemap({ address, services }: SiteView): string {
  const paths = ["/", ...services.map(({ slug }) => `/status/${slug}`), "/api", "/about"];
  const urls = paths.flatMap((path) => toUrls(address, path));
  return toXmlDocument(element("urlset", { xmlns: SITEMAP, "xmlns:xhtml": XHTML }, ...urls));
}

function toUrls(address: SiteAddress, path: string): readonly Markup[] {
  const versions = [
    ...LANGUAGES.map((each) => toVersion(each, urlOf(address, each, path))),
    toVersion("x-default", urlOf(address, "ru", path)),
  ];
  return LANGUAGES.map((language) =>
    element("url", {}, element("loc", {}, urlOf(address, language, path)), ...versions),
  );
}

function toVersion(hreflang: string, href: string): Markup {
  return element("xhtml:link", { rel: "alternate", hreflang, href });
}
