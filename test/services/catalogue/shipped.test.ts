import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { expect, test } from "vitest";
import { type Catalogue, REFUSALS, type Refusal } from "../../../src/model/service/catalogue.ts";
import { adviseOnAnchors, summariseCatalogue } from "../../../src/services/catalogue/summary.ts";
import { parseCatalogue } from "../../../src/services/catalogue/parse-catalogue.ts";

function readShipped(): Catalogue {
  const result = parseCatalogue(readFileSync(new URL("../../../catalogue.yaml", import.meta.url)));
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

test("every shipped service has two to five endpoints", () => {
  const others = shipped.services.filter(
    ({ endpoints }) => endpoints.length < 2 || endpoints.length > 5,
  );
  expect(others.map(({ slug }) => slug)).toEqual([]);
});

test("the shipped anchors give no advice, and share no network or host", () => {
  expect(adviseOnAnchors(shipped.anchors)).toEqual([]);
  expect(shipped.anchors).toHaveLength(16);
  const hosts = shipped.anchors.map(({ url }) => new URL(url).host);
  expect(new Set(hosts).size).toBe(hosts.length);
  expect(new Set(shipped.anchors.map(({ network }) => network)).size).toBe(hosts.length);
});

test("shipped anchors without a name are domestic and foreign", () => {
  const addressed = shipped.anchors.filter(({ url }) => isIP(new URL(url).hostname) !== 0);
  const scopes = new Set(addressed.map(({ scope }) => scope));
  expect(scopes).toEqual(new Set(["domestic", "foreign"]));
});

test("no shipped endpoint has the host of a foreign anchor", () => {
  const foreign = shipped.anchors.filter(({ scope }) => scope === "foreign");
  const hosts = new Set(foreign.map(({ url }) => new URL(url).host));
  const shared = shipped.services
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ url }) => hosts.has(new URL(url).host));
  expect(shared).toEqual([]);
});

test("no shipped endpoint expects a server error or a 451", () => {
  const odd = shipped.services
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ expect: list }) => list?.some((s) => s === 451 || (s >= 500 && s !== 999)));
  expect(odd).toEqual([]);
});

test("the shipped lists of expected statuses have only 204", () => {
  const lists = shipped.services
    .flatMap(({ endpoints }) => endpoints)
    .flatMap(({ expect: list }) => (list === undefined ? [] : [list]));
  expect(lists).toEqual([[204], [204], [204]]);
});

test("every shipped service marks what is critical, and says why before the first mark", () => {
  const source = readFileSync(new URL("../../../catalogue.yaml", import.meta.url), "utf8");
  const [, ...blocks] = source.split(/^ {2}- slug: /mu);
  const explained = blocks.map((block) => {
    const [, why] = /\n +# (.+)\n +critical: true\n/u.exec(block) ?? [];
    return [
      block.split("\n")[0],
      why?.trim().length ?? 0,
      block.match(/^ +critical: true$/gmu)?.length,
    ];
  });
  const expected = shipped.services.map(({ slug, endpoints }) => [
    slug,
    expect.toSatisfy((length: number) => length > 5),
    endpoints.filter(({ isCritical }) => isCritical).length,
  ]);
  expect(explained).toEqual(expected);
});

test("36 shipped services are abroad, and no domestic one is", () => {
  const abroad = shipped.services.filter(({ isAbroad }) => isAbroad).map(({ slug }) => slug);
  expect(abroad).toHaveLength(36);
  expect(abroad).toEqual(expect.arrayContaining(["chatgpt", "telegram", "youtube", "steam"]));
  expect(abroad).not.toContain("sberbank");
  expect(abroad).not.toContain("vk");
});

test.each([
  "max.ru",
  "gosuslugi.ru",
  "nalog.ru",
  "mos.ru",
  "rzd.ru",
  "samokat.ru",
  "vk.ru",
  "ok.ru",
])("every shipped endpoint of %s may have a national certificate", (domain) => {
  const endpoints = shipped.services
    .flatMap((service) => service.endpoints)
    .filter(({ url }) => `.${new URL(url).hostname}`.endsWith(`.${domain}`));
  expect(endpoints.length).toBeGreaterThan(0);
  expect(endpoints.filter(({ trust }) => trust === "public")).toEqual([]);
});

/** Slugs of the services with an endpoint whose owner refuses them, or does not. */
function slugsWith(whom: Refusal, isRefused: boolean): readonly string[] {
  return shipped.services
    .filter(({ endpoints }) =>
      endpoints.some(({ refuses = [] }) => refuses.includes(whom) === isRefused),
    )
    .map(({ slug }) => slug);
}

test("shipped banks, state, railways and post refuse data centres and those abroad", () => {
  const wanted = shipped.services
    .filter(({ category }) => category === "banks" || category === "gov")
    .map(({ slug }) => slug);
  expect(wanted).toEqual(expect.arrayContaining(["sberbank", "t-bank", "gosuslugi", "rzd"]));
  for (const whom of REFUSALS) {
    const open = new Set(slugsWith(whom, false));
    expect([...wanted, "pochta-rossii"].filter((slug) => open.has(slug))).toEqual([]);
  }
});

test("no shipped endpoint of a service abroad refuses those abroad", () => {
  const abroad = shipped.services.filter(({ isAbroad }) => isAbroad).map(({ slug }) => slug);
  expect(abroad).toEqual(expect.arrayContaining(["telegram", "youtube", "discord", "steam"]));
  const fenced = new Set(slugsWith("abroad", true));
  expect(abroad.filter((slug) => fenced.has(slug))).toEqual([]);
});

test("one shipped service refuses those abroad in part", () => {
  const open = new Set(slugsWith("abroad", false));
  expect(slugsWith("abroad", true).filter((slug) => open.has(slug))).toEqual(["kinopoisk"]);
});

const reasons = shipped.services.flatMap(({ slug, annotations }) =>
  annotations.map(({ reason, reasonRu }) => ({ slug, reason, reasonRu: reasonRu ?? "" })),
);

test("every shipped annotation has its reason in Russian, as a sentence", () => {
  expect(reasons).toHaveLength(30);
  const others = reasons.filter(({ reasonRu }) => !/[а-яё].*\.$/su.test(reasonRu));
  expect(others.map(({ slug }) => slug)).toEqual([]);
});

test("every shipped annotation has a source, except three that are only reported", () => {
  const annotations = shipped.services.flatMap((service) =>
    service.annotations.map(({ source }) => ({ slug: service.slug, source })),
  );
  const reported = annotations.filter(({ source }) => source === undefined);
  expect(reported.map(({ slug }) => slug)).toEqual(["telegram", "threads", "twitch"]);
});

test("two shipped services are restricted, and their calls do not work", () => {
  const kinds = shipped.services.map(({ slug, annotations }) => [
    slug,
    annotations.map(({ kind }) => kind),
  ]);
  expect(kinds.filter(([, list = []]) => list.includes("calls"))).toEqual([
    ["telegram", ["restricted", "calls"]],
    ["whatsapp", ["restricted", "calls"]],
  ]);
});

const MONTHS = "января февраля марта апреля мая июня июля августа сентября октября ноября декабря";

/** `12 января 2026` as `2026-01-12`. */
function daysInRussian(text: string): readonly string[] {
  return [...text.matchAll(/(\d+) ([а-я]+) (\d{4})/gu)].map(([, day = "", month = "", year]) => {
    const number = MONTHS.split(" ").indexOf(month) + 1;
    return `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  });
}

test("shipped reasons have the same days in Russian and English", () => {
  const others = reasons.filter(
    ({ reason, reasonRu }) =>
      (reason.match(/\d{4}-\d\d-\d\d/gu) ?? []).join() !== daysInRussian(reasonRu).join(),
  );
  expect(others).toEqual([]);
  expect(reasons.flatMap(({ reasonRu }) => daysInRussian(reasonRu)).length).toBeGreaterThan(4);
});

test("the totals of the summary are the sums of its rows", () => {
  for (const key of ["services", "endpoints", "annotated"] as const) {
    const sum = summary.categories.reduce((total, row) => total + row[key], 0);
    expect(sum).toBe(summary.totals[key]);
  }
  expect(summary.totals.annotated).toBe(27);
});
