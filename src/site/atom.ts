import { fileUrlOf, urlOf } from "./pages/parts/links.ts";
import type { SiteAddress } from "./view.ts";
import { type Language } from "../contract/codes/language.ts";
import { FRAME_WORDS } from "./words/pages/frame.ts";
import { element, type Markup, toXmlDocument } from "./xml.ts";
import { fnv1a } from "../model/fnv1a.ts";
import { toIsoSeconds } from "../model/time.ts";

const ATOM = "http://www.w3.org/2005/Atom";
const XHTML = "http://www.w3.org/1999/xhtml";

/** More than can occur between two polls of a feed reader. */
const MAX_ENTRIES = 100;

/**
 * `updated` of a feed without entries, 1 January 2026: it is mandatory, must not change with the runs, and readers reject
 * implausibly old years.
 */
const EMPTY_FEED_UPDATED_MS = 1_767_225_600_000;

/** The first one is the language of the feed, and part of the permanent ids. */
export type FeedLanguages = readonly [Language, ...Language[]];

interface Feed {
  readonly languages: FeedLanguages;
  /** Part of the id, unique among the feeds of a language. */
  readonly name: string;
  readonly titleIn: FeedEntry["textIn"];
  /** URL of the feed itself. */
  readonly self: string;
  /** Path of its page, without the language. */
  readonly page: string;
  readonly entries: readonly FeedEntry[];
}

/** One event. */
export interface FeedEntry {
  /** By `idOfEntry`. */
  readonly id: string;
  readonly atMs: number;
  /** Name of what changed. */
  readonly subject: string;
  /** Path of its page, without the language. */
  readonly page: string;
  /** What it changed to, for machines. */
  readonly term: string;
  /** The same for readers, which follows the subject in the title. */
  readonly labelIn: (language: Language) => string;
  readonly textIn: (language: Language) => string;
}

/** Text of an Atom feed. Its bytes depend on nothing but the arguments. Source: RFC 4287. */
export function buildAtom(address: SiteAddress, feed: Feed): string {
  const { languages, name, titleIn, self, page } = feed;
  const entries = feed.entries.slice(0, MAX_ENTRIES);
  const wordsOf = (key: "estimate" | "siteName"): string =>
    joinLanguages(languages, (language) => FRAME_WORDS[language][key]);
  return toXmlDocument(
    element(
      "feed",
      { xmlns: ATOM, "xml:lang": languages[0] },
      element("id", {}, idOfEntry("feed", languages[0], name)),
      element("title", {}, joinLanguages(languages, titleIn)),
      element("subtitle", {}, wordsOf("estimate")),
      element("updated", {}, toIsoSeconds(entries[0]?.atMs ?? EMPTY_FEED_UPDATED_MS)),
      element(
        "author",
        {},
        element("name", {}, wordsOf("siteName")),
        element("uri", {}, urlOf(address, languages[0], "/")),
      ),
      element("link", { rel: "self", type: "application/atom+xml", href: self }),
      ...toPageLinks(address, languages, page),
      element("icon", {}, fileUrlOf(address, "/icon-192.png")),
      element("generator", {}, "status-snapshot"),
      ...entries.map((entry) => writeEntry(entry, address, languages)),
    ),
  );
}

function joinLanguages(languages: FeedLanguages, textIn: FeedEntry["textIn"]): string {
  return languages.map(textIn).join(" / ");
}

function toPageLinks(
  address: SiteAddress,
  languages: FeedLanguages,
  page: string,
): readonly Markup[] {
  return languages.map((language) =>
    element("link", {
      rel: "alternate",
      type: "text/html",
      hreflang: language,
      href: urlOf(address, language, page),
    }),
  );
}

function writeEntry(entry: FeedEntry, address: SiteAddress, languages: FeedLanguages): Markup {
  const at = toIsoSeconds(entry.atMs);
  const label = joinLanguages(languages, entry.labelIn);
  return element(
    "entry",
    {},
    element("id", {}, entry.id),
    element("title", {}, `${entry.subject}: ${label}`),
    element("updated", {}, at),
    element("published", {}, at),
    ...toPageLinks(address, languages, entry.page),
    element("category", { term: entry.term, label }),
    toContent(entry, languages),
  );
}

/** Plain text for one language; paragraphs with `lang` for two. */
function toContent({ textIn }: FeedEntry, languages: FeedLanguages): Markup {
  if (languages.length === 1) return element("content", { type: "text" }, textIn(languages[0]));
  const paragraphs = languages.map((language) =>
    element("p", { lang: language, "xml:lang": language }, textIn(language)),
  );
  return element("content", { type: "xhtml" }, element("div", { xmlns: XHTML }, ...paragraphs));
}

/** Random constants: each gives 32 bits of the id. */
const BASES = [0x6f3c8b52, 0x0a1d4c57, 0x9d2eb8a4, 0xf7e1c963];

/**
 * Permanent id of a feed or an entry. It does not depend on the address of the website, so readers show nothing twice after a move.
 * A UUID with a custom hash of the parts. Source: RFC 9562, section 5.8 (version 8), as a URN by section 4.
 */
export function idOfEntry(...parts: readonly string[]): string {
  // No part has a line break: they are languages, slugs, times and codes.
  const text = parts.join("\n");
  const hex = BASES.map((basis) => fnv1a(text, basis).toString(16).padStart(8, "0")).join("");
  const variant = "89ab".charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return `urn:uuid:${[...groups, variant + hex.slice(17, 20), hex.slice(20)].join("-")}`;
}
