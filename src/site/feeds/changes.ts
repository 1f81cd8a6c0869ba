import { fileOf, serviceFeedPath, urlOf } from "../pages/parts/links.ts";
import type { ChangeView, SiteView } from "../view.ts";
import { FEED_WORDS } from "../words/feed.ts";
import { type Language, LANGUAGES } from "../words/language.ts";
import { nameService } from "../words/service-name.ts";
import { formatMachine } from "../words/time.ts";
import { describeVerdict } from "../words/describe-answer.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";
import { buildAtom, type FeedEntry, type FeedLanguages } from "./atom.ts";
import { idOf } from "./ids.ts";

/** The feed of all changes of verdicts, in one language. */
export function buildFeed({ address, changes }: SiteView, language: Language): string {
  return buildAtom(address, {
    languages: [language],
    name: "",
    titleIn: () => FEED_WORDS[language].title,
    self: urlOf(address, language, "/feed.atom"),
    page: "/",
    entries: changes.map((change) => toEntry(change, [language])),
  });
}

/**
 * The feed of one service, in both languages, so that a change of verdict writes one object and not two. Throws RangeError for an
 * unknown slug.
 */
export function buildServiceFeed({ address, services, changes }: SiteView, slug: string): string {
  const service = services.find((one) => one.slug === slug);
  if (service === undefined) throw new RangeError(`no service ${slug}`);
  return buildAtom(address, {
    languages: LANGUAGES,
    name: slug,
    titleIn: (language) => FEED_WORDS[language].titleOf(service.name),
    self: address.origin + fileOf(address, serviceFeedPath(slug)),
    page: `/status/${slug}`,
    entries: changes
      .filter((change) => change.slug === slug)
      .map((change) => toEntry(change, LANGUAGES)),
  });
}

/** The id belongs to the change: language, service, time and code, which no two changes share. */
function toEntry(change: ChangeView, languages: FeedLanguages): FeedEntry {
  const { slug, atMs, code, before } = change;
  return {
    id: idOf("change", languages[0], slug, formatMachine(atMs), code),
    atMs,
    subject: languages.length === 1 ? nameService(change, languages[0]) : change.name,
    page: `/status/${slug}`,
    term: code,
    labelIn: (language) => VERDICT_LABELS[language][code],
    textIn: (language) => {
      const labels = VERDICT_LABELS[language];
      const changed = FEED_WORDS[language].changed(labels[before], labels[code]);
      return `${changed} ${describeVerdict({ code, sign: "unnamed" }, language)}`;
    },
  };
}
