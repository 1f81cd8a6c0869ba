import { HOUR_MS } from "../../model/time.ts";
import type { ScriptWords } from "../words/pages/script.ts";
import { all, setText } from "./elements.ts";
import { REQUEST_TIMEOUT_MS } from "./polling.ts";

/* Sends reports, and says next to the button what becomes of them. */

/** What the intake answers: counts of the service, unvalidated. */
type Counts = Readonly<Record<string, unknown>>;

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
  onCounts: (counts: Counts) => void,
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
  onCounts: (counts: Counts) => void,
): void {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches(".report")) return;
    event.preventDefault();
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
