import { expect, test } from "vitest";
import { LANGUAGES } from "../../src/contract/codes/language.ts";
import type { VerdictCode } from "../../src/contract/codes/verdict.ts";
import { describeDigest } from "../../src/site/words/alert.ts";

const newsOf = (code: VerdictCode, count: number) =>
  Array.from({ length: count }, (_, at) => ({ code, name: `${code}${at}` }));

const digest = (news: readonly { code: VerdictCode; name: string }[], most: number) =>
  describeDigest(news as unknown as Parameters<typeof describeDigest>[0], "en", most).lines;

test.each([
  [1, "1 сервис изменил состояние", "1 service changed"],
  [3, "3 сервиса изменили состояние", "3 services changed"],
  [15, "15 сервисов изменили состояние", "15 services changed"],
])("a digest of %i services says how many changed", (count, ru, en) => {
  const news = newsOf("fail", count).map((one) => {
    return { ...one, before: "ok" as const, atMs: 0, changes: 1 };
  });
  const titles = LANGUAGES.map((language) => describeDigest(news, language, 1_000).title);
  expect(titles).toEqual([ru, en]);
});

test("a digest names what does not work first, and what is well last", () => {
  const news = [...newsOf("ok", 1), ...newsOf("slow", 2), ...newsOf("fail", 1)];
  const lines = digest(news, 1_000);
  expect(lines.map((line) => line.replace(/^\S+ /u, ""))).toEqual([
    "Outage: does not open (1): fail0",
    "Working slowly (2): slow0, slow1",
    "Working (1): ok0",
  ]);
});

test("a digest has no more characters than it may, and counts what is left out", () => {
  const news = [...newsOf("fail", 5), ...newsOf("slow", 5), ...newsOf("ok", 5)];
  const whole = digest(news, 1_000).join("\n").length;
  expect(digest(news, whole + 10)).toHaveLength(3);
  for (let most = 0; most <= whole + 10; most += 1) {
    const lines = digest(news, most);
    const named = lines.join(" ").match(/\b(?:fail|slow|ok)\d\b/gu) ?? [];
    const told = named.length === 15 ? lines : lines.slice(0, -1);
    // Each line has its end.
    expect(told.reduce((sum, line) => sum + line.length + 1, 0)).toBeLessThanOrEqual(most);
    if (named.length < 15) expect(lines.at(-1)).toContain(String(15 - named.length));
  }
});
