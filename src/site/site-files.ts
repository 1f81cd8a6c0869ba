import { createHash } from "node:crypto";
import {
  type Document,
  type Site,
  toLateDocument,
  toTextDocument,
} from "../model/service/snapshot.ts";
import { isUnchecked } from "./situation.ts";
import { buildFeed, buildServiceFeed } from "./feeds.ts";
import { buildOpenApi } from "./openapi/openapi.ts";
import type { Assets } from "./pages/parts/head.tsx";
import { renderAccuracy } from "./pages/accuracy.tsx";
import { renderAbout } from "./pages/about.tsx";
import { renderApi } from "./pages/api.tsx";
import { renderData } from "./pages/data.tsx";
import { renderIndex } from "./pages/index.tsx";
import { renderNotFound } from "./pages/not-found.tsx";
import { renderOwnerManage, renderOwnerNew } from "./pages/owners/pages.tsx";
import { renderService } from "./pages/service.tsx";
import { buildSitemap } from "./sitemap.ts";
import { type ByLanguage, type Language, LANGUAGES } from "../contract/codes/language.ts";
import type { SiteAddress, SiteView } from "./view.ts";
import { FRESH_MS } from "../model/time.ts";
import { formatMoment, formatTime, MOSCOW, yearOf } from "./words/time.ts";
import { FRAME_WORDS } from "./words/pages/frame.ts";
import { CACHE_AN_HOUR } from "../model/cache-policy.ts";

const HTML = "text/html; charset=utf-8";
const ATOM = "application/atom+xml; charset=utf-8";
const SVG = "image/svg+xml; charset=utf-8";

/** A file that is published unchanged. */
export interface SiteFile {
  readonly key: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * All objects of the website except those of monitors and pictures, in the order of publishing: assets, then pages, then the
 * documents that link to them. Only `checked.svg` depends on the time of the last run.
 *
 * @param build names the program, so that pages of services are made only when what they follow from has changed. Absent: always.
 */
export function buildSite(
  view: SiteView,
  files: readonly SiteFile[],
  assets: Assets,
  updatedAtMs: number,
  build?: string,
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
      ...buildServicePages(view, assets, build),
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

/** The page of each service in each language; with a build, each is made when it is read first. */
export function buildServicePages(
  view: SiteView,
  assets: Assets,
  build: string | undefined,
): readonly Document[] {
  const { address, connectivityIssue, whiteLists, slowNetworks, failingOperators } = view;
  const common = { address, connectivityIssue, whiteLists, slowNetworks, failingOperators };
  const ofAll = JSON.stringify([build, assets, common, isUnchecked(view)]);
  return view.services.flatMap((service) => {
    const own = build === undefined ? undefined : JSON.stringify(service);
    return LANGUAGES.map((language) => {
      const key = documentKeyOf(language, `status/${service.slug}`);
      const render = (): string => renderService(view, service, language, assets);
      if (own === undefined) return toTextDocument(key, HTML, render());
      return toLateDocument(key, HTML, digestOf(language, ofAll, own), render);
    });
  });
}

function digestOf(...texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\n");
  return hash.digest("hex");
}

function buildInLanguage(view: SiteView, language: Language, assets: Assets): readonly Document[] {
  const { address } = view;
  const at = (name: string, contentType: string, text: string): Document =>
    toTextDocument(documentKeyOf(language, name), contentType, text);
  return [
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

/** Size of the picture of one language. The longest text needs it in the widest usual font. */
const WIDTH = 320;
const HEIGHT = 20;

const UNCHECKED: ByLanguage<string> = { ru: "ещё не проверяли", en: "not checked yet" };
const HOLDS: ByLanguage<string> = { ru: "верно до", en: "holds until" };

/**
 * The time of the last run, and until when its verdicts hold, as a picture, so that pages do not change with every run. One file has
 * it in each language, below one another: a page shows the view with the name of its language, `checked.svg#en`. Null: nothing was
 * checked yet, although there may have been runs.
 */
export function drawLastChecked(updatedAtMs: number | null): string {
  const texts = LANGUAGES.map((language) =>
    updatedAtMs === null ? UNCHECKED[language] : writeMoment(updatedAtMs, language),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${texts.join(" / ")}">`,
    "<style>text{font:14px system-ui,sans-serif;fill:#474d57}@media(prefers-color-scheme:dark){text{fill:#b7bdc8}}</style>",
    ...texts.map((text, index) => {
      const top = index * HEIGHT;
      const view = `<view id="${LANGUAGES[index]}" viewBox="0 ${top} ${WIDTH} ${HEIGHT}"/>`;
      return `${view}<text y="${top + 15}">${text}</text>`;
    }),
    "</svg>",
  ].join("");
}

/** `21 ноября, 12:05 МСК, верно до 12:20` */
function writeMoment(atMs: number, language: Language): string {
  const until = formatTime(atMs + FRESH_MS);
  return `${formatMoment(atMs, language, yearOf(atMs))} ${MOSCOW[language]}, ${HOLDS[language]} ${until}`;
}

/** Text of `/manifest.webmanifest`. Source: https://www.w3.org/TR/appmanifest/ */
export function buildManifest({ root, pushKey }: SiteAddress): string {
  const { siteName, estimate } = FRAME_WORDS.ru;
  return JSON.stringify({
    id: `${root}/`,
    name: siteName,
    short_name: "Статус",
    description: estimate,
    lang: "ru",
    dir: "ltr",
    start_url: `${root}/`,
    scope: `${root}/`,
    // Safari on a phone gives notices only to a site that opens from the home screen without the browser's own bars.
    display: pushKey === null ? "minimal-ui" : "standalone",
    background_color: "#faf9f6",
    theme_color: "#faf9f6",
    icons: [
      { src: `${root}/favicon.svg`, sizes: "any", type: "image/svg+xml" },
      { src: `${root}/icon-192.png`, sizes: "192x192", type: "image/png" },
      { src: `${root}/icon-512.png`, sizes: "512x512", type: "image/png" },
      {
        src: `${root}/icon-maskable.png`,
        sizes: "512x512",
        type: "image/png",
        purpose: "maskable",
      },
    ],
  });
}

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
