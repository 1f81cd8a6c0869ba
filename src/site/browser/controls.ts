import { all, setText } from "./elements.ts";
import type { ScriptWords } from "../words/pages/script.ts";
import { fetchFresh } from "./polling.ts";

/* Switches the badge of a monitor, and the snippets that embed it, to another of its forms. */

const FILE = /\bbadge(?:-\w+)?\.(?:svg|png)/g;

/** Makes the choice of forms of a page work. */
export function listenToBadgeForms(): void {
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(".forms input")) return;
    const { value } = target;
    for (const image of all<HTMLImageElement>(".badge img"))
      image.src = image.src.replace(FILE, value);
    for (const field of all<HTMLTextAreaElement>(".snippet textarea"))
      field.value = field.value.replace(FILE, value);
  });
}

/* Buttons that copy a snippet, or the code below them. */

const COPIED_MS = 2_000;

const copy = async (button: HTMLElement, words: Partial<ScriptWords>): Promise<void> => {
  const { copy: id } = button.dataset;
  const field = id === undefined ? null : document.querySelector<HTMLTextAreaElement>(`#${id}`);
  const code = button.parentElement?.querySelector("code");
  const before = button.textContent ?? "";
  try {
    await navigator.clipboard.writeText(field?.value ?? code?.textContent ?? "");
    setText(button, words.copied);
    if (before !== words.copied) setTimeout(() => setText(button, before), COPIED_MS);
  } catch {
    // Without permission to copy, the visitor can use the keyboard.
    field?.focus();
    field?.select();
    if (code) getSelection()?.selectAllChildren(code);
  }
};

/** Adds a button to each piece of code of a page to read; it lies over the code, so that nothing moves. */
function addButtons(words: Partial<ScriptWords>): void {
  for (const pre of all(".prose pre:has(code:not([id]))")) {
    const box = document.createElement("div");
    const button = document.createElement("button");
    box.className = "code";
    button.type = "button";
    button.className = "copy";
    setText(button, words.copy);
    pre.replaceWith(box);
    box.append(pre, button);
  }
}

/** Makes the buttons of a page copy. */
export function listenToCopying(words: Partial<ScriptWords>): void {
  if (words.copy !== undefined) addButtons(words);
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element && target.closest<HTMLElement>(".copy");
    if (button) void copy(button, words);
  });
}

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
