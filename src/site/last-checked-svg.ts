import { FRESH_MS } from "../model/time.ts";
import type { ByLanguage } from "./words/by-language.ts";
import { type Language, LANGUAGES } from "./words/language.ts";
import { formatMoment, formatTime, MOSCOW, yearOf } from "./words/time.ts";

/** Size of the picture of one language. The longest text needs it in the widest usual font. */
const WIDTH = 320;
const HEIGHT = 20;

const UNCHECKED: ByLanguage<string> = { ru: "ещё не проверяли", en: "not checked yet" };
const HOLDS: ByLanguage<string> = { ru: "верно до", en: "holds until" };

/**
 * The time of the last run, and until when its verdicts hold, as a picture, so that pages do not change with every run. One file has
 * it in each language, below one another: a page shows the view with the name of its language, `checked.svg#en`. Null: nothing was
 * checked yet, although there may have been runs.
 */
export function drawLastChecked(updatedAtMs: number | null): string {
  const texts = LANGUAGES.map((language) =>
    updatedAtMs === null ? UNCHECKED[language] : writeMoment(updatedAtMs, language),
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${texts.join(" / ")}">`,
    "<style>text{font:14px system-ui,sans-serif;fill:#474d57}@media(prefers-color-scheme:dark){text{fill:#b7bdc8}}</style>",
    ...texts.map((text, index) => {
      const top = index * HEIGHT;
      const view = `<view id="${LANGUAGES[index]}" viewBox="0 ${top} ${WIDTH} ${HEIGHT}"/>`;
      return `${view}<text y="${top + 15}">${text}</text>`;
    }),
    "</svg>",
  ].join("");
}

/** `21 ноября, 12:05 МСК, верно до 12:20` */
function writeMoment(atMs: number, language: Language): string {
  const until = formatTime(atMs + FRESH_MS);
  return `${formatMoment(atMs, language, yearOf(atMs))} ${MOSCOW[language]}, ${HOLDS[language]} ${until}`;
}
