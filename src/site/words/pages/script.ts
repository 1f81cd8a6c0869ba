import { inLanguages, type Language } from "../../../contract/codes/language.ts";
import { COLOR_WORDS, VERDICT_LABELS } from "../../../contract/codes/verdict-words.ts";

export type ScriptWords = ReturnType<typeof scriptWords>;

const OWN = inLanguages({
  stale: [
    "Данные устарели. Последняя проверка: {time}. Что с сервисами теперь, мы не знаем.",
    "The data is out of date. Last check: {time}. We do not know how the services are doing.",
  ],
  offline: [
    "Не получается обновить данные. Проверьте, есть ли интернет. На странице прежние данные.",
    "The data cannot be updated. Check your internet connection. The page shows earlier data.",
  ],
  sending: ["Отправляем…", "Sending…"],
  thanks: ["Спасибо, жалоба принята.", "Thank you, your report was accepted."],
  counted: [
    "Ваша жалоба уже принята: от одной сети считается одна в час.",
    "Your report was already accepted: one per hour counts from each network.",
  ],
  tooMany: [
    "Из вашей сети пришло слишком много жалоб. Попробуйте позже.",
    "Too many reports came from your network. Try again later.",
  ],
  failed: [
    "Сейчас отправить не получается. Попробуйте через несколько минут.",
    "Your report could not be sent. Try again in a few minutes.",
  ],
  found: ["Найдено: {count}", "Found: {count}"],
  nothing: ["Не найдено", "Nothing found"],
  /** Above services with similar names, if none was found. */
  near: ["Такого сервиса нет. Похожие названия:", "No such service. Similar names:"],
  /** If there are none of these either. */
  unknown: ["Этот сервис мы не проверяем.", "We do not check this service."],
  copy: ["Скопировать", "Copy"],
  copied: ["Скопировано", "Copied"],
});

/** All texts of the browser script in a language, which reads them from the page. Source: docs/website.md, In the browser. */
export function scriptWords(language: Language) {
  return { codes: VERDICT_LABELS[language], colors: COLOR_WORDS[language], ...OWN[language] };
}
