import { inLanguages } from "../language.ts";

/** Texts of the controls on the page of the API. */
export const API_WORDS = inLanguages({
  slug: ["Короткое имя сервиса", "Short name of a service"],
  send: ["Показать ответ", "Show the response"],
  hint: [
    "Запрос уйдёт прямо из вашего браузера; без имени придёт весь список.",
    "Your browser sends the request; without a name you get the whole list.",
  ],
  answer: ["Ответ", "Response"],
  badge: ["Значок всего сайта", "Badge of the whole site"],
  serviceBadge: ["Статус сервиса", "Status of the service"],
});
