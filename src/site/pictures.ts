import { type CardContent, gradeUptime } from "../model/monitor/pictures.ts";
import type { BadgeTone, BadgeContent } from "../model/monitor/monitor.ts";
import {
  COLOR_OF,
  type Color,
  type Verdict,
  VERDICT_CODES,
  VERDICTS,
} from "../contract/codes/verdict.ts";
import type { MonitorView, SiteAddress } from "./view.ts";
import {
  COLOR_OF_SITUATION,
  type Judged,
  type OverallSituation,
  overallSituation,
} from "./situation.ts";
import { FRAME_WORDS } from "./words/pages/frame.ts";
import { describeSituation, INDEX_WORDS, OVERALL_WORDS } from "./words/pages/index-page.ts";
import { type Language, type ByLanguage } from "../contract/codes/language.ts";
import { formatMoment, MOSCOW } from "./words/time.ts";
import { nameOfMinute } from "../model/time.ts";
import { VERDICT_LABELS } from "../contract/codes/verdict-words.ts";
import type { ToldOutage } from "../model/service/accuracy.ts";
import { nameService, type ServiceNames } from "./words/catalogue.ts";

/** Text of a monitor's picture for an uptime such as `98%`; null: unknown. */
const CARD_WORDS: ByLanguage<(percent: string | null) => string> = {
  ru: (percent) => (percent === null ? "Нет данных" : `Доступность за 30 дней: ${percent}`),
  en: (percent) => (percent === null ? "No data" : `30-day uptime: ${percent}`),
};

const COLOR_OF_TONE: Readonly<Record<BadgeTone, Color>> = {
  best: "ok",
  good: "ok",
  fair: "warn",
  poor: "warn",
  bad: "bad",
  none: "none",
};

/** Object key of the picture of a service (by its `serviceCardId`), of the list or of a monitor (`m/<id>`). */
export function cardKey(name: string): string {
  return `card/${name}.png`;
}

/** In place of a slug, for the pictures of the list. */
export const LIST_CARD = "all-services";

/** Name of the picture of the list in a situation. */
export function listCardId(situation: OverallSituation): string {
  return `${LIST_CARD}.${situation}`;
}

/** What the name of a picture of a service says; `sinceMs` is null unless it shows its start. */
export interface ServiceCard extends Pick<Verdict, "code" | "sinceMs"> {
  readonly slug: string;
}

/** The present picture of a service. */
export function presentCardOf(slug: string, { code, sinceMs }: Verdict): ServiceCard {
  return { slug, code, sinceMs: VERDICTS[code].hasStart ? sinceMs : null };
}

/** The picture of a service that an outage has, which was its present one then; undefined: it has none. */
export function cardOfOutage({
  slug,
  about,
}: Pick<ToldOutage, "slug" | "about">): ServiceCard | undefined {
  if (about === null || !VERDICTS[about.code].hasStart) return undefined;
  return { slug, code: about.code, sinceMs: about.sinceMs };
}

/**
 * Name of the picture of a service, `vtb.ok` or, with the minute of the start in UTC, `vtb.fail.202611230258`. It changes with the
 * picture, because messengers keep what they fetched from an address. Unique, because no slug contains a dot.
 */
export function serviceCardId({ slug, code, sinceMs }: ServiceCard): string {
  const name = `${slug}.${code}`;
  return sinceMs === null ? name : `${name}.${nameOfMinute(sinceMs)}`;
}

/** The inverse of `serviceCardId`, to the minute; undefined for other names. */
export function readServiceCardId(id: string): ServiceCard | undefined {
  const [, slug, name, start] = /^([^.]+)\.([^.]+)(?:\.(\d{12}))?$/u.exec(id) ?? [];
  const code = VERDICT_CODES.find((one) => one === name);
  if (slug === undefined || code === undefined) return undefined;
  if (VERDICTS[code].hasStart !== (start !== undefined)) return undefined;
  if (start === undefined) return { slug, code, sinceMs: null };
  const iso = start.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/u, "$1-$2-$3T$4:$5Z");
  const sinceMs = Date.parse(iso);
  return Number.isNaN(sinceMs) ? undefined : { slug, code, sinceMs };
}

/** The picture for links to the page of a service with this name. */
export function cardOfService(
  address: SiteAddress,
  name: string,
  { code, sinceMs }: Omit<ServiceCard, "slug">,
): CardContent {
  const sinceIn = (language: Language): string =>
    `${INDEX_WORDS[language].since} ${formatMoment(sinceMs ?? 0, language)} ${MOSCOW[language]}`;
  const label = { ru: VERDICT_LABELS.ru[code], en: VERDICT_LABELS.en[code] };
  return {
    title: name,
    label: label.ru,
    ...(sinceMs === null ? {} : { since: sinceIn("ru") }),
    sublabel: sinceMs === null ? label.en : `${label.en}, ${sinceIn("en")}`,
    color: COLOR_OF[code],
    site: hostOf(address),
  };
}

/** The picture for links to the list in a situation: without counts, so that it is drawn once. */
export function cardOfList(address: SiteAddress, situation: OverallSituation): CardContent {
  return {
    title: FRAME_WORDS.ru.siteName,
    label: OVERALL_WORDS.ru[situation],
    sublabel: OVERALL_WORDS.en[situation],
    color: COLOR_OF_SITUATION[situation],
    site: hostOf(address),
  };
}

/** The picture for links to the page of a monitor: its 30-day uptime, in whole per cent so that it is rarely redrawn. */
export function cardOfMonitor(
  address: SiteAddress,
  { name, uptimes }: Pick<MonitorView, "name" | "uptimes">,
): CardContent {
  const { value, tone } = gradeUptime(uptimes["30d"]);
  const percent = value?.replace(/\..*$/u, "%") ?? null;
  return {
    title: name,
    label: CARD_WORDS.ru(percent),
    sublabel: CARD_WORDS.en(percent),
    color: COLOR_OF_TONE[tone],
    site: hostOf(address),
  };
}

function hostOf({ origin, root }: SiteAddress): string {
  return origin.replace(/^https?:\/\//u, "") + root;
}

/** Name of the badge of all services among the pictures of the website. */
export const OVERALL_BADGE_ID = "badge";

/** Name of the badge of a service among the pictures of the website. No name of a card has a slash. */
export function serviceBadgeId(slug: string): string {
  return `badge/${slug}`;
}

/** Object keys of a picture of the website: `badge/vtb.svg` and `badge/vtb.json` of a badge, `card/vtb.ok.png` of a card. */
export function pictureKeys(id: string): readonly string[] {
  const isBadge = id === OVERALL_BADGE_ID || id.startsWith("badge/");
  return isBadge ? [`${id}.svg`, `${id}.json`] : [cardKey(id)];
}

const TONE_OF_COLOR: Readonly<Record<Color, BadgeTone>> = {
  ok: "best",
  warn: "poor",
  bad: "bad",
  none: "none",
};

/** The badge of all services, with the heading of the list. It says nothing of now: caches may keep it. */
export function overallBadgeOf(services: readonly Judged[], language: Language): BadgeContent {
  return {
    label: FRAME_WORDS[language].siteName,
    message: describeSituation(services, language),
    tone: TONE_OF_COLOR[COLOR_OF_SITUATION[overallSituation(services)]],
  };
}

/** The badge of one service, with its name and the label of its verdict. */
export function serviceBadgeOf(
  service: ServiceNames,
  { code, color }: Verdict,
  language: Language,
): BadgeContent {
  return {
    label: nameService(service, language),
    message: VERDICT_LABELS[language][code],
    tone: TONE_OF_COLOR[color],
  };
}
