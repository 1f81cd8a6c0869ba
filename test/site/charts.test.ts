import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHECK_CLASSES } from "../../src/model/service/history.ts";
import { Bars, LineChart } from "../../src/site/charts/plot.tsx";
import { pathOfCells, Strip } from "../../src/site/charts/strip.tsx";
import { type Html, renderPage } from "../../src/site/html.ts";
import { CELL_WORDS, type CellKind, kindsOf } from "../../src/site/words/chart.ts";
import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { byClass, byName, marksOf, only, parsePage, textOf } from "./page.ts";
import { stripOf } from "./site-fixture.ts";

const DAY: readonly undefined[] = Array.from({ length: 24 });

function draw(chart: Html): XmlElement {
  return parsePage(renderPage(chart));
}

function titleOf(chart: Html): string {
  return textOf(only(byName(draw(chart), "title")));
}

describe("the text alternative", () => {
  test("of reports has their number, and the worst hour", () => {
    const hours = DAY.map((_, hour) => (hour === 20 ? 21 : 2));
    expect(titleOf(Bars({ hours, usual: [], language: "ru" }))).toBe(
      "За сутки 67 жалоб, больше всего за час: 21 (3 часа назад).",
    );
    expect(titleOf(Bars({ hours, usual: [], language: "en" }))).toBe(
      "67 reports in the last day, the most in an hour: 21 (3 hours ago).",
    );
  });

  test.each([
    [1, "За сутки 1 жалоба, больше всего за час: 1 (в последний час)."],
    [2, "За сутки 2 жалобы, больше всего за час: 2 (в последний час)."],
    [11, "За сутки 11 жалоб, больше всего за час: 11 (в последний час)."],
  ])("of %i reports in this hour", (count, text) => {
    const hours = DAY.map((_, hour) => (hour === 23 ? count : 0));
    expect(titleOf(Bars({ hours, usual: [], language: "ru" }))).toBe(text);
  });

  test("of reports names the last of the worst hours", () => {
    const hours = DAY.map((_, hour) => (hour === 2 || hour === 22 ? 5 : 0));
    expect(titleOf(Bars({ hours, usual: [], language: "ru" }))).toBe(
      "За сутки 10 жалоб, больше всего за час: 5 (1 час назад).",
    );
  });

  test("of no reports replaces the chart", () => {
    const page = draw(Bars({ hours: DAY.map(() => 0), usual: [], language: "ru" }));
    expect(textOf(page)).toBe("Жалоб за сутки не было.");
    expect(byName(page, "svg")).toEqual([]);
  });

  test("of checks has the number of each kind, healthiest first", () => {
    const cells = kindsOf([...stripOf(44, "up", 0), "failing", null, "failing", "slow"]);
    const strip = Strip({ cells, unit: "half-hour", language: "ru" });
    expect(titleOf(strip)).toBe(
      "За сутки по получасам — работает: 44, медленно: 1, не открывается: 2, нет проверок: 1.",
    );
  });

  test("of response times has the range, the last value, and the missing hours", () => {
    const hours = DAY.map((_, hour) => (hour < 3 ? null : 200 + hour * 50));
    expect(titleOf(LineChart({ hours, language: "ru" }))).toBe(
      "За сутки от 350 мс до 1,4 с, в последний час 1,4 с. Без данных: 3 часа.",
    );
    const broken = hours.map((ms, hour) => (hour > 20 ? null : ms));
    expect(titleOf(LineChart({ hours: broken, language: "en" }))).toBe(
      "From 350 ms to 1.2 s in the last day. Without data: 6 hours.",
    );
    const nothing = draw(LineChart({ hours: DAY.map(() => null), language: "en" }));
    expect(textOf(nothing)).toBe("No response time was measured in the last day.");
  });
});

describe("a strip", () => {
  test("draws and counts every cell once", () => {
    const cell = fc.option(fc.constantFrom(...CHECK_CLASSES), { nil: null });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 90 }), (cells) => {
        const page = draw(Strip({ cells: kindsOf(cells), unit: "day", language: "ru" }));
        const places = byName(only(byClass(page, "strip")), "path").flatMap((path) => {
          const starts = path.attributes.get("d")?.match(/M\d+/gu) ?? [];
          return [...new Set(starts)].map((start) => [
            Number(start.slice(1)) / 10,
            path.attributes.get("class"),
          ]);
        });
        expect(places.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual(
          kindsOf(cells).map((kind, place) => [place, kind]),
        );
        const counted = byName(only(byClass(page, "key")), "li").map((item) => {
          const [counted, name] = byName(item, "span");
          return `${name && textOf(name)}${counted?.text}`;
        });
        for (const kind of new Set(kindsOf(cells))) {
          const count = kindsOf(cells).filter((each) => each === kind).length;
          expect(counted).toContain(`${CELL_WORDS.ru[kind]}: ${count}`);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("distinguishes kinds by shape, not only by colour", () => {
    const shapes = (kinds: readonly CellKind[]): readonly string[] =>
      kinds.map((kind) => pathOfCells(kind, [0]));
    const monitor = ["whole", "minor", "major", "nothing"] as const;
    expect(new Set(shapes([...CHECK_CLASSES, "nothing"])).size).toBe(CHECK_CLASSES.length + 1);
    expect(new Set(shapes(monitor)).size).toBe(monitor.length);
  });
});

test("bars are as high as their counts, and the current hour has its own path", () => {
  const hours = DAY.map((_, hour) => (hour === 0 ? 40 : hour === 1 ? 10 : hour === 23 ? 20 : 0));
  const page = draw(Bars({ hours, usual: [], language: "en" }));
  expect(only(byClass(page, "full")).attributes.get("d")).toBe("M0 96v-96h15v96zM20 96v-24h15v24z");
  expect(only(byClass(page, "growing")).attributes.get("d")).toBe("M460 96v-48h15v48z");
  expect(marksOf(page, "scale")).toEqual(["40", "20", "0"]);
});

test("a single report is not a full bar", () => {
  const hours = DAY.map((_, hour) => (hour === 3 ? 1 : 0));
  const page = draw(Bars({ hours, usual: [], language: "en" }));
  expect(only(byClass(page, "full")).attributes.get("d")).toBe("M60 96v-24h15v24z");
  expect(marksOf(page, "scale")).toEqual(["4", "2", "0"]);
});

test("a line has gaps without data, and a single hour is as wide as an hour", () => {
  const hours = DAY.map((_, hour) => (hour === 1 || hour === 5 || hour === 6 ? 100 : null));
  const page = draw(LineChart({ hours, language: "en" }));
  expect(only(byClass(page, "curve")).attributes.get("d")).toBe("M20,48ZM100,48L120,48M10 48.0h20");
});

describe("the size of a chart", () => {
  test("of reports is that of its bars, a step for each but the last", () => {
    const [svg] = byName(draw(Bars({ hours: DAY.map(() => 1), usual: [], language: "en" })), "svg");
    const [, , width] = (svg?.attributes.get("viewBox") ?? "").split(" ").map(Number);
    const [full] = byClass(
      draw(Bars({ hours: DAY.map(() => 1), usual: [], language: "en" })),
      "full",
    );
    const places = [...(full?.attributes.get("d") ?? "").matchAll(/M(\d+) \d+v[-\d.]+h(\d+)/gu)];
    const [, lastX, barWidth] = places.at(-1)?.map(Number) ?? [];
    // The bar of the present hour is drawn apart, a step further.
    const step = Number(places[1]?.[1]) - Number(places[0]?.[1]);
    expect([places.length, step]).toEqual([23, 20]);
    expect(width).toBe((lastX ?? 0) + step + (barWidth ?? 0));
  });

  test("of checks has a key whose cell is the first of a strip", () => {
    const cells = kindsOf(stripOf(48, "up", 0));
    const page = draw(Strip({ cells, unit: "half-hour", language: "en" }));
    const key = only(byClass(page, "key"));
    expect(only(byName(key, "path")).attributes.get("d")).toBe(pathOfCells("up", [0]));
  });
});
