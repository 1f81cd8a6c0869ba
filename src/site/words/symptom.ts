import { inLanguages, type Words } from "./language.ts";
import type { Symptom } from "../../model/service/reports.ts";

/** Choices of the report form. */
export const SYMPTOM_WORDS: Words<Symptom> = inLanguages({
  "does-not-open": ["Не открывается", "Does not open"],
  slow: ["Работает медленно", "Slow"],
  login: ["Не получается войти", "Cannot sign in"],
  payments: ["Не проходят платежи", "Payments fail"],
  app: ["Не работает приложение", "The app does not work"],
  other: ["Другое", "Something else"],
});
