import {
  fileOf,
  monitorFeedPath,
  outageFeedPath,
  serviceFeedPath,
  urlOf,
} from "./pages/parts/links.ts";
import type {
  ChangeView,
  MonitorView,
  OutagePageView,
  OutageView,
  SiteAddress,
  SiteView,
} from "./view.ts";
import { FEED_WORDS } from "./words/feed.ts";
import { type Language, LANGUAGES } from "../contract/codes/language.ts";
import { nameService } from "./words/catalogue.ts";
import { formatMachine } from "./words/time.ts";
import { describeVerdict } from "./words/describe-answer.ts";
import { VERDICT_LABELS } from "../contract/codes/verdict-words.ts";
import { describeDuration } from "./words/numbers.ts";
import { describeTold } from "./words/told-with.ts";
import { CONDITION_HINTS, CONDITION_WORDS, MONITOR_WORDS } from "./words/pages/monitor-page.ts";
import { describeOutage, OUTAGE_PAGE_WORDS } from "./words/pages/outage-page.ts";
import { describeCause } from "./words/failure.ts";
import { buildAtom, type FeedEntry, type FeedLanguages, idOfEntry } from "./atom.ts";

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
  const { slug, atMs, code, before, path = `/status/${slug}` } = change;
  return {
    id: idOfEntry("change", languages[0], slug, formatMachine(atMs), code),
    atMs,
    subject: languages.length === 1 ? nameService(change, languages[0]) : change.name,
    page: path,
    term: code,
    labelIn: (language) => VERDICT_LABELS[language][code],
    textIn: (language) => {
      const labels = VERDICT_LABELS[language];
      const changed = FEED_WORDS[language].changed(labels[before], labels[code]);
      const verdict = describeVerdict({ code, sign: "unnamed" }, language);
      return [changed, verdict, ...describeTold(change, language)].join(" ");
    },
  };
}

/** The feed of the failures of one monitor, in both languages: an entry for its beginning, and one for its end. */
export function buildMonitorFeed(address: SiteAddress, monitor: MonitorView): string {
  const { id, name, outages } = monitor;
  return buildAtom(address, {
    languages: LANGUAGES,
    name: `m/${id}`,
    titleIn: (language) => MONITOR_WORDS[language].feedTitle(name),
    self: address.origin + fileOf(address, monitorFeedPath(id)),
    page: `/m/${id}`,
    entries: outages.flatMap((outage) => [...toEnd(monitor, outage), toBeginning(monitor, outage)]),
  });
}

/** The feed of outages, in both languages: an entry for the beginning of each, and one for its end. */
export function buildOutageFeed(address: SiteAddress, outages: readonly OutagePageView[]): string {
  const entries = outages.flatMap((outage): readonly FeedEntry[] => {
    const { slug, name, path, toldAtMs, endedAtMs, about } = outage;
    const told: FeedEntry = {
      id: idOfEntry("outage", LANGUAGES[0], slug, formatMachine(toldAtMs)),
      atMs: toldAtMs,
      subject: name,
      page: path,
      term: about.code,
      labelIn: (language) => VERDICT_LABELS[language][about.code],
      textIn: (language) =>
        [
          describeVerdict({ code: about.code, sign: "unnamed" }, language),
          ...describeTold({ operators: about.operators }, language),
        ].join(" "),
    };
    if (endedAtMs === null) return [told];
    const over: FeedEntry = {
      ...told,
      id: idOfEntry("outage-over", LANGUAGES[0], slug, formatMachine(endedAtMs)),
      atMs: endedAtMs,
      term: "over",
      labelIn: (language) => MONITOR_WORDS[language].isOver,
      textIn: (language) => describeOutage(outage, language),
    };
    return [over, told];
  });
  return buildAtom(address, {
    languages: LANGUAGES,
    name: "outages",
    titleIn: (language) => OUTAGE_PAGE_WORDS[language].title,
    self: address.origin + fileOf(address, outageFeedPath),
    page: "/outages",
    entries: entries.toSorted((a, b) => b.atMs - a.atMs),
  });
}

function toBeginning({ id, name }: MonitorView, outage: OutageView): FeedEntry {
  return {
    id: idOfEntry("failing", LANGUAGES[0], id, formatMachine(outage.sinceMs)),
    atMs: outage.sinceMs,
    subject: name,
    page: `/m/${id}`,
    term: "failing",
    labelIn: (language) => CONDITION_WORDS[language].failing,
    textIn: (language) => `${CONDITION_HINTS[language].failing} ${reasonOf(outage, language)}`,
  };
}

function toEnd(monitor: MonitorView, outage: OutageView): readonly FeedEntry[] {
  const { sinceMs, endedAtMs } = outage;
  if (endedAtMs === null) return [];
  return [
    {
      ...toBeginning(monitor, outage),
      id: idOfEntry("over", LANGUAGES[0], monitor.id, formatMachine(endedAtMs)),
      atMs: endedAtMs,
      term: "over",
      labelIn: (language) => MONITOR_WORDS[language].isOver,
      textIn: (language) => {
        const length = describeDuration(endedAtMs - sinceMs, language);
        return `${MONITOR_WORDS[language].lasted} ${length}. ${reasonOf(outage, language)}`;
      },
    },
  ];
}

function reasonOf(outage: OutageView, language: Language): string {
  return `${MONITOR_WORDS[language].reason}: ${describeCause(outage, language)}.`;
}
