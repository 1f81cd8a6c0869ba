import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Catalogue } from "../../src/model/catalogue.ts";
import { parseCatalogue } from "../../src/catalogue/parse.ts";
import { summariseCatalogue } from "../../src/catalogue/summary.ts";

function readShipped(): Catalogue {
  const result = parseCatalogue(readFileSync(new URL("../../catalogue.yaml", import.meta.url)));
  if (result.kind === "invalid") throw new Error(JSON.stringify(result.problems, null, 2));
  return result.catalogue;
}

const shipped = readShipped();
const summary = summariseCatalogue(shipped);

test("the shipped catalogue has 85 services in ten categories", () => {
  expect(summary.totals.services).toBe(85);
  expect(summary.categories.map(({ category, services }) => [category, services])).toEqual([
    ["banks", 10],
    ["ai", 10],
    ["shopping", 9],
    ["search", 8],
    ["games", 8],
    ["telecom", 7],
    ["messaging", 9],
    ["social", 8],
    ["video", 8],
    ["gov", 8],
  ]);
});

test("every shipped service has two to four endpoints", () => {
  const others = shipped.services.filter(
    ({ endpoints }) => endpoints.length < 2 || endpoints.length > 4,
  );
  expect(others.map(({ slug }) => slug)).toEqual([]);
});

test("the shipped anchors stand in enough different places", () => {
  expect(summary.anchors.domestic).toBeGreaterThanOrEqual(4);
  expect(summary.anchors.foreign).toBeGreaterThanOrEqual(3);
  const hosts = shipped.anchors.map(({ url }) => new URL(url).host);
  expect(new Set(hosts).size).toBe(hosts.length);
});

test("no shipped endpoint takes a server error or a legal refusal for health", () => {
  const odd = shipped.services
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ expect: list }) => list?.some((s) => s === 451 || (s >= 500 && s !== 999)));
  expect(odd).toEqual([]);
});

const BOT_WALLS = [400, 401, 403, 404, 405, 418, 429];

test("a shipped list of statuses that takes a redirect for an answer takes bot walls too", () => {
  const strict = shipped.services
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ expect: list }) => list?.includes(302) && !BOT_WALLS.every((s) => list.includes(s)));
  expect(strict).toEqual([]);
});

const reasons = shipped.services.flatMap(({ slug, annotations }) =>
  annotations.map(({ reason, reasonRu }) => ({ slug, reason, reasonRu: reasonRu ?? "" })),
);

test("every shipped annotation has its reason in Russian as well, as a sentence", () => {
  expect(reasons).toHaveLength(26);
  const others = reasons.filter(({ reasonRu }) => !/[а-яё].*\.$/su.test(reasonRu));
  expect(others.map(({ slug }) => slug)).toEqual([]);
});

const MONTHS = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря";

/** `12 января 2026` as `2026-01-12`. */
function daysInRussian(text: string): readonly string[] {
  return [...text.matchAll(/(\d+) ([а-я]+) (\d{4})/gu)].map(([, day = "", month = "", year]) => {
    const number = MONTHS.split(" ").indexOf(month) + 1;
    return `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  });
}

test("a shipped reason in Russian names the same days as the one in English", () => {
  const others = reasons.filter(
    ({ reason, reasonRu }) =>
      (reason.match(/\d{4}-\d\d-\d\d/gu) ?? []).join() !== daysInRussian(reasonRu).join(),
  );
  expect(others).toEqual([]);
  expect(reasons.flatMap(({ reasonRu }) => daysInRussian(reasonRu)).length).toBeGreaterThan(9);
});

test("the totals of the summary are the sums of its rows", () => {
  for (const key of ["services", "endpoints", "annotated"] as const) {
    const sum = summary.categories.reduce((total, row) => total + row[key], 0);
    expect(sum).toBe(summary.totals[key]);
  }
  expect(summary.totals.annotated).toBe(26);
});
