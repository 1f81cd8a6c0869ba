import type { Symptom } from "../../model/service/reports.ts";
import type { Words } from "./by-language.ts";

/** Choices of the report form. */
export const SYMPTOM_WORDS: Words<Symptom> = {
  ru: {
    "does-not-open": "Не открывается",
    slow: "Работает медленно",
    login: "Не получается войти",
    payments: "Не проходят платежи",
    app: "Не работает приложение",
    other: "Другое",
  },
  en: {
    "does-not-open": "Does not open",
    slow: "Slow",
    login: "Cannot sign in",
    payments: "Payments fail",
    app: "The app does not work",
    other: "Something else",
  },
};
