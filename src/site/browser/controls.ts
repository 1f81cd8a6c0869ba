import { all, create, onSubmit, setText } from "./elements.ts";
import type { ScriptWords } from "../words/pages/script.ts";
import { fetchFresh, type Fields, REQUEST_TIMEOUT_MS } from "./polling.ts";
import { HOUR_MS } from "../../model/time.ts";

/* Forms of a badge, buttons that copy, requests of the page of the API, and reports. */

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
    const box = create("div", { className: "code" });
    pre.replaceWith(box);
    box.append(pre, create("button", { type: "button", className: "copy" }, words.copy ?? ""));
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

const MAX_LENGTH = 4_000;

const request = async (url: string): Promise<string> => {
  const answer = await fetchFresh(url);
  const text = JSON.stringify(await answer.json(), undefined, 2);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
};

/** Makes the form of the API page show an answer. */
export function listenToTrying(): void {
  onSubmit(".try", (form) => {
    const slug = form.querySelector("input")?.value.trim() ?? "";
    const url = slug === "" ? form.action : `${form.action}/${encodeURIComponent(slug)}`;
    const show = (text: string): void => {
      setText(form.querySelector("code"), `GET ${new URL(url).pathname}\n\n${text}`);
    };
    void request(url).then(show, (error: unknown) => show(String(error)));
  });
}

/** When this visitor reported a service, ms; 0: not that this browser knows. */
const recall = (key: string): number => {
  try {
    return Number(localStorage.getItem(key));
  } catch {
    return 0;
  }
};

const remember = (key: string): void => {
  try {
    localStorage.setItem(key, String(Date.now()));
  } catch {
    // Without storage the intake alone counts once.
  }
};

/** Sends a report. Returns the words for its result; rejects without an answer. */
const send = async (
  form: HTMLFormElement,
  words: Partial<ScriptWords>,
  onCounts: (counts: Fields) => void,
): Promise<string | undefined> => {
  const key = `report:${form.action}`;
  // A network counts once an hour. A clock that was set back must not forbid reports.
  const ago = Date.now() - recall(key);
  if (ago >= 0 && ago < HOUR_MS) return words.counted;
  const symptom = new FormData(form).get("symptom") ?? undefined;
  const response = await fetch(form.action, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ symptom }),
    signal: AbortSignal.timeout?.(REQUEST_TIMEOUT_MS),
  });
  if (response.status === 429) return words.tooMany;
  if (response.status !== 202) return words.failed;
  remember(key);
  // The report was accepted, even if the body cannot be read.
  onCounts((await response.json().catch(() => null)) ?? {});
  return words.thanks;
};

/** Makes the forms of a page send without leaving it. `onCounts` gets the counts of each accepted report. */
export function listenToReports(
  words: Partial<ScriptWords>,
  onCounts: (counts: Fields) => void,
): void {
  onSubmit(".report", (form) => {
    // Not disabled: that would take the focus from its button.
    if (form.ariaBusy === "true") return;
    const answer = (text?: string): void => setText(all("#reported")[0], text);
    form.ariaBusy = "true";
    answer(words.sending);
    void send(form, words, onCounts)
      .then(answer, () => answer(words.failed))
      .finally(() => (form.ariaBusy = null));
  });
}
