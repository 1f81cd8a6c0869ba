import { inLanguages } from "../language.ts";

export const NOT_FOUND_WORDS = inLanguages({
  title: ["Такой страницы нет", "Page not found"],
  text: [
    "Возможно, в адресе опечатка или монитор больше не открыт для всех.",
    "The address may have a typo, or the monitor is no longer public.",
  ],
  link: ["Все сервисы", "All services"],
});
