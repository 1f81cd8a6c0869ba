import { type Language, LANGUAGES } from "../words/language.ts";
import type { ChangeView, SiteAddress, SiteView } from "../view.ts";
import { fileOf, serviceFeedPath, urlOf } from "../pages/links.ts";
import { FRAME_WORDS } from "../words/frame.ts";
import { formatMachine } from "../words/time.ts";
import { VERDICT_EXPLANATIONS, VERDICT_LABELS } from "../words/verdict.ts";
import { FEED_WORDS, type FeedWords } from "../words/feed.ts";
import { idOf } from "./ids.ts";
import { element, type Markup, toXmlDocument } from "../xml.ts";
import { nameService } from "../words/service-name.ts";

const ATOM = "http://www.w3.org/2005/Atom";

/** More than can occur between two polls of a feed reader. */
const MAX_ENTRIES = 100;

/**
 * `updated` of a feed without entries, 1 January 2026: it is mandatory, must not change with the runs, and readers reject
 * implausibly old years.
 */
const EMPTY_FEED_UPDATED_MS = 1_767_225_600_000;

const XHTML = "http://www.w3.org/1999/xhtml";

/** Text of the Atom feed of all changes of verdicts, in one language. Source: RFC 4287. */
export function buildFeed(view: SiteView, language: Language): string {
  return compose(view, {
    languages: [language],
    name: "",
    title: ({ title }) => title,
    self: urlOf(view.address, language, "/feed.atom"),
    page: "/",
    changes: view.changes,
  });
}

/**
 * The feed of one service, in both languages, so that a change of verdict writes one object and not two. Throws RangeError for an
 * unknown slug.
 */
export function buildServiceFeed(view: SiteView, slug: string): string {
  const service = view.services.find((one) => one.slug === slug);
  if (service === undefined) throw new RangeError(`no service ${slug}`);
  return compose(view, {
    languages: LANGUAGES,
    name: slug,
    title: ({ titleOf }) => titleOf(service.name),
    self: view.address.origin + fileOf(view.address, serviceFeedPath(slug)),
    page: `/status/${slug}`,
    changes: view.changes.filter((change) => change.slug === slug),
  });
}

/** What distinguishes one feed from another. */
interface Feed {
  /** The first one is the language of the feed, and part of the permanent ids. */
  readonly languages: readonly [Language, ...Language[]];
  readonly name: string;
  readonly title: (words: FeedWords) => string;
  readonly self: string;
  /** Path of its page, without the language. */
  readonly page: string;
  /** Newest first. The bytes of the feed depend only on them, the address and the name of the service. */
  readonly changes: readonly ChangeView[];
}

function compose({ address }: SiteView, feed: Feed): string {
  const { languages, name, title, self, page } = feed;
  const changes = feed.changes.slice(0, MAX_ENTRIES);
  const join = (textIn: (language: Language) => string): string => joinLanguages(languages, textIn);
  return toXmlDocument(
    element(
      "feed",
      { xmlns: ATOM, "xml:lang": languages[0] },
      element("id", {}, idOf("feed", languages[0], name)),
      element(
        "title",
        {},
        join((language) => title(FEED_WORDS[language])),
      ),
      element(
        "subtitle",
        {},
        join((language) => FRAME_WORDS[language].estimate),
      ),
      element("updated", {}, formatMachine(changes[0]?.atMs ?? EMPTY_FEED_UPDATED_MS)),
      element(
        "author",
        {},
        element(
          "name",
          {},
          join((language) => FRAME_WORDS[language].siteName),
        ),
        element("uri", {}, urlOf(address, languages[0], "/")),
      ),
      element("link", { rel: "self", type: "application/atom+xml", href: self }),
      ...toPageLinks(address, languages, page),
      element("icon", {}, address.origin + fileOf(address, "/icon-192.png")),
      element("generator", {}, "status-snapshot"),
      ...changes.map((change) => toEntry(change, address, languages)),
    ),
  );
}

function joinLanguages(
  languages: readonly Language[],
  textIn: (language: Language) => string,
): string {
  return languages.map(textIn).join(" / ");
}

function toPageLinks(
  address: SiteAddress,
  languages: readonly Language[],
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

/** The id belongs to the change: language, service, time and code, which no two changes share. */
function toEntry(change: ChangeView, address: SiteAddress, languages: Feed["languages"]): Markup {
  const { slug, atMs, code } = change;
  const name = languages.length === 1 ? nameService(change, languages[0]) : change.name;
  const at = formatMachine(atMs);
  const label = joinLanguages(languages, (language) => VERDICT_LABELS[language][code]);
  return element(
    "entry",
    {},
    element("id", {}, idOf("change", languages[0], slug, at, code)),
    element("title", {}, `${name}: ${label}`),
    element("updated", {}, at),
    element("published", {}, at),
    ...toPageLinks(address, languages, `/status/${slug}`),
    element("category", { term: code, label }),
    toContent(change, languages),
  );
}

/** Plain text for one language; paragraphs with `lang` for two. */
function toContent({ code, before }: ChangeView, languages: Feed["languages"]): Markup {
  const textIn = (language: Language): string => {
    const labels = VERDICT_LABELS[language];
    const changed = FEED_WORDS[language].changed(labels[before], labels[code]);
    return `${changed} ${VERDICT_EXPLANATIONS[language][code]}`;
  };
  if (languages.length === 1) return element("content", { type: "text" }, textIn(languages[0]));
  const paragraphs = languages.map((language) =>
    element("p", { lang: language, "xml:lang": language }, textIn(language)),
  );
  return element("content", { type: "xhtml" }, element("div", { xmlns: XHTML }, ...paragraphs));
}
