import { inLanguages, type Language } from "../../contract/codes/language.ts";
import { FAILURE_WORDS } from "./failure.ts";
import { capitalise, countOf, describeDuration } from "./numbers.ts";
import type { ToldWith, VerdictChange } from "../../model/service/verdict-change.ts";
import { describeTold } from "./told-with.ts";
import { type Color, COLOR_OF, VERDICT_CODES } from "../../contract/codes/verdict.ts";
import { formatMoment, MOSCOW, yearOf } from "./time.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";

/** Texts of notices about one monitor, and of messages about services. */
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
  changes: [
    ["перемена", "перемены", "перемен"],
    ["change", "changes"],
  ],
  now: {
    healthy: ["Сейчас работает.", "Now it works."],
    failing: ["Сейчас не открывается.", "Now it does not open."],
  },
  since: [
    (moment: string, before: string) => `С ${moment} ${MOSCOW.ru}. До этого: «${before}».`,
    (moment: string, before: string) => `Since ${moment} ${MOSCOW.en}. Before: “${before}”.`,
  ],
  again: [
    (length: string, before: string) => `Снова работает, через ${length}. Было: «${before}».`,
    (length: string, before: string) => `Works again after ${length}. Before: “${before}”.`,
  ],
  againOnly: [
    (before: string) => `Снова работает. Было: «${before}».`,
    (before: string) => `Works again. Before: “${before}”.`,
  ],
  restless: [
    (count: string, now: string) => `${count} с прошлого сообщения. Сейчас: «${now}».`,
    (count: string, now: string) => `${count} since the last message. Now: “${now}”.`,
  ],
  changed: [
    ["сервис изменил состояние", "сервиса изменили состояние", "сервисов изменили состояние"],
    ["service changed", "services changed"],
  ],
  rest: [(count: number) => `и ещё ${count}`, (count: number) => `and ${count} more`],
  more: ["Подробнее", "Details"],
  test: ["Проверка оповещений", "Test of alerts"],
  testBody: [
    "Это проверка: с сервисами ничего не случилось.",
    "This is a test: nothing has happened to the services.",
  ],
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
  return after === "healthy"
    ? { title: words.healthy(name), body: words.lasted(describeDuration(beforeMs, language)) }
    : { title: words.failing(name), body: sentenceOf(code, language) };
}

function sentenceOf(code: string | undefined, language: Language): string {
  const known: Readonly<Record<string, string>> = FAILURE_WORDS[language];
  const text = code !== undefined && Object.hasOwn(known, code) ? known[code] : undefined;
  return text === undefined ? "" : `${capitalise(text)}.`;
}

/** Signs of the lights, for channels without colours. The worst first. */
const SIGNS: Readonly<Record<Color, string>> = { bad: "🔴", warn: "🟡", ok: "🟢", none: "⚪" };

/** What happened to one service. */
export interface ServiceNews extends ToldWith, Pick<VerdictChange, "before" | "code" | "atMs"> {
  readonly name: string;
  /** When the trouble began that is over. */
  readonly beganMs?: number;
  /** 1, or more if it does not come to rest. */
  readonly changes: number;
}

/** A message in plain text. */
export interface AlertText {
  readonly title: string;
  readonly lines: readonly string[];
}

/** The words of the link below a message. */
export function describeLink(language: Language): string {
  return WORDS[language].more;
}

/** The message about one service. */
export function describeNews(
  { name, before, code, atMs, beganMs, changes, ...told }: ServiceNews,
  language: Language,
): AlertText {
  const words = WORDS[language];
  const labels = VERDICT_LABELS[language];
  const title = `${SIGNS[COLOR_OF[code]]} ${name}`;
  if (changes > 1) {
    const count = countOf(changes, words.changes, language);
    return { title, lines: [words.restless(count, labels[code])] };
  }
  if (code !== "ok") {
    const since = words.since(formatMoment(atMs, language, yearOf(atMs)), labels[before]);
    return { title, lines: [labels[code], since, ...describeTold(told, language)] };
  }
  const over = labels[before];
  const line =
    beganMs === undefined
      ? words.againOnly(over)
      : words.again(describeDuration(atMs - beganMs, language), over);
  return { title, lines: [line] };
}

/** The message about several services: the worst first, as many names as fit. */
export function describeDigest(
  news: readonly ServiceNews[],
  language: Language,
  mostCharacters: number,
): AlertText {
  const words = WORDS[language];
  const title = countOf(news.length, words.changed, language);
  const lines: string[] = [];
  let left = mostCharacters;
  let rest = 0;
  for (const code of BY_WEIGHT) {
    const names = news.filter((one) => one.code === code).map(({ name }) => name);
    if (names.length === 0) continue;
    const head = `${SIGNS[COLOR_OF[code]]} ${VERDICT_LABELS[language][code]} (${names.length}): `;
    const fitting = fit(names, left - head.length - 1);
    rest += names.length - fitting.length;
    if (fitting.length === 0) continue;
    const line = head + fitting.join(", ");
    lines.push(line);
    left -= line.length + 1;
  }
  return { title, lines: rest === 0 ? lines : [...lines, words.rest(rest)] };
}

/** The message of a test. */
export function describeTest(language: Language): AlertText {
  return { title: WORDS[language].test, lines: [WORDS[language].testBody] };
}

const BY_WEIGHT = Object.keys(SIGNS).flatMap((color) =>
  VERDICT_CODES.filter((code) => COLOR_OF[code] === color),
);

/** The first names that fit, with commas between them. */
function fit(names: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const end = names.findIndex(({ length }) => (left -= length + 2) < 0);
  return end === -1 ? names : names.slice(0, end);
}
