import { inLanguages, type Language } from "./language.ts";
import type { FailureCode } from "../../model/probe-outcome.ts";
import { FAILURE_WORDS } from "./failure.ts";

export const OUTAGE_WORDS = inLanguages({
  title: ["Последние сбои", "Latest outages"],
  none: ["Сбоев мы ещё не видели.", "We have not seen an outage yet."],
  /** In place of the length. */
  lasts: ["продолжается", "ongoing"],
});

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
