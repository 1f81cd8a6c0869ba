/** A language of the website. */
export type Language = "ru" | "en";

/** The first one is that of whoever does not say otherwise. */
export const LANGUAGES: readonly Language[] = ["ru", "en"];
