import { expect, test } from "vitest";
import { isFailingCode, VERDICT_CODES, VERDICTS } from "../../../src/contract/codes/verdict.ts";
import { VERDICT_LABELS } from "../../../src/contract/codes/verdict-words.ts";

/** A literal copy of the public contract: code, colour, component of Statuspage, labels. */
const STATES = [
  "ok ok operational | Работает | Working",
  "fail bad major_outage | Сбой: не открывается | Outage: does not open",
  "fail_long bad major_outage | Не открывается из России | Does not open from Russia",
  "err bad major_outage | Сбой на стороне сервиса | Service-side outage",
  "restricted_fail bad major_outage | Не открывается в России | Does not open in Russia",
  "restricted bad degraded_performance | Доступ ограничен в России | Access restricted in Russia",
  "slow warn degraded_performance | Работает медленно | Working slowly",
  "partial warn partial_outage | Работает с перебоями | Working intermittently",
  "spike warn degraded_performance | Растёт число жалоб | Rising number of reports",
  "slowed_ru warn degraded_performance | Работает медленно | Working slowly",
  "partial_ru warn degraded_performance | Работает частично | Working partially",
  "provider warn operational | Ограничения со стороны сервиса | Service-side restrictions",
  "none none operational | Нет свежих данных | No recent data",
];

test("codes have the colours, components and labels of the public contract", () => {
  const rows = VERDICT_CODES.map((code) => {
    const { color, component } = VERDICTS[code];
    const { ru, en } = VERDICT_LABELS;
    return `${code} ${color} ${component} | ${ru[code]} | ${en[code]}`;
  });
  expect(rows).toEqual(STATES);
});

test("each code has its kind, and those with a start show it", () => {
  const rows = VERDICT_CODES.map((code) => `${code} ${VERDICTS[code].kind}`);
  expect(rows).toEqual([
    "ok working",
    "fail failing",
    "fail_long failing",
    "err failing",
    "restricted_fail failing",
    "restricted restriction",
    "slow degraded",
    "partial degraded",
    "spike degraded",
    "slowed_ru restriction",
    "partial_ru restriction",
    "provider restriction",
    "none unknown",
  ]);
  const withStart = ["fail", "fail_long", "err", "restricted_fail", "partial"];
  expect(VERDICT_CODES.filter((code) => VERDICTS[code].hasStart)).toEqual(withStart);
});

test("four codes say that a service does not work", () => {
  const failing = ["fail", "fail_long", "err", "restricted_fail"];
  expect(VERDICT_CODES.filter(isFailingCode)).toEqual(failing);
});

test("every code has a severity of its own, in steps of ten", () => {
  const worstFirst = VERDICT_CODES.toSorted((a, b) => VERDICTS[b].severity - VERDICTS[a].severity);
  expect(worstFirst).toEqual([
    "fail",
    "err",
    "restricted_fail",
    "fail_long",
    "restricted",
    "partial",
    "spike",
    "slow",
    "partial_ru",
    "slowed_ru",
    "provider",
    "ok",
    "none",
  ]);
  expect(worstFirst.map((code) => VERDICTS[code].severity)).toEqual([
    120, 110, 100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0,
  ]);
});
