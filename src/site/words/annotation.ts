import { inLanguages, type Words } from "./language.ts";
import type { AnnotationKind } from "../../model/service/catalogue.ts";

/** What a statement of the catalogue says of a service. Not measured: each has a date and a source. */
export const ANNOTATION_WORDS: Words<AnnotationKind> = inLanguages({
  restricted: ["Доступ ограничен в России", "Access is restricted in Russia"],
  slowed_ru: ["По сообщениям, замедлен в России", "Reportedly slowed down in Russia"],
  partial_ru: ["По сообщениям, работает в России частично", "Reportedly works partially in Russia"],
  provider: ["Ограничения ввёл сам сервис", "Restricted by the service itself"],
  remark: ["К сведению", "Good to know"],
});
