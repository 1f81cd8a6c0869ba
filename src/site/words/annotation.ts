import type { AnnotationKind } from "../../model/service/catalogue.ts";
import type { Words } from "./by-language.ts";

/** What a statement of the catalogue says of a service. Not measured: each has a date and a source. */
export const ANNOTATION_WORDS: Words<AnnotationKind> = {
  ru: {
    restricted: "Доступ ограничен в России",
    slowed_ru: "По сообщениям, замедлен в России",
    partial_ru: "По сообщениям, работает в России частично",
    provider: "Ограничения ввёл сам сервис",
    remark: "К сведению",
  },
  en: {
    restricted: "Access is restricted in Russia",
    slowed_ru: "Reportedly slowed down in Russia",
    partial_ru: "Reportedly works partially in Russia",
    provider: "Restricted by the service itself",
    remark: "Good to know",
  },
};
