import { inLanguages, type ByLanguage } from "./language.ts";

/**
 * Operators as people know them, with their names in Russian and in English. The state and the inbox store the place of an operator in
 * this list, so rows are only added, at the end. `data/operators.json` has the networks of each.
 */
const NAMES = {
  /** Every other one, and a report without a known network. */
  other: ["другие операторы", "other operators"],
  mts: ["МТС", "MTS"],
  beeline: ["Билайн", "Beeline"],
  // Yota has no networks of its own.
  megafon: ["МегаФон и Yota", "MegaFon and Yota"],
  t2: ["T2", "T2"],
  rostelecom: ["Ростелеком", "Rostelecom"],
  domru: ["Дом.ру", "Dom.ru"],
  mgts: ["МГТС", "MGTS"],
  ttk: ["ТТК", "TTK"],
  ufanet: ["Уфанет", "Ufanet"],
  tattelecom: ["Таттелеком", "Tattelecom"],
  akado: ["АКАДО", "AKADO"],
  motiv: ["Мотив", "Motiv"],
  miranda: ["Миранда-медиа", "Miranda-Media"],
  sibset: ["Сибирские сети", "Sibirskie Seti"],
} as const;

export type Operator = keyof typeof NAMES;

/** In the order of their numbers. */
export const OPERATORS = Object.keys(NAMES) as [Operator, ...Operator[]];

/** Fewer reports of an operator are not published. Source: docs/reports/operators.md, "What is published". */
export const MIN_OPERATOR_REPORTS = 5;

/** The number of an operator that we do not know. */
export const OTHER_OPERATOR = 0;

/** The operator of a number; one of a newer version is another one. */
export function operatorOf(number: number): Operator {
  return OPERATORS[number] ?? OPERATORS[OTHER_OPERATOR];
}

export const OPERATOR_NAMES: ByLanguage<Readonly<Record<Operator, string>>> = inLanguages(NAMES);
