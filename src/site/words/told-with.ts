import { inLanguages, type Language } from "../../contract/codes/language.ts";
import type { PastOutages } from "../../model/service/accuracy.ts";
import type { ToldWith } from "../../model/service/verdict-change.ts";
import { countOf, DAYS, describeDuration } from "./numbers.ts";
import { describeOperators } from "./operators.ts";

/** How long outages have lasted. Nothing is predicted. */
const PAST_WORDS = inLanguages({
  of: {
    service: ["Сбои этого сервиса", "Outages of this service"],
    category: ["Сбои всех сервисов этой категории", "Outages of all services of this category"],
  },
  lasted: [
    (of: string, days: string, count: number, median: string, longest: string) =>
      `${of} за ${days}: ${count}. Половина закончилась за ${median} или быстрее, самый долгий длился ${longest}.`,
    (of: string, days: string, count: number, median: string, longest: string) =>
      `${of} in ${days}: ${count}. Half were over within ${median}, the longest lasted ${longest}.`,
  ],
});

/** How long the past outages of a service lasted, or those of its category. */
export function describePast(past: PastOutages, language: Language): string {
  const words = PAST_WORDS[language];
  const days = countOf(past.days, DAYS[language], language);
  const median = describeDuration(past.medianMs, language);
  const longest = describeDuration(past.longestMs, language);
  return words.lasted(words.of[past.of], days, past.count, median, longest);
}

/** What is told with a change of a verdict, a sentence each: whose subscribers complain, how long past outages lasted. */
export function describeTold({ past, operators }: ToldWith, language: Language): readonly string[] {
  return [
    ...(operators === undefined ? [] : [describeOperators(operators, language)]),
    ...(past === undefined ? [] : [describePast(past, language)]),
  ];
}
