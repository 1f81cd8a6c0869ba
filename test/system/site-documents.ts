import type { VerdictChange } from "../../src/model/service/verdict-change.ts";
import type { State } from "../../src/model/state.ts";
import type { Browser } from "playwright-core";
import type { Language } from "../../src/contract/codes/language.ts";
import type { List } from "../cli/workspace.ts";
import { validatorsOf } from "../site/schemas.ts";
import { DEMO_MONITORS, type DemoSite } from "./site-demo.ts";
import type { Opened } from "./site-reading.ts";

/** Number of checked objects, and their faults. */
export interface Faults {
  readonly counts: Readonly<Record<(typeof KINDS)[number], number>>;
  readonly faults: readonly string[];
}

const KINDS = ["documents", "feeds", "entries", "pictures", "sitemap", "pages", "links"] as const;

export async function getText(url: string): Promise<string> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
  return await response.text();
}

/** The caller must know the type. */
export async function getJson<T>(url: string): Promise<T> {
  return JSON.parse(await getText(url));
}

/** Checks all published documents, feeds and pictures, and all links of pages, feeds and sitemap. */
export async function seekFaults(
  site: DemoSite,
  browser: Browser,
  { list, opened }: { readonly list: List; readonly opened: readonly Opened[] },
): Promise<Faults> {
  const faults: string[] = [];
  const documents = await checkDocuments(site.url, list, faults);
  const feeds = await readFeeds(site.url, browser, list);
  faults.push(...feeds.flatMap((feed) => findFeedFaults(site, feed)));
  const entries = feeds.flatMap((feed) => feed.entries);
  const pictures = new Set(opened.flatMap(({ picture }) => (picture === null ? [] : [picture])));
  for (const picture of pictures) await checkPicture(site.url, picture, faults);
  const sitemap = await readSitemap(site.url);
  const links = new Set([
    ...opened.flatMap((page) => page.links),
    ...sitemap,
    ...feeds.flatMap((feed) => [...feed.links, ...feed.entries.map(({ link }) => link)]),
  ]);
  faults.push(...opened.flatMap(({ path, lost }) => lost.map((id) => `${path}: no #${id}`)));
  const own = [...links].filter((link) => new URL(link).origin === site.url);
  for (const link of own) await checkLink(link, faults);
  return {
    counts: {
      documents,
      feeds: feeds.length,
      entries: entries.length,
      pictures: pictures.size,
      sitemap: sitemap.length,
      pages: opened.length,
      links: own.length,
    },
    faults,
  };
}

async function checkDocuments(url: string, list: List, faults: string[]): Promise<number> {
  const validatorOf = validatorsOf(await getJson(`${url}/openapi.json`));
  const [isList, isDetail, isBadge] = ["StatusList", "StatusDetail", "ShieldsEndpoint"].map(
    validatorOf,
  );
  const documents = [
    { path: "/api/v1/status", isRight: isList },
    ...list.services.map(({ slug }) => ({ path: `/api/v1/status/${slug}`, isRight: isDetail })),
    ...DEMO_MONITORS.map(({ id }) => ({ path: `/api/m/${id}/badge.json`, isRight: isBadge })),
  ];
  for (const { path, isRight } of documents) {
    if (isRight?.(await getJson(url + path)) === true) continue;
    faults.push(`${path}: ${JSON.stringify(isRight?.errors)}`);
  }
  return documents.length;
}

interface FeedPlace {
  readonly language: Language;
  /** Absent: the feed of all services. */
  readonly slug?: string;
  readonly path: string;
}

interface Feed extends FeedPlace {
  /** The browser's error if it is not XML. */
  readonly error: string | null;
  readonly root: string;
  readonly links: readonly string[];
  readonly entries: readonly {
    readonly link: string;
    readonly updated: string;
    readonly code: string;
  }[];
}

const READ_FEED = `(text) => {
  const xml = new DOMParser().parseFromString(text, "application/xml");
  const hrefs = (scope) => [...scope.children].filter(({ localName }) => localName === "link")
    .map((link) => link.getAttribute("href"));
  return {
    error: xml.querySelector("parsererror")?.textContent ?? null,
    root: xml.documentElement.namespaceURI + " " + xml.documentElement.localName,
    links: hrefs(xml.documentElement),
    entries: [...xml.querySelectorAll("entry")].map((entry) => ({
      link: hrefs(entry)[0],
      updated: entry.querySelector("updated").textContent,
      code: entry.querySelector("category").getAttribute("term"),
    })),
  };
}`;

/** All feeds, parsed by the browser. */
async function readFeeds(url: string, browser: Browser, list: List): Promise<readonly Feed[]> {
  const feeds: readonly FeedPlace[] = [
    { language: "ru", path: "/feed.atom" },
    { language: "en", path: "/en/feed.atom" },
    // In both languages; the link to the Russian page is the first one.
    ...list.services.map(({ slug }) => {
      return { language: "ru" as const, slug, path: `/feed/${slug}.atom` };
    }),
  ];
  const page = await browser.newPage();
  await page.goto(`${url}/about`);
  const paths = JSON.stringify(feeds.map(({ path }) => path));
  const texts: readonly Omit<Feed, keyof FeedPlace>[] = JSON.parse(
    String(
      await page.evaluate(`Promise.all(${paths}.map(async (path) => (${READ_FEED})(await (await fetch(path)).text())))
        .then((feeds) => JSON.stringify(feeds))`),
    ),
  );
  await page.close();
  return feeds.flatMap((place, at) => {
    const text = texts[at];
    return text === undefined ? [] : [{ ...text, ...place }];
  });
}

/** A change leads to the outage that it begins, continues or ends. */
function outageOf({ accuracy }: State, { slug, atMs }: VerdictChange): string {
  const outage = accuracy.outages.find(({ toldAtMs, endedAtMs, ...one }) => {
    return one.slug === slug && toldAtMs <= atMs && atMs < (endedAtMs ?? Infinity) + 1_000;
  });
  if (outage === undefined) return "";
  return `/outages/${new Date(outage.toldAtMs).toISOString().replaceAll(/\D/gu, "").slice(0, 12)}`;
}

function findFeedFaults({ url, state }: DemoSite, feed: Feed): readonly string[] {
  const { language, slug, error, root, entries } = feed;
  const prefix = language === "en" ? "/en" : "";
  const expected = state.verdicts.changes
    .filter((change) => slug === undefined || change.slug === slug)
    .toReversed()
    .map((change) => ({
      link: `${url}${prefix}/status/${change.slug}${outageOf(state, change)}`,
      updated: `${new Date(change.atMs).toISOString().slice(0, 19)}Z`,
      code: change.code,
    }));
  const name = `feed ${language} ${slug ?? ""}`;
  const isAtom = error === null && root === "http://www.w3.org/2005/Atom feed";
  return [
    ...(isAtom ? [] : [`${name}: ${error ?? root}`]),
    ...(JSON.stringify(entries) === JSON.stringify(expected)
      ? []
      : [`${name}: ${JSON.stringify(entries)} instead of ${JSON.stringify(expected)}`]),
  ];
}

async function readSitemap(url: string): Promise<readonly string[]> {
  const text = await getText(`${url}/sitemap.xml`);
  return [...text.matchAll(/<loc>(.*?)<\/loc>/gu)].map(([, loc]) => loc ?? "");
}

/** Source: https://www.w3.org/TR/png-3/#11IHDR */
async function checkPicture(url: string, picture: string, faults: string[]): Promise<void> {
  const response = await fetch(picture);
  const bytes = Buffer.from(await response.arrayBuffer());
  const type = response.headers.get("content-type");
  const isPng = bytes.subarray(1, 4).toString() === "PNG" && type === "image/png";
  const size = isPng ? `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}` : "no PNG";
  if (picture.startsWith(`${url}/`) && response.status === 200 && size === "1200x630") return;
  faults.push(`${picture}: ${response.status} ${type} ${size}`);
}

async function checkLink(link: string, faults: string[]): Promise<void> {
  const response = await fetch(link, { redirect: "manual" });
  await response.arrayBuffer();
  if (response.status !== 200) faults.push(`${link}: ${response.status}`);
}
