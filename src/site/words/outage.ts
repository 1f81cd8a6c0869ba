import type { FailureCode } from "../../model/probe-outcome.ts";
import { FAILURE_WORDS } from "./failure.ts";
import type { Language } from "./language.ts";

interface Cause {
  readonly code: FailureCode | null;
  readonly failing: number;
  readonly counted: number;
}

/** What most failing addresses had, and how many failed: `соединение сброшено … (2 из 3 адресов)`; empty: not known. */
export function describeCause({ code, failing, counted }: Cause, language: Language): string {
  if (code === null) return "";
  const words = FAILURE_WORDS[language][code];
  if (counted < 2) return words;
  return language === "ru"
    ? `${words} (${failing} из ${counted} адресов)`
    : `${words} (${failing} of ${counted} addresses)`;
}
