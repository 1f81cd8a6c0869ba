import { type Color, COLOR_OF } from "../../model/service/verdict.ts";
import type { Language } from "./language.ts";
import { VERDICT_EXPLANATIONS, VERDICT_LABELS } from "./verdict.ts";

export interface VerdictRow {
  readonly code: string;
  readonly color: Color;
  readonly label: string;
  /** When it occurs. */
  readonly explanation: string;
}

/** All verdicts, in the order of the States table of the API. */
export function verdictRows(language: Language): readonly VerdictRow[] {
  // Object.entries types the keys of a record as string.
  const labels: Readonly<Record<string, string>> = VERDICT_LABELS[language];
  const explanations: Readonly<Record<string, string>> = VERDICT_EXPLANATIONS[language];
  return Object.entries(COLOR_OF).map(([code, color]) => ({
    code,
    color,
    label: labels[code] ?? "",
    explanation: explanations[code] ?? "",
  }));
}
