import { describe, expect, test } from "vitest";
import { faultInName, faultInText, normaliseName, readUrl } from "../../src/yaml/validators.ts";
import { isCalendarDate } from "../../src/model/time.ts";

describe("a text", () => {
  test.each([1, 2, 5])("has at most %i characters, without the blanks around it", (most) => {
    expect(faultInText(` ${"я".repeat(most)} `, most)).toBeUndefined();
    expect(faultInText("😀".repeat(most), most)).toBeUndefined();
    expect(faultInText("я".repeat(most + 1), most)).toBe(
      `is ${most + 1} characters long; use at most ${most}.`,
    );
  });

  test("is not empty", () => {
    for (const text of ["", " ", "\n"])
      expect(faultInText(text, 9)).toBe("is empty; write something here.");
  });

  test.each(["\u0000", "\n", "\u2028", "\u2029", "\u202A", "\u202E", "\u2066", "\u2069", "\uD800"])(
    "has no %j",
    (character) => {
      expect(faultInText(`a${character}b`, 9)).toBe(
        "contains a control character, a line break or a bidirectional override; remove it.",
      );
    },
  );

  test("may have what is next to those", () => {
    expect(faultInText("a\u2027\u202F\u2065\u206Ab", 9)).toBeUndefined();
  });
});

describe("a name", () => {
  test("has at most 120 characters after normalisation", () => {
    expect(faultInName("й".repeat(120))).toBeUndefined();
    expect(faultInName("и\u0306".repeat(120))).toBeUndefined();
    expect(faultInName("й".repeat(121))).toBe("is 121 characters long; use at most 120.");
    expect(faultInName("abc", 2)).toBe("is 3 characters long; use at most 2.");
  });

  test("is stored trimmed and composed", () => {
    expect(normaliseName(" и\u0306 ")).toBe("й");
  });

  test("has no invisible characters", () => {
    expect(faultInName("a\u200Bb")).toContain("an invisible character");
  });
});

describe("a URL", () => {
  test.each([
    ["https://a.ru", "https://a.ru/"],
    ["HTTP://A.ru:80/b?c", "http://a.ru/b?c"],
    ["https://почта.рф/", "https://xn--80a1acny.xn--p1ai/"],
  ])("%s is stored as %s", (written, href) => {
    expect(readUrl(written)).toEqual({ href });
  });

  test.each([
    ...["ftp://a.ru/", "//a.ru/", "https://", "https:///a"].map(
      (url) =>
        [url, "not an absolute http or https URL; write it like https://example.ru/."] as const,
    ),
    ...["https://a b.ru/", "https://a.ru/\\b", "https://a.ru:99999/"].map(
      (url) => [url, "not a valid URL; check its host, port and characters."] as const,
    ),
    ...["https://u:p@a.ru/", "https://@a.ru/"].map(
      (url) => [url, "a URL may not carry credentials; remove everything before the @."] as const,
    ),
    ...["https://a.ru/#b", "https://a.ru/#"].map(
      (url) =>
        [url, "a fragment is never sent to a server; remove the # and what follows."] as const,
    ),
  ])("%s is refused: %s", (written, fault) => {
    expect(readUrl(written)).toEqual({ fault });
  });

  test("may have an @ in its path", () => {
    expect(readUrl("https://a.ru/@b")).toEqual({ href: "https://a.ru/@b" });
  });

  test("has at most 2,048 characters", () => {
    const start = "https://a.ru/";
    const most = start.padEnd(2_048, "a");
    expect(readUrl(most)).toEqual({ href: most });
    expect(readUrl(`${most}a`)).toEqual({ fault: "is over 2048 characters long; shorten it." });
  });
});

test.each([
  ["2026-01-01", true],
  ["2026-01-31", true],
  ["2026-01-32", false],
  ["2026-12-31", true],
  ["2026-13-01", false],
  ["2026-00-01", false],
  ["2026-02-00", false],
  ["2026-02-28", true],
  ["2026-02-29", false],
  ["2024-02-29", true],
  ["2024-02-30", false],
  ["1900-02-29", false],
  ["2000-02-29", true],
  ...[4, 6, 9, 11].map((month) => [`2026-${String(month).padStart(2, "0")}-31`, false] as const),
  ...[3, 5, 7, 8, 10].map((month) => [`2026-${String(month).padStart(2, "0")}-31`, true] as const),
  ["2026-1-1", false],
  ["x2026-01-01", false],
  ["2026-01-011", false],
] as const)("%s is a day of the calendar: %s", (text, isDay) => {
  expect(isCalendarDate(text)).toBe(isDay);
});
