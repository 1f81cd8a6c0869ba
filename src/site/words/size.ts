import type { Language } from "./language.ts";

const UNITS: Readonly<Record<Language, readonly string[]>> = {
  ru: ["байт", "КБ", "МБ", "ГБ"],
  en: ["bytes", "kB", "MB", "GB"],
};

/** A size for people, in decimal units: `812 bytes`, `110 kB`, `1.2 MB`. Values below 10 have a decimal place. */
export function formatSize(bytes: number, language: Language): string {
  const units = UNITS[language];
  let value = bytes;
  let at = 0;
  // A value that would be rounded to 1000 belongs to the next unit.
  for (; value >= 999.5 && at < units.length - 1; at += 1) value /= 1000;
  const rounded = at > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0);
  return `${language === "ru" ? rounded.replace(".", ",") : rounded}\u00A0${units[at] ?? ""}`;
}
