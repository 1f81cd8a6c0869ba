import type { Service } from "../../model/service/catalogue.ts";
import type { Language } from "./language.ts";

/** The names of a service. */
export type ServiceNames = Pick<Service, "name" | "nameEn">;

/** The name of a service on a page of the language. */
export function nameService({ name, nameEn }: ServiceNames, language: Language): string {
  return language === "en" ? (nameEn ?? name) : name;
}
