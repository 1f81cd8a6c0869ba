import type { Category } from "../../model/service/catalogue.ts";
import type { Language } from "./language.ts";

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
