import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { looksOf, signatureOf, signatureOfBadge } from "../../../src/images/badge/content.ts";
import type { BadgeContent, UptimeCount } from "../../../src/model/monitor/monitor.ts";

const NOTHING: UptimeCount = { decided: 0, healthy: 0 };

function lookOf(healthy: number, decided: number): BadgeContent {
  const counts = { "24h": NOTHING, "7d": NOTHING, "30d": { decided, healthy }, "90d": NOTHING };
  return looksOf(counts, { language: "ru" })["30d"];
}

describe("the value", () => {
  test.each([
    [1, 1, "100%", "best"],
    [25_920, 25_920, "100%", "best"],
    [24_999, 25_000, "99.99%", "best"],
    [99_996, 100_000, "99.99%", "best"],
    [9_990, 10_000, "99.90%", "best"],
    [99_899, 100_000, "99.89%", "good"],
    [99, 100, "99.00%", "good"],
    [98_999, 100_000, "98.99%", "fair"],
    [97, 100, "97.00%", "fair"],
    [96_999, 100_000, "96.99%", "poor"],
    [90, 100, "90.00%", "poor"],
    [89_999, 100_000, "89.99%", "bad"],
    [1, 3, "33.33%", "bad"],
    [1, 1_000, "0.10%", "bad"],
    [0, 7, "0.00%", "bad"],
  ])("%i of %i healthy is %s, %s", (healthy, decided, message, tone) => {
    expect(lookOf(healthy, decided)).toEqual({ label: "аптайм", message, tone });
  });

  test("is rounded down, by less than a hundredth of a per cent", () => {
    const counts = fc
      .integer({ min: 1, max: 1_000_000 })
      .chain((decided) => fc.tuple(fc.integer({ min: 0, max: decided }), fc.constant(decided)));
    fc.assert(
      fc.property(counts, ([healthy, decided]) => {
        const { message } = lookOf(healthy, decided);
        const hundredths = BigInt(message.replace("%", "").replace(".", ""));
        const shown = message === "100%" ? 10_000n : hundredths;
        const truth = BigInt(healthy) * 10_000n;
        expect(shown * BigInt(decided) <= truth).toBe(true);
        expect((shown + 1n) * BigInt(decided) > truth).toBe(true);
        expect(message === "100%").toBe(healthy === decided);
      }),
    );
  });

  test("without a decided check has its own words, in the language of the badge", () => {
    const counts = { "24h": NOTHING, "7d": NOTHING, "30d": NOTHING, "90d": NOTHING };
    expect(looksOf(counts, { language: "ru" })["24h"]).toEqual({
      label: "аптайм",
      message: "нет данных",
      tone: "none",
    });
    expect(looksOf(counts, { language: "en" })["90d"]).toEqual({
      label: "uptime",
      message: "no data",
      tone: "none",
    });
  });

  test("each window has its own", () => {
    const looks = looksOf(
      {
        "24h": { decided: 1, healthy: 1 },
        "7d": { decided: 2, healthy: 1 },
        "30d": { decided: 4, healthy: 1 },
        "90d": NOTHING,
      },
      { language: "en", label: " My shop " },
    );
    expect(Object.values(looks).map(({ label, message }) => `${label}: ${message}`)).toEqual([
      "My shop: 100%",
      "My shop: 50.00%",
      "My shop: 25.00%",
      "My shop: no data",
    ]);
  });

  test("a label without a printable character is replaced by the word for uptime", () => {
    const counts = { "24h": NOTHING, "7d": NOTHING, "30d": NOTHING, "90d": NOTHING };
    expect(looksOf(counts, { language: "ru", label: "\u202E\u0000 \uD800" })["30d"].label).toBe(
      "аптайм",
    );
  });
});

describe("the signature", () => {
  const count = fc.constantFrom<UptimeCount>(
    NOTHING,
    { decided: 1, healthy: 1 },
    { decided: 2, healthy: 1 },
    { decided: 4, healthy: 2 },
  );
  const looks = fc
    .tuple(count, count, count, count, fc.constantFrom("ru", "en"), fc.constantFrom("a", "100%|a"))
    .map(([day, week, month, quarter, language, label]) =>
      looksOf({ "24h": day, "7d": week, "30d": month, "90d": quarter }, { language, label }),
    );

  const countOf = (healthy: number): UptimeCount => ({ decided: 4, healthy });
  const counts = { "24h": countOf(4), "7d": countOf(3), "30d": countOf(1), "90d": NOTHING };

  test.each([
    [undefined, "1|100%|75.00%|25.00%|no data|uptime"],
    ["myshop", "1|100%|75.00%|25.00%|no data|myshop"],
  ])("of the label %s has the design, the values and the label", (label, signature) => {
    const words = { language: "en", ...(label === undefined ? {} : { label }) } as const;
    expect(signatureOf(looksOf(counts, words))).toBe(signature);
  });

  test("of a label longer than the word for uptime has its hash", () => {
    const of = (label: string) => signatureOf(looksOf(counts, { language: "en", label }));
    expect(of("my shop")).toMatch(/^1\|100%\|75\.00%\|25\.00%\|no data\|#[\da-z.]{3,16}$/u);
    expect(of("my shop")).not.toBe(of("my ship"));
  });

  test("of a single badge differs with each part of it", () => {
    const look: BadgeContent = { label: "a", message: "b", tone: "best" };
    const looks: readonly BadgeContent[] = [
      look,
      { ...look, label: "b" },
      { ...look, message: "a" },
      { ...look, tone: "bad" },
      { label: "", message: "ab", tone: "best" },
    ];
    const signatures = looks.map(signatureOfBadge);
    expect(new Set(signatures).size).toBe(looks.length);
    expect(signatures[0]).toMatch(/^1\|[\da-z.]{3,16}$/u);
    expect(signatureOfBadge({ ...look })).toBe(signatures[0]);
  });

  test("is equal exactly for equal contents", () => {
    fc.assert(
      fc.property(looks, looks, (one, other) => {
        const isEqual = JSON.stringify(one) === JSON.stringify(other);
        expect(signatureOf(one) === signatureOf(other)).toBe(isEqual);
      }),
      { numRuns: 2_000 },
    );
  });
});
