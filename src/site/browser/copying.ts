import type { ScriptWords } from "../words/pages/script.ts";
import { all } from "./elements.ts";
import { setText } from "./set-text.ts";

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
