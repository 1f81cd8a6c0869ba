import type { Language } from "../language.ts";

/** Something once in each language of the website. */
export type ByLanguage<T> = Readonly<Record<Language, T>>;

/** A word for each of some codes, in each language. */
export type Words<Code extends string> = ByLanguage<Readonly<Record<Code, string>>>;
