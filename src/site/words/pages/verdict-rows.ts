import {
  type Color,
  COLOR_OF,
  VERDICT_CODES,
  type VerdictCode,
} from "../../../contract/codes/verdict.ts";
import type { Language } from "../language.ts";
import { VERDICT_EXPLANATIONS, VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";

export interface VerdictRow {
  readonly code: VerdictCode;
  readonly color: Color;
  readonly label: string;
  /** When it occurs. */
  readonly explanation: string;
}

/** All verdicts, in the order of the States table of the API. */
export function verdictRows(language: Language): readonly VerdictRow[] {
  return VERDICT_CODES.map((code) => ({
    code,
    color: COLOR_OF[code],
    label: VERDICT_LABELS[language][code],
    explanation: VERDICT_EXPLANATIONS[language][code],
  }));
}
