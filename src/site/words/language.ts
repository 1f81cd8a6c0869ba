/** A language of the website. */
export type Language = "ru" | "en";

/** The first one is the default. */
export const LANGUAGES: readonly [Language, ...Language[]] = ["ru", "en"];
