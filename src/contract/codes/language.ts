/** The languages of the website. The first one is the default. */
export const LANGUAGES = ["ru", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language that a page is not in. */
export function otherLanguage(language: Language): Language {
  return language === "ru" ? "en" : "ru";
}

/** A value for each language of the website. */
export type ByLanguage<T> = Readonly<Record<Language, T>>;

/** A word for each code, in each language. */
export type Words<Code extends string> = ByLanguage<Readonly<Record<Code, string>>>;

/** Each entry is in Russian and in English, or a table of such entries. */
interface Table {
  readonly [key: string]: readonly [ru: unknown, en: unknown] | Table;
}

type InOne<T> = {
  readonly [Key in keyof T]: T[Key] extends readonly [infer Ru, infer En] ? Ru | En : InOne<T[Key]>;
};

/** A table that has both languages beside each other, by language. */
export function inLanguages<T extends Table>(table: T): ByLanguage<InOne<T>> {
  return { ru: pick(table, 0), en: pick(table, 1) };
}

function pick<T extends Table>(table: T, at: 0 | 1): InOne<T> {
  const entries = Object.entries(table).map(([key, value]) => [
    key,
    Array.isArray(value) ? value[at] : pick(value as Table, at),
  ]);
  return Object.fromEntries(entries) as InOne<T>;
}
