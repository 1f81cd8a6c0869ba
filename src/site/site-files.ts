import { CACHE_AN_HOUR } from "../model/cache-policy.ts";
import type { Document, Site } from "../model/service/snapshot.ts";
import { toTextDocument } from "../model/service/to-document.ts";
import { isUnchecked } from "./situation.ts";
import { drawLastChecked } from "./last-checked-svg.ts";
import { buildFeed, buildServiceFeed } from "./feeds/changes.ts";
import { buildManifest } from "./manifest.ts";
import { buildOpenApi } from "./openapi/openapi.ts";
import type { Assets } from "./pages/parts/head.tsx";
import { renderAccuracy } from "./pages/accuracy.tsx";
import { renderAbout } from "./pages/about.tsx";
import { renderApi } from "./pages/api.tsx";
import { renderData } from "./pages/data.tsx";
import { renderIndex } from "./pages/index.tsx";
import { renderNotFound } from "./pages/not-found.tsx";
import { renderOwnerManage } from "./pages/owners/manage.tsx";
import { renderOwnerNew } from "./pages/owners/new.tsx";
import { renderService } from "./pages/service.tsx";
import { buildRobots } from "./robots.ts";
import { buildSitemap } from "./sitemap.ts";
import { type Language, LANGUAGES } from "./words/language.ts";
import type { SiteView } from "./view.ts";

const HTML = "text/html; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";
const SVG = "image/svg+xml; charset=utf-8";

/** A file that is published unchanged. */
export interface SiteFile {
  /** Object key. */
  readonly key: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * All objects of the website except those of monitors and pictures, in the order of publishing: assets, then pages, then the
 * documents that link to them. Only `checked.svg` depends on the time of the last run.
 */
export function buildSite(
  view: SiteView,
  files: readonly SiteFile[],
  assets: Assets,
  updatedAtMs: number,
): Site {
  const { address } = view;
  const index = LANGUAGES.map((language) =>
    toTextDocument(
      documentKeyOf(language, "index.html"),
      HTML,
      renderIndex(view, language, assets),
    ),
  );
  return [
    [
      ...files.map((file) => ({ ...file, cacheControl: CACHE_AN_HOUR })),
      toTextDocument("openapi.json", "application/json; charset=utf-8", buildOpenApi(address)),
      toTextDocument("names.json", "application/json; charset=utf-8", buildEnglishNames(view)),
      toTextDocument("manifest.webmanifest", "application/manifest+json", buildManifest(address)),
      toTextDocument("robots.txt", "text/plain; charset=utf-8", buildRobots(address)),
      toTextDocument("404.html", HTML, renderNotFound(address, assets)),
      toTextDocument("checked.svg", SVG, drawLastChecked(isUnchecked(view) ? null : updatedAtMs)),
    ],
    [
      ...LANGUAGES.flatMap((language) => buildInLanguage(view, language, assets)),
      ...view.services.map(({ slug }) => toFeed(`feed/${slug}.atom`, buildServiceFeed(view, slug))),
    ],
    [...index, toTextDocument("sitemap.xml", "application/xml; charset=utf-8", buildSitemap(view))],
  ];
}

/** Text of `/names.json`: the names by slug that are others in English, for the widget. The API has the Russian ones. */
function buildEnglishNames({ services }: SiteView): string {
  const names = services.flatMap(({ slug, nameEn }) =>
    nameEn === undefined ? [] : [[slug, nameEn] as const],
  );
  return JSON.stringify({ en: Object.fromEntries(names) });
}

function buildInLanguage(view: SiteView, language: Language, assets: Assets): readonly Document[] {
  const { address, services } = view;
  const at = (name: string, contentType: string, text: string): Document =>
    toTextDocument(documentKeyOf(language, name), contentType, text);
  return [
    ...services.map((service) =>
      at(`status/${service.slug}`, HTML, renderService(view, service, language, assets)),
    ),
    toFeed(documentKeyOf(language, "feed.atom"), buildFeed(view, language)),
    at("api", HTML, renderApi(address, language, assets)),
    at("about", HTML, renderAbout(address, language, assets)),
    at("accuracy", HTML, renderAccuracy(view, language, assets)),
    at("data", HTML, renderData(view, language, assets)),
    ...(address.isSelfService
      ? [
          at("monitor/new", HTML, renderOwnerNew(address, language, assets)),
          at("monitor/index.html", HTML, renderOwnerManage(address, language, assets)),
        ]
      : []),
  ];
}

/** Russian is at the root, every other language in a folder. */
export function documentKeyOf(language: Language, name: string): string {
  return language === "ru" ? name : `${language}/${name}`;
}

/** A feed as an object. */
export function toFeed(key: string, atom: string): Document {
  return toTextDocument(key, ATOM, atom);
}

/** A page as an object. */
export function toPage(key: string, html: string): Document {
  return toTextDocument(key, HTML, html);
}
