import type { ByLanguage } from "./by-language.ts";
import { FAILURE_WORDS } from "./failure.ts";
import type { Language } from "./language.ts";
import { describeLength } from "./length.ts";
import { countOf, type PluralForms } from "./plural.ts";

/** Texts of notices about one monitor. */
interface AlertWords {
  readonly failing: (name: string) => string;
  readonly healthy: (name: string) => string;
  readonly flapping: (name: string) => string;
  readonly added: string;
  readonly addedBody: (name: string) => string;
  readonly lasted: (length: string) => string;
  readonly changes: PluralForms;
  readonly now: Readonly<Record<"healthy" | "failing", string>>;
}

const WORDS: ByLanguage<AlertWords> = {
  ru: {
    failing: (name) => `${name} не открывается`,
    healthy: (name) => `${name} снова работает`,
    flapping: (name) => `${name} работает с перебоями`,
    added: "Оповещения включены",
    addedBody: (name) => `Напишем сюда, если ${name} перестанет открываться.`,
    lasted: (length) => `Сбой длился ${length}.`,
    changes: { one: "перемена", few: "перемены", many: "перемен" },
    now: { healthy: "Сейчас работает.", failing: "Сейчас не открывается." },
  },
  en: {
    failing: (name) => `${name} does not open`,
    healthy: (name) => `${name} works again`,
    flapping: (name) => `${name} is unstable`,
    added: "Alerts are on",
    addedBody: (name) => `We will tell you here when ${name} stops opening.`,
    lasted: (length) => `The failure lasted ${length}.`,
    changes: { one: "change", few: "changes", many: "changes" },
    now: { healthy: "Now it works.", failing: "Now it does not open." },
  },
};

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
