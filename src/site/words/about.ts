import { ABOUT_ENGLISH } from "./about-en.ts";
import { ABOUT_RUSSIAN } from "./about-ru.ts";
import type { ByLanguage } from "./by-language.ts";

export interface AboutSection {
  /** What a link to the section ends with. */
  readonly id: string;
  readonly title: string;
  /** Sentences as `Text` has them. */
  readonly before: readonly string[];
  readonly items?: readonly string[];
  readonly after?: readonly string[];
  /** Whether the table of verdicts stands at the end. */
  readonly hasVerdicts?: boolean;
}

/**
 * What the page on how all this works says. Sources: docs/measurement.md, docs/verdicts.md, docs/reports.md, docs/intake.md,
 * docs/uptime.md.
 */
export interface AboutWords {
  readonly title: string;
  readonly description: string;
  readonly intro: readonly string[];
  readonly sections: readonly AboutSection[];
  readonly verdicts: { readonly caption: string; readonly head: readonly string[] };
}

export const ABOUT_WORDS: ByLanguage<AboutWords> = { ru: ABOUT_RUSSIAN, en: ABOUT_ENGLISH };
