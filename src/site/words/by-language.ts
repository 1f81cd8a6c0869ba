import type { Language } from "./language.ts";

/** A value for each language of the website. */
export type ByLanguage<T> = Readonly<Record<Language, T>>;

/** A word for each code, in each language. */
export type Words<Code extends string> = ByLanguage<Readonly<Record<Code, string>>>;
