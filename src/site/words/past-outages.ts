import { inLanguages, type Language } from "../../contract/codes/language.ts";
import type { PastOutages } from "../../model/service/accuracy.ts";
import { countOf, DAYS, describeDuration } from "./numbers.ts";

interface Figures {
  readonly days: string;
  readonly count: number;
  readonly median: string;
  readonly longest: string;
}

/** How long outages have lasted. Nothing is predicted. */
const PAST_WORDS = inLanguages({
  service: [
    ({ days, count, median, longest }: Figures) =>
      `Сбои этого сервиса за ${days}: ${count}. Половина закончилась за ${median} или быстрее, самый долгий длился ${longest}.`,
    ({ days, count, median, longest }: Figures) =>
      `Outages of this service in ${days}: ${count}. Half were over within ${median}, the longest lasted ${longest}.`,
  ],
  category: [
    ({ days, count, median, longest }: Figures) =>
      `Сбои всех сервисов этой категории за ${days}: ${count}. Половина закончилась за ${median} или быстрее, самый долгий длился ${longest}.`,
    ({ days, count, median, longest }: Figures) =>
      `Outages of all services of this category in ${days}: ${count}. Half were over within ${median}, the longest lasted ${longest}.`,
  ],
});

/** How long the past outages of a service lasted, or those of its category. */
export function describePast(
  { of, days, count, medianMs, longestMs }: PastOutages,
  language: Language,
): string {
  return PAST_WORDS[language][of]({
    days: countOf(days, DAYS[language], language),
    count,
    median: describeDuration(medianMs, language),
    longest: describeDuration(longestMs, language),
  });
}
