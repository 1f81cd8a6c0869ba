import { inLanguages, type Language } from "./language.ts";
import { FAILURE_WORDS } from "./failure.ts";
import { describeLength } from "./length.ts";
import { countOf } from "./plural.ts";

const WORDS = inLanguages({
  failing: [(name: string) => `${name} не открывается`, (name: string) => `${name} does not open`],
  healthy: [(name: string) => `${name} снова работает`, (name: string) => `${name} works again`],
  flapping: [
    (name: string) => `${name} работает с перебоями`,
    (name: string) => `${name} is unstable`,
  ],
  added: ["Оповещения включены", "Alerts are on"],
  addedBody: [
    (name: string) => `Напишем сюда, если ${name} перестанет открываться.`,
    (name: string) => `We will tell you here when ${name} stops opening.`,
  ],
  lasted: [
    (length: string) => `Сбой длился ${length}.`,
    (length: string) => `The failure lasted ${length}.`,
  ],
  changes: {
    one: ["перемена", "change"],
    few: ["перемены", "changes"],
    many: ["перемен", "changes"],
  },
  now: {
    healthy: ["Сейчас работает.", "Now it works."],
    failing: ["Сейчас не открывается.", "Now it does not open."],
  },
});

/** What happened to a monitor. */
export interface MonitorAlert {
  readonly kind: "added" | "changed" | "flapping";
  readonly name: string;
  readonly after: "healthy" | "failing";
  readonly code?: string;
  /** Length of the state before. */
  readonly beforeMs: number;
  readonly changes: number;
}

/** Title and text of a notice. */
export function describeAlert(
  { kind, name, after, code, beforeMs, changes }: MonitorAlert,
  language: Language,
): { readonly title: string; readonly body: string } {
  const words = WORDS[language];
  if (kind === "added") return { title: words.added, body: words.addedBody(name) };
  if (kind === "flapping") {
    const count = countOf(changes, words.changes, language);
    return { title: words.flapping(name), body: `${count}. ${words.now[after]}` };
  }
  if (after === "healthy")
    return {
      title: words.healthy(name),
      body: words.lasted(describeLength(beforeMs, language)),
    };
  return { title: words.failing(name), body: sentenceOf(code, language) };
}

function sentenceOf(code: string | undefined, language: Language): string {
  const known: Readonly<Record<string, string>> = FAILURE_WORDS[language];
  const text = code !== undefined && Object.hasOwn(known, code) ? (known[code] ?? "") : "";
  return text === "" ? "" : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
