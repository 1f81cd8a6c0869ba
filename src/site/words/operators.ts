import { inLanguages, type Language } from "../../contract/codes/language.ts";
import { OPERATOR_NAMES } from "../../contract/codes/operator.ts";
import { countOf } from "./numbers.ts";
import type { UnusualOperators } from "../../model/service/reports.ts";

interface Share {
  readonly name: string;
  readonly percent: number;
  readonly usual: number;
}

/** Whose subscribers report: an operator that makes a surge alone, or those with more reports than usual. */
export const OPERATOR_WORDS = inLanguages({
  hint: [
    "Только суммы: не меньше пяти жалоб из трёх сетей.",
    "Sums alone: at least five reports of three networks.",
  ],
  /** Their licence wants a link on each page that shows what follows from their data. */
  source: ["Чья сеть, известно по данным", "Whose a network is, is known from"],
  operator: ["Оператор", "Operator"],
  hour: ["За час", "Hour"],
  day: ["За сутки", "Day"],
  share: ["Доля", "Share"],
  usual: ["Обычно", "Usual"],
  few: ["мало", "few"],
  /** Behind the operator of the visitor, where the front tells it. */
  own: ["ваш", "yours"],
  fails: [
    (name: string, services: number) =>
      `Похоже на сбой у оператора ${name}: почти все жалобы на ${countOf(services, ["сервис", "сервиса", "сервисов"], "ru")} от его абонентов.`,
    (name: string, services: number) =>
      `It looks like a failure of the operator ${name}: nearly all reports about ${services} services are from its subscribers.`,
  ],
  alone: [
    ({ name, percent, usual }: Share) =>
      `Похоже на сбой у оператора ${name}: от его абонентов ${percent} % жалоб, обычно ${usual} %.`,
    ({ name, percent, usual }: Share) =>
      `It looks like a failure of the operator ${name}: ${percent}% of reports are from its subscribers, usually ${usual}%.`,
  ],
  unusual: [
    (shares: readonly Share[]) =>
      `Жалуются чаще обычного: ${shares.map(({ name, percent, usual }) => `${name} (${percent} % жалоб, обычно ${usual} %)`).join(", ")}.`,
    (shares: readonly Share[]) =>
      `More reports than usual from: ${shares.map(({ name, percent, usual }) => `${name} (${percent}% of reports, usually ${usual}%)`).join(", ")}.`,
  ],
});

/** Operators with more reports than usual, in one sentence. */
export function describeOperators(
  { shares, isAlone }: UnusualOperators,
  language: Language,
): string {
  const words = OPERATOR_WORDS[language];
  const named = shares.map(({ operator, percent, usual }) => {
    return { name: OPERATOR_NAMES[language][operator], percent, usual };
  });
  const [first] = named;
  return isAlone && first !== undefined ? words.alone(first) : words.unusual(named);
}
