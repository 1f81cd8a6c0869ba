import type { Category } from "../../model/catalogue.ts";
import type { Language } from "../language.ts";

/** By the ids of the shipped catalogue, whose own names are Russian. */
const ENGLISH: ReadonlyMap<string, string> = new Map([
  ["banks", "Banking and payments"],
  ["ai", "AI and neural nets"],
  ["shopping", "Shopping and delivery"],
  ["search", "Search, email and clouds"],
  ["games", "Games"],
  ["telecom", "Telecom and internet providers"],
  ["messaging", "Messaging and calls"],
  ["social", "Social networks"],
  ["video", "Video and music"],
  ["gov", "Public services and state"],
]);

/** Name of a category. One of another catalogue, for which there is no English, keeps its Russian name. */
export function nameCategory({ id, name }: Category, language: Language): string {
  return language === "ru" ? name : (ENGLISH.get(id) ?? name);
}
