import type { Color, VerdictCode } from "../../model/verdict.ts";
import type { Language } from "../language.ts";
import type { ByLanguage } from "./by-language.ts";
import { COLOR_WORDS, VERDICT_LABELS } from "./verdict.ts";

/** What the script says in the browser; it finds it in the page. Source: docs/website.md, In the browser. */
export interface ScriptWords {
  readonly codes: Readonly<Record<VerdictCode, string>>;
  readonly colors: Readonly<Record<Color, string>>;
  /** With `{time}`: when the last run was; that it is long ago. */
  readonly updated: string;
  readonly stale: string;
  readonly offline: string;
  /** After a report. */
  readonly thanks: string;
  readonly tooMany: string;
  readonly failed: string;
  /** With `{count}`: how many services a search shows; that there are none. */
  readonly found: string;
  readonly nothing: string;
  readonly copied: string;
}

const OWN: ByLanguage<Omit<ScriptWords, "codes" | "colors">> = {
  ru: {
    updated: "{time} МСК",
    stale:
      "Данные устарели: последняя проверка была {time} МСК. Что происходит сейчас, мы не знаем.",
    offline:
      "Не получается обновить данные: проверьте, есть ли интернет. Страница показывает то, что было.",
    thanks: "Спасибо, жалоба принята.",
    tooMany: "Из вашей сети пришло слишком много жалоб. Попробуйте позже.",
    failed: "Отправить не получилось. Попробуйте ещё раз.",
    found: "Найдено: {count}",
    nothing: "Не найдено",
    copied: "Скопировано",
  },
  en: {
    updated: "{time} MSK",
    stale:
      "The data is out of date: the last check was {time} Moscow time. What is happening now, we do not know.",
    offline:
      "The data cannot be updated: is there an internet connection? The page shows what was.",
    thanks: "Thank you, your report was accepted.",
    tooMany: "Too many reports came from your network. Try again later.",
    failed: "It could not be sent. Try again.",
    found: "Found: {count}",
    nothing: "Nothing found",
    copied: "Copied",
  },
};

/** Everything the script says in a language. */
export function scriptWords(language: Language): ScriptWords {
  return { codes: VERDICT_LABELS[language], colors: COLOR_WORDS[language], ...OWN[language] };
}
