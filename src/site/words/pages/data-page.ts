import type { ByLanguage } from "../by-language.ts";

/** Texts around the files on the page of the open data. */
export interface DataWords {
  /** Link to the page, in the footer and elsewhere. */
  readonly link: string;
  readonly days: string;
  readonly day: string;
  readonly months: string;
  readonly month: string;
  /** In place of the tables. */
  readonly noArchive: string;
  /** After the links to the two documents about the archive. */
  readonly index: string;
  readonly datapackage: string;
  readonly history: string;
  /** Name of the place in which the probe is, for search engines. */
  readonly place: string;
  readonly keywords: readonly string[];
}

export const DATA_WORDS: ByLanguage<DataWords> = {
  ru: {
    link: "Открытые данные",
    days: "Последние сутки архива",
    day: "Сутки (UTC)",
    months: "Последние месяцы",
    month: "Месяц (UTC)",
    noArchive:
      "В архиве пока нет ни одних суток. Первые появятся вскоре после ближайшей полуночи по UTC.",
    index: "все файлы с размером, числом строк и SHA-256.",
    datapackage: "что значат столбцы, в формате Frictionless Data Package.",
    history: "История в JSON",
    place: "Москва, Россия",
    keywords: ["доступность сервисов", "сбои", "блокировки", "Россия", "мониторинг"],
  },
  en: {
    link: "Open data",
    days: "Latest days of the archive",
    day: "Day (UTC)",
    months: "Latest months",
    month: "Month (UTC)",
    noArchive: "The archive has no day yet. The first is published soon after midnight UTC.",
    index: "all files with size, number of rows and SHA-256.",
    datapackage: "what the columns mean, as a Frictionless Data Package.",
    history: "History as JSON",
    place: "Moscow, Russia",
    keywords: ["availability of services", "outages", "blocking", "Russia", "monitoring"],
  },
};
