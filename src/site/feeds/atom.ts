import type { Language } from "../language.ts";
import type { ChangeView, SiteAddress, SiteView } from "../view.ts";
import { fileOf, urlOf } from "../pages/address.ts";
import { FRAME_WORDS } from "../words/ui.ts";
import { formatMachine } from "../words/time.ts";
import { VERDICT_EXPLANATIONS, VERDICT_LABELS } from "../words/verdict.ts";
import { FEED_WORDS } from "../words/feed.ts";
import { idOf } from "./ids.ts";
import { element, type Markup, toXmlDocument } from "../xml.ts";

const ATOM = "http://www.w3.org/2005/Atom";

/** A reader asks again long before so many more have come. */
const MOST_ENTRIES = 100;

/**
 * When a feed without entries was updated: a feed has to say so, it must not move with the runs, and readers take years long
 * before their time for a mistake. 1 January 2026, before there was anything to publish.
 */
const BEFORE_ALL_MS = 1_767_225_600_000;

/** Path of a feed without its language: of all services, or of one. */
export function feedPath(slug?: string): string {
  return slug === undefined ? "/feed.atom" : `/feed/${slug}.atom`;
}

/** The changes that a feed tells, the newest first. Its bytes depend on them, the address and the name of its service alone. */
function changesOf(view: SiteView, slug?: string): readonly ChangeView[] {
  const own = view.changes.filter((change) => slug === undefined || change.slug === slug);
  return own.slice(0, MOST_ENTRIES);
}

/**
 * Text of the Atom feed of verdict changes: of all services, or of the one of `slug`. Throws RangeError when there is no such
 * service. Source: RFC 4287.
 */
export function buildFeed(view: SiteView, language: Language, slug?: string): string {
  const { address } = view;
  const changes = changesOf(view, slug);
  const words = FEED_WORDS[language];
  const self = urlOf(address, language, feedPath(slug));
  const page = slug === undefined ? "/" : `/status/${slug}`;
  const feed = element(
    "feed",
    { xmlns: ATOM, "xml:lang": language },
    element("id", {}, idOf("feed", language, slug ?? "")),
    element("title", {}, slug === undefined ? words.title : words.titleOf(nameOf(view, slug))),
    element("subtitle", {}, FRAME_WORDS[language].estimate),
    element("updated", {}, formatMachine(changes[0]?.atMs ?? BEFORE_ALL_MS)),
    toAuthor(address, language),
    element("link", { rel: "self", type: "application/atom+xml", href: self }),
    toPageLink(urlOf(address, language, page), language),
    element("icon", {}, address.origin + fileOf(address, "/icon-192.png")),
    element("generator", {}, "status-snapshot"),
    ...changes.map((change) => toEntry(change, address, language)),
  );
  return toXmlDocument(feed);
}

function nameOf({ services }: SiteView, slug: string): string {
  const service = services.find((one) => one.slug === slug);
  if (service === undefined) throw new RangeError(`no service ${slug}`);
  return service.name;
}

function toAuthor(address: SiteAddress, language: Language): Markup {
  return element(
    "author",
    {},
    element("name", {}, FRAME_WORDS[language].siteName),
    element("uri", {}, urlOf(address, language, "/")),
  );
}

function toPageLink(href: string, language: Language): Markup {
  return element("link", { rel: "alternate", type: "text/html", hreflang: language, href });
}

/** The id is that of the change, not of its place in the feed: language, service, time and verdict, which no two changes share. */
function toEntry(change: ChangeView, address: SiteAddress, language: Language): Markup {
  const { slug, name, atMs, code, before } = change;
  const page = urlOf(address, language, `/status/${slug}`);
  const at = formatMachine(atMs);
  const label = VERDICT_LABELS[language][code];
  const text = FEED_WORDS[language].changed(VERDICT_LABELS[language][before], label);
  return element(
    "entry",
    {},
    element("id", {}, idOf("change", language, slug, at, code)),
    element("title", {}, `${name}: ${label}`),
    element("updated", {}, at),
    element("published", {}, at),
    toPageLink(page, language),
    element("category", { term: code, label }),
    element("content", { type: "text" }, `${text} ${VERDICT_EXPLANATIONS[language][code]}`),
  );
}
