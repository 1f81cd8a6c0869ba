import type { Document, Site } from "../model/snapshot.ts";
import { drawChecked } from "./checked.ts";
import { buildFeed } from "./feeds/atom.ts";
import { buildManifest } from "./manifest.ts";
import { buildOpenApi } from "./openapi.ts";
import type { Assets } from "./pages/head.tsx";
import { renderAbout } from "./pages/about.tsx";
import { renderApi } from "./pages/api.tsx";
import { renderIndex } from "./pages/index.tsx";
import { renderMissing } from "./pages/missing.tsx";
import { renderService } from "./pages/service.tsx";
import { buildRobots } from "./robots.ts";
import { buildSitemap } from "./sitemap.ts";
import { type Language, LANGUAGES } from "./language.ts";
import type { SiteView } from "./view.ts";

/** Source: docs/api.md, "Headers": what changes with the checks may be cached for a minute. */
const A_MINUTE = "max-age=60";
/** What changes with a new version of the program; pages ask for it by version. */
const AN_HOUR = "max-age=3600";

const HTML = "text/html; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";

/** A file that is published as it is. */
export interface SiteFile {
  /** Key of the object. */
  readonly key: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * All objects of the website but those of monitors and pictures, in three steps: what pages need, pages, and what leads to them.
 * Only `checked.svg` depends on the time of the last run.
 */
export function buildSite(
  view: SiteView,
  files: readonly SiteFile[],
  assets: Assets,
  updatedAtMs: number,
): Site {
  const { address } = view;
  const index = LANGUAGES.map((language) =>
    toDocument(keyOf(language, "index.html"), HTML, renderIndex(view, language, assets)),
  );
  return [
    [
      ...files.map((file) => ({ ...file, cacheControl: AN_HOUR })),
      toDocument("openapi.json", "application/json; charset=utf-8", buildOpenApi(address)),
      toDocument("manifest.webmanifest", "application/manifest+json", buildManifest(address)),
      toDocument("robots.txt", "text/plain; charset=utf-8", buildRobots(address)),
      toDocument("404.html", HTML, renderMissing(address, assets)),
      toDocument("checked.svg", "image/svg+xml; charset=utf-8", drawChecked(updatedAtMs)),
    ],
    LANGUAGES.flatMap((language) => buildInLanguage(view, language, assets)),
    [...index, toDocument("sitemap.xml", "application/xml; charset=utf-8", buildSitemap(view))],
  ];
}

function buildInLanguage(view: SiteView, language: Language, assets: Assets): readonly Document[] {
  const { address, services } = view;
  const at = (name: string, contentType: string, text: string): Document =>
    toDocument(keyOf(language, name), contentType, text);
  return [
    ...services.map((service) =>
      at(`status/${service.slug}`, HTML, renderService(view, service, language, assets)),
    ),
    ...services.map(({ slug }) => at(`feed/${slug}.atom`, ATOM, buildFeed(view, language, slug))),
    at("feed.atom", ATOM, buildFeed(view, language)),
    at("api", HTML, renderApi(address, language, assets)),
    at("about", HTML, renderAbout(address, language, assets)),
  ];
}

/** Russian stands at the root, every other language in a folder. */
export function keyOf(language: Language, name: string): string {
  return language === "ru" ? name : `${language}/${name}`;
}

/** A page as an object. */
export function toPage(key: string, html: string): Document {
  return toDocument(key, HTML, html);
}

function toDocument(key: string, contentType: string, text: string): Document {
  return { key, contentType, cacheControl: A_MINUTE, body: new TextEncoder().encode(text) };
}
