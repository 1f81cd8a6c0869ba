import type { FailureCode } from "../../model/probe-outcome.ts";
import type { ByLanguage } from "./by-language.ts";
import { FAILURE_WORDS } from "./failure.ts";
import type { Language } from "./language.ts";

/** Texts of the list of the last outages. */
export interface OutageWords {
  readonly title: string;
  readonly none: string;
  /** In place of the length. */
  readonly lasts: string;
}

export const OUTAGE_WORDS: ByLanguage<OutageWords> = {
  ru: { title: "Последние сбои", none: "Сбоев мы ещё не видели.", lasts: "продолжается" },
  en: { title: "Latest outages", none: "We have not seen an outage yet.", lasts: "ongoing" },
};

interface Cause {
  readonly code: FailureCode | null;
  readonly failing: number;
  readonly counted: number;
}

/** What most failing addresses had, and how many failed: `соединение сброшено …, на 2 из 3 адресов`; empty: not known. */
export function describeCause({ code, failing, counted }: Cause, language: Language): string {
  if (code === null) return "";
  const words = FAILURE_WORDS[language][code];
  if (counted < 2) return words;
  return language === "ru"
    ? `${words}, на ${failing} из ${counted} адресов`
    : `${words}, at ${failing} of ${counted} addresses`;
}
