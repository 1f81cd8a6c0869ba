import { expect, test } from "vitest";
import { inLanguages, LANGUAGES, otherLanguage } from "../../../src/contract/codes/language.ts";
import { OPERATOR_NAMES, operatorOf, OPERATORS } from "../../../src/contract/codes/operator.ts";
import {
  COLOR_WORDS,
  SINCE_WORDS,
  VERDICT_EXPLANATIONS,
  VERDICT_LABELS,
} from "../../../src/contract/codes/verdict-words.ts";
import { COLOR_OF, VERDICT_CODES } from "../../../src/contract/codes/verdict.ts";

test("every code, colour and operator has its words in both languages", async () => {
  const tables = {
    label: VERDICT_LABELS,
    explanation: VERDICT_EXPLANATIONS,
    since: SINCE_WORDS,
    color: COLOR_WORDS,
    operator: OPERATOR_NAMES,
  };
  const lines = Object.entries(tables).flatMap(([name, { ru, en }]) => {
    const english: Readonly<Record<string, string>> = en;
    expect(Object.keys(en)).toEqual(Object.keys(ru));
    return Object.entries(ru).map(([code, word]) => `${name} ${code}: ${word} | ${english[code]}`);
  });
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../golden/words.txt");
});

test("a table has both languages beside each other, at any depth", () => {
  const table = { a: ["раз", "one"], deep: { b: ["два", "two"] } } as const;
  expect(inLanguages(table)).toEqual({
    ru: { a: "раз", deep: { b: "два" } },
    en: { a: "one", deep: { b: "two" } },
  });
  expect(LANGUAGES).toEqual(["ru", "en"]);
  expect(LANGUAGES.map(otherLanguage)).toEqual(["en", "ru"]);
});

test("the number of an operator is its place, and any other one is that of others", () => {
  expect(OPERATORS.map((_, number) => operatorOf(number))).toEqual(OPERATORS);
  expect([0, 1, 14].map(operatorOf)).toEqual(["other", "mts", "sibset"]);
  expect([OPERATORS.length, 255, -1].map(operatorOf)).toEqual(["other", "other", "other"]);
});

test("the colour of a code is one of four", () => {
  expect(VERDICT_CODES.map((code) => COLOR_OF[code]).join(" ")).toBe(
    "ok bad bad bad bad bad warn warn warn warn warn warn none",
  );
});
