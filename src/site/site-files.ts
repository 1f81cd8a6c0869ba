import { createHash } from "node:crypto";
import { hashText } from "../model/fnv1a.ts";
import { dayPath } from "../model/service/outage-ids.ts";
import { type Document, type Site, toLateDocument, toDocument } from "../model/service/snapshot.ts";
import { isUnchecked } from "./situation.ts";
import { buildFeed, buildMonitorFeed, buildOutageFeed, buildServiceFeed } from "./feeds.ts";
import { buildOpenApi } from "./openapi/openapi.ts";
import type { Assets, FrameProps } from "./pages/parts/head.tsx";
import { renderAccuracy } from "./pages/accuracy.tsx";
import { renderAbout } from "./pages/about.tsx";
import { renderApi } from "./pages/api.tsx";
import { renderData } from "./pages/data.tsx";
import {
  monitorFeedPath,
  outageFeedPath,
  pageKeyOf,
  pageKeys,
  serviceFeedPath,
} from "./pages/parts/links.ts";
import { renderIndex } from "./pages/index.tsx";
import { renderMonitor } from "./pages/monitor.tsx";
import { renderNotFound } from "./pages/not-found.tsx";
import { renderOwnerManage, renderOwnerNew } from "./pages/owners/pages.tsx";
import { renderOutage } from "./pages/outage.tsx";
import { renderDay, renderOutages } from "./pages/outages.tsx";
import { renderService } from "./pages/service.tsx";
import { buildSitemap } from "./sitemap.ts";
import { type ByLanguage, type Language, LANGUAGES } from "../contract/codes/language.ts";
import type { MonitorView, OutageListView, OutagePageView, SiteAddress, SiteView } from "./view.ts";
import { FRESH_MS } from "../model/time.ts";
import { formatMoment, formatTime, MOSCOW, yearOf } from "./words/time.ts";
import { ENDPOINT_STATUS_WORDS } from "./words/pages/service-page.ts";
import { FRAME_WORDS } from "./words/pages/frame.ts";

/**
 * All objects of the website except those of monitors and pictures, in the order of publishing: assets, then pages, then the
 * documents that link to them. Only `checked.svg` depends on the time of the last run.
 *
 * @param build names the program, so that what follows from little is made only when that has changed. Absent: always.
 */
export function buildSite(
  view: SiteView,
  files: readonly Document[],
  assets: Assets,
  updatedAtMs: number,
  build?: string,
): Site {
  const { address } = view;
  const make = createMaker(assets, build);
  return [
    [
      ...files,
      make("openapi.json", [JSON.stringify(address)], () => buildOpenApi(address)),
      toDocument("names.json", buildEnglishNames(view)),
      toDocument("manifest.webmanifest", buildManifest(address)),
      toDocument("robots.txt", buildRobots(address)),
      // A front that can tell the operator of a reader answers in its place.
      toDocument("operator.txt", "unknown"),
      toDocument("404.html", renderNotFound({ address, assets })),
      toDocument("checked.svg", drawLastChecked(isUnchecked(view) ? null : updatedAtMs)),
    ],
    [
      ...buildServicePages(view, assets, build),
      ...buildStaticPages(view, assets, make),
      ...LANGUAGES.flatMap((language) => [
        toDocument(pageKeyOf(language, "/feed.atom"), buildFeed(view, language)),
        toDocument(
          pageKeyOf(language, "/accuracy"),
          renderAccuracy({ address, language, assets }, view),
        ),
      ]),
      ...view.services.map((service) =>
        toDocument(serviceFeedPath(service.slug).slice(1), buildServiceFeed(view, service)),
      ),
    ],
    [
      ...toPages({ address, assets }, "/index.html", (frame) => renderIndex(frame, view)),
      toDocument("sitemap.xml", buildSitemap(view)),
    ],
  ];
}

/** Makes a document that follows from some texts, the program and the assets. */
type Make = (key: string, from: readonly string[], render: () => string) => Document;

/** With a build, a document is made when it is read first, and known by what it follows from. */
function createMaker(assets: Assets, build: string | undefined): Make {
  if (build === undefined) return (key, _, render) => toDocument(key, render());
  const ofAll = JSON.stringify([build, assets]);
  return (key, from, render) => {
    const hash = createHash("sha256");
    for (const text of [key, ofAll, ...from]) hash.update(text).update("\n");
    return toLateDocument(key, hash.digest("hex"), render);
  };
}

/** Text of `/names.json`: the names by slug that are others in English, for the widget. The API has the Russian ones. */
function buildEnglishNames({ services }: SiteView): string {
  // JSON has no place for an undefined name.
  return JSON.stringify({ en: Object.fromEntries(services.map((one) => [one.slug, one.nameEn])) });
}

/** The page of each service in each language. */
export function buildServicePages(
  view: SiteView,
  assets: Assets,
  build: string | undefined,
): readonly Document[] {
  const { address, connectivityIssue, whiteLists, slowNetworks, failingOperators } = view;
  const common = { address, connectivityIssue, whiteLists, slowNetworks, failingOperators };
  const ofAll = JSON.stringify([common, isUnchecked(view)]);
  const make = createMaker(assets, build);
  return view.services.flatMap((service) => {
    const from = [ofAll, JSON.stringify(service)];
    return LANGUAGES.map((language) =>
      make(pageKeyOf(language, `/status/${service.slug}`), from, () =>
        renderService({ address, language, assets }, view, service),
      ),
    );
  });
}

/** Pages that no verdict changes. */
function buildStaticPages(view: SiteView, assets: Assets, make: Make): readonly Document[] {
  const { address, archive } = view;
  const from = JSON.stringify(address);
  return LANGUAGES.flatMap((language) => {
    const page = (path: string, render: () => string, ...more: readonly string[]): Document =>
      make(pageKeyOf(language, path), [from, ...more], render);
    const frame = { address, language, assets };
    return [
      page("/api", () => renderApi(frame)),
      page("/about", () => renderAbout(frame)),
      page("/data", () => renderData(frame, archive), JSON.stringify(archive)),
      ...(address.isSelfService
        ? [
            page("/monitor/new", () => renderOwnerNew(frame)),
            page("/monitor/index.html", () => renderOwnerManage(frame)),
          ]
        : []),
    ];
  });
}

/** A page in each language, in the order of `pageKeys`. */
function toPages(
  frame: Omit<FrameProps, "language">,
  path: string,
  render: (frame: FrameProps) => string,
): readonly Document[] {
  return LANGUAGES.map((language) =>
    toDocument(pageKeyOf(language, path), render({ ...frame, language })),
  );
}

/** The pages of one monitor, one per language. */
export function buildMonitorPages(
  address: SiteAddress,
  monitor: MonitorView,
  assets: Assets,
): readonly Document[] {
  const path = `/m/${monitor.id}`;
  return toPages({ address, assets }, path, (frame) => renderMonitor(frame, monitor));
}

/** Object keys of the pages of a monitor, in the order of `buildMonitorPages`. */
export function monitorPageKeys(id: string): readonly string[] {
  return pageKeys(`/m/${id}`);
}

/** The feed of the failures of one monitor. */
export function buildMonitorFeedDocument(address: SiteAddress, monitor: MonitorView): Document {
  return toDocument(monitorFeedKey(monitor.id), buildMonitorFeed(address, monitor));
}

/** Object key of the feed of a monitor. */
export function monitorFeedKey(id: string): string {
  return monitorFeedPath(id).slice(1);
}

/** Names what the pages at an address have in common. Without a build, an audit alone finds another template. */
export function designOf(address: SiteAddress, assets: Assets, build?: string): string {
  return hashText(JSON.stringify([build, address, assets]));
}

/** How the pages of outages are made at an address, one of each language. */
export function toTemplates(address: SiteAddress, assets: Assets, build?: string) {
  const common = { address, assets };
  return {
    page: (outage: OutagePageView): readonly Document[] =>
      toPages(common, outage.path, (frame) => renderOutage(frame, outage)),
    list: (list: OutageListView): readonly Document[] => [
      ...toPages(common, "/outages", (frame) => renderOutages(frame, list)),
      toDocument(outageFeedPath.slice(1), buildOutageFeed(address, list.outages)),
    ],
    day: (day: string, outages: readonly OutagePageView[]): readonly Document[] =>
      toPages(common, dayPath(day), (frame) => renderDay(frame, day, outages)),
    design: designOf(address, assets, build),
  };
}

/** Size of the picture of one language. The longest text needs it in the widest usual font. */
const WIDTH = 320;
const HEIGHT = 20;

const HOLDS: ByLanguage<string> = { ru: "верно до", en: "holds until" };

/**
 * The time of the last run, and until when its verdicts hold, as a picture, so that pages do not change with every run. One file has
 * it in each language, below one another: a page shows the view with the name of its language, `checked.svg#en`. Null: nothing was
 * checked yet, although there may have been runs.
 */
export function drawLastChecked(updatedAtMs: number | null): string {
  const texts = LANGUAGES.map((language) =>
    updatedAtMs === null
      ? ENDPOINT_STATUS_WORDS[language].unknown
      : writeMoment(updatedAtMs, language),
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
  const large = (name: string) => {
    return { src: `${root}/${name}.png`, sizes: "512x512", type: "image/png" };
  };
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
      large("icon-512"),
      { ...large("icon-maskable"), purpose: "maskable" },
    ],
  });
}

/**
 * Text of `/robots.txt` (RFC 9309): everything except the report endpoint may be crawled. Crawlers only read it at the root of a
 * host, so it has no effect, and does no harm, if the site is served below another path.
 */
export function buildRobots({ origin, root }: SiteAddress): string {
  return `User-agent: *
Disallow: ${root}/report/

Sitemap: ${origin}${root}/sitemap.xml
`;
}
