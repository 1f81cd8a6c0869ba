import type { AnnotationKind, Category, Endpoint, Service } from "../../model/service/catalogue.ts";
import { inLanguages, type Language, type Words } from "../../contract/codes/language.ts";

/** The names of a service. */
export type ServiceNames = Pick<Service, "name" | "nameEn">;

/** The name of a service on a page of the language. */
export function nameService({ name, nameEn }: ServiceNames, language: Language): string {
  return language === "en" ? (nameEn ?? name) : name;
}

/** By id of the shipped catalogue, whose names are Russian. */
const ENGLISH: ReadonlyMap<string, string> = new Map([
  ["banks", "Banking and payments"],
  ["ai", "AI and neural networks"],
  ["shopping", "Shopping and delivery"],
  ["search", "Search, email and cloud storage"],
  ["games", "Games"],
  ["telecom", "Telecom and internet providers"],
  ["messaging", "Messaging and calls"],
  ["social", "Social networks"],
  ["video", "Video and music"],
  ["gov", "Government and public services"],
]);

/** Name of a category; the name in the catalogue if there is no English one. */
export function nameCategory({ id, name }: Category, language: Language): string {
  return language === "ru" ? name : (ENGLISH.get(id) ?? name);
}

/** What a statement of the catalogue says of a service. Not measured: each has a date and a source. */
export const ANNOTATION_WORDS: Words<AnnotationKind> = inLanguages({
  restricted: ["Доступ ограничен в России", "Access is restricted in Russia"],
  slowed_ru: ["По сообщениям, замедлен в России", "Reportedly slowed down in Russia"],
  partial_ru: ["По сообщениям, работает в России частично", "Reportedly works partially in Russia"],
  provider: ["Ограничения ввёл сам сервис", "Restricted by the service itself"],
  remark: ["К сведению", "Good to know"],
  calls: ["Звонки не работают", "Calls do not work"],
});

/** Name of an endpoint. Undefined if the catalogue has no Russian one: pages then show its host. */
export function nameEndpoint(
  { what, whatRu }: Pick<Endpoint, "what" | "whatRu">,
  language: Language,
): string | undefined {
  return language === "en" ? what : whatRu;
}
