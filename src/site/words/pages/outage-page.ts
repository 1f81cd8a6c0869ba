import { inLanguages, type Language, type Words } from "../../../contract/codes/language.ts";
import type { TruthKind } from "../../../model/service/accuracy.ts";
import type { Scope } from "../../../model/service/interference.ts";
import type { OutagePageView } from "../../view.ts";
import { nameService } from "../catalogue.ts";
import { capitalise, describeDuration } from "../numbers.ts";
import { formatMoment, MOSCOW } from "../time.ts";

/** Texts of the pages of outages. */
export const OUTAGE_PAGE_WORDS = inLanguages({
  title: ["Сбои", "Outages"],
  description: [
    "Сбои сервисов по дням: что не открывалось из Москвы, с какого и до какого времени, что началось одновременно.",
    "Outages of services by day: what did not open from Moscow, from when to when, and what began together.",
  ],
  /** Where there is none. */
  none: ["За последние 31 день сбоев не было.", "There was no outage in the last 31 days."],
  intro: [
    "Последние 31 день, время московское. То, что началось с разницей до десяти минут, стоит вместе.",
    "The last 31 days, in Moscow time. What began within ten minutes stands together.",
  ],
  named: [
    (name: string, moment: string) => `${name}: сбой ${moment}`,
    (name: string, moment: string) => `${name}: outage of ${moment}`,
  ],
  since: ["Начало по проверкам", "Beginning, by the checks"],
  told: ["Мы сообщили", "We told it"],
  end: ["Конец", "End"],
  /** Before the end of an outage that no check saw. */
  unseen: ["в перерыве между проверками, не позже", "in a gap without checks, at the latest"],
  lasts: ["к последней проверке не кончился", "not over at the last check"],
  length: ["Длился", "It lasted"],
  /** Before the length of an outage whose end no check saw. */
  atMost: ["не дольше чем", "at most"],
  scope: ["Где не открывалось", "Where it did not open"],
  cause: ["Что было с проверками", "What the checks found"],
  network: ["Общая сеть", "Shared network"],
  reported: ["Жалобы", "Reports"],
  wasReported: ["были", "there were some"],
  together: ["Началось одновременно", "What began together"],
  operators: ["Кто жаловался", "Who reported it"],
  /** What began together in one network. */
  inNetwork: [
    (time: string, count: string, network: string) => `${time}: ${count} в сети ${network}`,
    (time: string, count: string, network: string) => `${time}: ${count} in the network ${network}`,
  ],
  filter: ["Показать", "Show"],
  everything: ["Всё", "Everything"],
  feed: ["Лента сбоев (Atom)", "Feed of outages (Atom)"],
  dayTitle: [(day: string) => `Сбои ${day}`, (day: string) => `Outages of ${day}`],
  dayData: ["Этот день в JSON", "This day as JSON"],
  services: [
    ["сервис", "сервиса", "сервисов"],
    ["service", "services"],
  ],
  corrections: ["Что стало известно", "What became known"],
  data: ["Этот сбой в JSON", "This outage as JSON"],
  all: ["Все сбои", "All outages"],
  json: ["Сбои в JSON", "Outages as JSON"],
});

/** Where a service failed; absent: it is not known. */
export const OUTAGE_SCOPE_WORDS: Words<Scope> = inLanguages({
  none: ["", ""],
  unknown: ["", ""],
  russia: ["в России; за границей открывалось", "in Russia; abroad it opened"],
  access: [
    "на домашних линиях; в дата-центрах открывалось",
    "on home lines; in data centres it opened",
  ],
  client: ["у браузеров или у программ, не у всех", "for browsers or for programs, not for both"],
  everywhere: ["и в России, и за границей", "in Russia and abroad"],
  network: ["в одной сети в Москве", "in one network in Moscow"],
  path: ["на пути нашего узла за границу", "on the way of our probe abroad"],
  mixed: ["в России и в части мест за границей", "in Russia and in some places abroad"],
});

/** What others say. */
export const TRUTH_WORDS: Words<TruthKind> = inLanguages({
  outage: ["сервис не работал", "the service did not work"],
  blocked: ["сервис был недоступен из России", "the service could not be reached from Russia"],
  slow: ["сервис работал плохо", "the service worked badly"],
  worked: ["сервис работал, мы ошиблись", "the service worked, and we were wrong"],
});

/** `ВТБ Онлайн: сбой 23 ноября 2026, 02:58 МСК`. The year is always there: the page is read for years. */
export function nameOutage(outage: OutagePageView, language: Language): string {
  const moment = `${formatMoment(outage.toldAtMs, language)} ${MOSCOW[language]}`;
  return OUTAGE_PAGE_WORDS[language].named(nameService(outage, language), moment);
}

/** `Длился 35 минут. Где не открывалось: в России; за границей открывалось.` */
export function describeOutage(outage: OutagePageView, language: Language): string {
  const words = OUTAGE_PAGE_WORDS[language];
  const { toldAtMs, endedAtMs, isEndUnseen, about } = outage;
  const lasted = isEndUnseen ? `${words.length} ${words.atMost}` : words.length;
  const length =
    endedAtMs === null
      ? words.lasts
      : `${lasted} ${describeDuration(endedAtMs - toldAtMs, language)}`;
  const scope = OUTAGE_SCOPE_WORDS[language][about.scope];
  const where = scope === "" ? "" : ` ${words.scope}: ${scope}.`;
  return `${capitalise(length)}.${where}`;
}
