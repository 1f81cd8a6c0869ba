import type { Color, VerdictCode } from "../../../contract/codes/verdict.ts";
import type { Language } from "../language.ts";
import type { ByLanguage } from "../by-language.ts";
import { COLOR_WORDS, VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";

/** Texts of the browser script, which reads them from the page. Source: docs/website.md, In the browser. */
export interface ScriptWords {
  readonly codes: Readonly<Record<VerdictCode, string>>;
  readonly colors: Readonly<Record<Color, string>>;
  /** Contains `{time}`, the time of the last run. */
  readonly stale: string;
  readonly offline: string;
  /** What becomes of a report. */
  readonly sending: string;
  readonly thanks: string;
  readonly counted: string;
  readonly tooMany: string;
  readonly failed: string;
  /** Results of a search; `found` contains `{count}`. */
  readonly found: string;
  readonly nothing: string;
  /** Above services with similar names, if none was found. */
  readonly near: string;
  /** If there are none of these either. */
  readonly unknown: string;
  readonly copy: string;
  readonly copied: string;
}

const OWN: ByLanguage<Omit<ScriptWords, "codes" | "colors">> = {
  ru: {
    stale: "Данные устарели. Последняя проверка: {time}. Что с сервисами теперь, мы не знаем.",
    offline:
      "Не получается обновить данные. Проверьте, есть ли интернет. На странице прежние данные.",
    sending: "Отправляем…",
    thanks: "Спасибо, жалоба принята.",
    counted: "Ваша жалоба уже принята: от одной сети считается одна в час.",
    tooMany: "Из вашей сети пришло слишком много жалоб. Попробуйте позже.",
    failed: "Сейчас отправить не получается. Попробуйте через несколько минут.",
    found: "Найдено: {count}",
    nothing: "Не найдено",
    near: "Такого сервиса нет. Похожие названия:",
    unknown: "Этот сервис мы не проверяем.",
    copy: "Скопировать",
    copied: "Скопировано",
  },
  en: {
    stale:
      "The data is out of date. Last check: {time}. We do not know how the services are doing.",
    offline:
      "The data cannot be updated. Check your internet connection. The page shows earlier data.",
    sending: "Sending…",
    thanks: "Thank you, your report was accepted.",
    counted: "Your report was already accepted: one per hour counts from each network.",
    tooMany: "Too many reports came from your network. Try again later.",
    failed: "Your report could not be sent. Try again in a few minutes.",
    found: "Found: {count}",
    nothing: "Nothing found",
    near: "No such service. Similar names:",
    unknown: "We do not check this service.",
    copy: "Copy",
    copied: "Copied",
  },
};

/** All texts of the script in a language. */
export function scriptWords(language: Language): ScriptWords {
  return { codes: VERDICT_LABELS[language], colors: COLOR_WORDS[language], ...OWN[language] };
}
