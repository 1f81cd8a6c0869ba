import { inLanguages, type Language } from "./language.ts";
import {
  type Color,
  COLOR_OF,
  VERDICT_CODES,
  type VerdictCode,
} from "../../contract/codes/verdict.ts";
import { describeLength } from "./length.ts";
import { countOf } from "./plural.ts";
import { formatMoment, MOSCOW, yearOf } from "./time.ts";
import { VERDICT_LABELS } from "../../contract/codes/verdict-words.ts";

const WORDS = inLanguages({
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
  changes: {
    one: ["перемена", "change"],
    few: ["перемены", "changes"],
    many: ["перемен", "changes"],
  },
  restless: [
    (count: string, now: string) => `${count} с прошлого сообщения. Сейчас: «${now}».`,
    (count: string, now: string) => `${count} since the last message. Now: “${now}”.`,
  ],
  changed: {
    one: ["сервис изменил состояние", "service changed"],
    few: ["сервиса изменили состояние", "services changed"],
    many: ["сервисов изменили состояние", "services changed"],
  },
  rest: [(count: number) => `и ещё ${count}`, (count: number) => `and ${count} more`],
  more: ["Подробнее", "Details"],
  test: ["Проверка оповещений", "Test of alerts"],
  testBody: [
    "Это проверка: с сервисами ничего не случилось.",
    "This is a test: nothing has happened to the services.",
  ],
});

/** Signs of the lights, for channels without colours. */
const SIGNS: Readonly<Record<Color, string>> = { ok: "🟢", warn: "🟡", bad: "🔴", none: "⚪" };

/** What happened to one service. */
export interface ServiceNews {
  readonly name: string;
  readonly before: VerdictCode;
  readonly code: VerdictCode;
  readonly atMs: number;
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
  { name, before, code, atMs, beganMs, changes }: ServiceNews,
  language: Language,
): AlertText {
  const words = WORDS[language];
  const labels = VERDICT_LABELS[language];
  const title = `${SIGNS[COLOR_OF[code]]} ${name}`;
  if (changes > 1) {
    const count = countOf(changes, words.changes, language);
    return { title, lines: [words.restless(count, labels[code])] };
  }
  if (code !== "ok")
    return {
      title,
      lines: [
        labels[code],
        words.since(formatMoment(atMs, language, yearOf(atMs)), labels[before]),
      ],
    };
  const over = labels[before];
  const line =
    beganMs === undefined
      ? words.againOnly(over)
      : words.again(describeAfter(atMs - beganMs, language), over);
  return { title, lines: [line] };
}

/** `1 минуту` after «через», where the nominative is `1 минута`. */
function describeAfter(ms: number, language: Language): string {
  const length = describeLength(ms, language);
  return language === "ru" ? length.replaceAll(/(\d) минута/gu, "$1 минуту") : length;
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
  for (const code of [...VERDICT_CODES].toSorted(byWeight)) {
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

const WEIGHTS: Readonly<Record<Color, number>> = { bad: 0, warn: 1, ok: 2, none: 3 };

function byWeight(one: VerdictCode, other: VerdictCode): number {
  return WEIGHTS[COLOR_OF[one]] - WEIGHTS[COLOR_OF[other]];
}

/** The first names that fit, with commas between them. */
function fit(names: readonly string[], characters: number): readonly string[] {
  let left = characters;
  const end = names.findIndex(({ length }) => (left -= length + 2) < 0);
  return end === -1 ? names : names.slice(0, end);
}
