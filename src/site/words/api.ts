import type { ByLanguage } from "./by-language.ts";
import { API_ENGLISH } from "./api-en.ts";
import { API_RUSSIAN } from "./api-ru.ts";

/** A table of sentences as `Text` has them. */
export interface TableWords {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** What the page of the API says. Sources: docs/api.md, docs/badges.md, docs/website.md. */
export interface ApiWords {
  readonly title: string;
  readonly description: string;
  readonly intro: readonly string[];
  /** Stands before the address under which everything is. */
  readonly base: string;
  readonly operations: { readonly title: string; readonly table: TableWords };
  readonly list: {
    readonly title: string;
    readonly table: TableWords;
    readonly entries: TableWords;
    readonly example: string;
  };
  readonly detail: {
    readonly title: string;
    readonly before: string;
    readonly table: TableWords;
    readonly example: string;
  };
  readonly states: {
    readonly title: string;
    readonly before: string;
    readonly codes: Omit<TableWords, "rows">;
    readonly colors: Omit<TableWords, "rows">;
  };
  readonly limits: {
    readonly title: string;
    readonly items: readonly string[];
    readonly errors: TableWords;
  };
  readonly examples: {
    readonly title: string;
    readonly shell: string;
    readonly script: string;
    readonly python: string;
  };
  readonly badges: {
    readonly title: string;
    readonly before: readonly string[];
    readonly table: TableWords;
    readonly html: string;
    readonly markdown: string;
    readonly shields: string;
    /** Text for those who do not see a badge. */
    readonly alternative: string;
  };
  readonly embed: {
    readonly title: string;
    readonly before: string;
    readonly example: string;
    readonly items: readonly string[];
  };
  readonly feeds: { readonly title: string; readonly items: readonly string[] };
  readonly terms: {
    readonly title: string;
    /** Asks for a link, and stands before an example of one. */
    readonly request: string;
    readonly example: string;
    /** Text of the link to us. */
    readonly link: string;
  };
}

export const API_WORDS: ByLanguage<ApiWords> = { ru: API_RUSSIAN, en: API_ENGLISH };
