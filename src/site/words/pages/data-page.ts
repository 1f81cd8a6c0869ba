import { inLanguages } from "../../../contract/codes/language.ts";

/** Texts around the files on the page of the open data. */
export const DATA_WORDS = inLanguages({
  /** Link to the page, in the footer and elsewhere. */
  link: ["Открытые данные", "Open data"],
  days: ["Последние сутки архива", "Latest days of the archive"],
  day: ["Сутки (UTC)", "Day (UTC)"],
  months: ["Последние месяцы", "Latest months"],
  month: ["Месяц (UTC)", "Month (UTC)"],
  noArchive: [
    "В архиве пока нет ни одних суток. Первые появятся вскоре после ближайшей полуночи по UTC.",
    "The archive has no day yet. The first is published soon after midnight UTC.",
  ],
  /** After the links to the two documents about the archive. */
  index: [
    "все файлы с размером, числом строк и SHA-256.",
    "all files with size, number of rows and SHA-256.",
  ],
  datapackage: [
    "что значат столбцы, в формате Frictionless Data Package.",
    "what the columns mean, as a Frictionless Data Package.",
  ],
  history: ["История в JSON", "History as JSON"],
  /** Name of the place in which the probe is, for search engines. */
  place: ["Москва, Россия", "Moscow, Russia"],
  keywords: [
    ["доступность сервисов", "сбои", "блокировки", "Россия", "мониторинг"],
    ["availability of services", "outages", "blocking", "Russia", "monitoring"],
  ],
});
