import {
  fileUrlOf,
  monitorFeedPath,
  outageFeedPath,
  serviceFeedPath,
  urlOf,
} from "./pages/parts/links.ts";
import type { VerdictCode } from "../contract/codes/verdict.ts";
import type { ToldWith } from "../model/service/verdict-change.ts";
import type {
  ChangeView,
  MonitorView,
  OutagePageView,
  OutageView,
  ServiceView,
  SiteAddress,
  SiteView,
} from "./view.ts";
import { FEED_WORDS } from "./words/feed.ts";
import { type Language, LANGUAGES } from "../contract/codes/language.ts";
import { nameService } from "./words/catalogue.ts";
import { toIsoSeconds } from "../model/time.ts";
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

/** The feed of one service, in both languages, so that a change of verdict writes one object and not two. */
export function buildServiceFeed(
  { address, changes }: SiteView,
  { slug, name }: Pick<ServiceView, "slug" | "name">,
): string {
  return buildAtom(address, {
    languages: LANGUAGES,
    name: slug,
    titleIn: (language) => FEED_WORDS[language].titleOf(name),
    self: fileUrlOf(address, serviceFeedPath(slug)),
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
    id: idOfEntry("change", languages[0], slug, toIsoSeconds(atMs), code),
    atMs,
    subject: languages.length === 1 ? nameService(change, languages[0]) : change.name,
    page: path,
    term: code,
    labelIn: (language) => VERDICT_LABELS[language][code],
    textIn: (language) => {
      const labels = VERDICT_LABELS[language];
      const changed = FEED_WORDS[language].changed(labels[before], labels[code]);
      return `${changed} ${writeVerdict(code, change, language)}`;
    },
  };
}

function writeVerdict(code: VerdictCode, told: ToldWith, language: Language): string {
  const verdict = describeVerdict({ code, sign: "unnamed" }, language);
  return [verdict, ...describeTold(told, language)].join(" ");
}

/** The entry of a beginning, after that of its end if it is over. */
function withEnd(
  began: FeedEntry,
  endedAtMs: number | null,
  endAt: (atMs: number) => Pick<FeedEntry, "id" | "textIn">,
): readonly FeedEntry[] {
  if (endedAtMs === null) return [began];
  const over: FeedEntry = {
    ...began,
    ...endAt(endedAtMs),
    atMs: endedAtMs,
    term: "over",
    labelIn: (language) => MONITOR_WORDS[language].isOver,
  };
  return [over, began];
}

/** The feed of the failures of one monitor, in both languages: an entry for its beginning, and one for its end. */
export function buildMonitorFeed(address: SiteAddress, monitor: MonitorView): string {
  const { id, name, outages } = monitor;
  return buildAtom(address, {
    languages: LANGUAGES,
    name: `m/${id}`,
    titleIn: (language) => MONITOR_WORDS[language].feedTitle(name),
    self: fileUrlOf(address, monitorFeedPath(id)),
    page: `/m/${id}`,
    entries: outages.flatMap((outage) => toFailure(monitor, outage)),
  });
}

/** The feed of outages, in both languages: an entry for the beginning of each, and one for its end. */
export function buildOutageFeed(address: SiteAddress, outages: readonly OutagePageView[]): string {
  const entries = outages.flatMap((outage): readonly FeedEntry[] => {
    const { slug, name, path, toldAtMs, endedAtMs, about } = outage;
    const told: FeedEntry = {
      id: idOfEntry("outage", LANGUAGES[0], slug, toIsoSeconds(toldAtMs)),
      atMs: toldAtMs,
      subject: name,
      page: path,
      term: about.code,
      labelIn: (language) => VERDICT_LABELS[language][about.code],
      textIn: (language) => writeVerdict(about.code, about, language),
    };
    return withEnd(told, endedAtMs, (atMs) => ({
      id: idOfEntry("outage-over", LANGUAGES[0], slug, toIsoSeconds(atMs)),
      textIn: (language) => describeOutage(outage, language),
    }));
  });
  return buildAtom(address, {
    languages: LANGUAGES,
    name: "outages",
    titleIn: (language) => OUTAGE_PAGE_WORDS[language].title,
    self: fileUrlOf(address, outageFeedPath),
    page: "/outages",
    entries: entries.toSorted((a, b) => b.atMs - a.atMs),
  });
}

function toFailure({ id, name }: MonitorView, outage: OutageView): readonly FeedEntry[] {
  const { sinceMs } = outage;
  const reasonIn = (language: Language): string =>
    `${MONITOR_WORDS[language].reason}: ${describeCause(outage, language)}.`;
  const failing: FeedEntry = {
    id: idOfEntry("failing", LANGUAGES[0], id, toIsoSeconds(sinceMs)),
    atMs: sinceMs,
    subject: name,
    page: `/m/${id}`,
    term: "failing",
    labelIn: (language) => CONDITION_WORDS[language].failing,
    textIn: (language) => `${CONDITION_HINTS[language].failing} ${reasonIn(language)}`,
  };
  return withEnd(failing, outage.endedAtMs, (atMs) => ({
    id: idOfEntry("over", LANGUAGES[0], id, toIsoSeconds(atMs)),
    textIn: (language) => {
      const length = describeDuration(atMs - sinceMs, language);
      return `${MONITOR_WORDS[language].lasted} ${length}. ${reasonIn(language)}`;
    },
  }));
}
