import { fetchFresh } from "./polling.ts";
import { setText } from "./set-text.ts";

/** What is shown of a long answer. */
const MAX_LENGTH = 4_000;

const request = async (url: string): Promise<string> => {
  const answer = await fetchFresh(url);
  const text = JSON.stringify(await answer.json(), undefined, 2);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
};

/** Makes the form of the API page show an answer. */
export function listenToTrying(): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(".try")) return;
    event.preventDefault();
    const slug = form.querySelector("input")?.value.trim() ?? "";
    const url = slug === "" ? form.action : `${form.action}/${encodeURIComponent(slug)}`;
    const show = (text: string): void => {
      setText(form.querySelector("code"), `GET ${new URL(url).pathname}\n\n${text}`);
    };
    void request(url).then(show, (error: unknown) => show(String(error)));
  });
}
