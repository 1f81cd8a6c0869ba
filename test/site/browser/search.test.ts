import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseCatalogue } from "../../../src/services/catalogue/parse-catalogue.ts";
import { type SearchResult, searchServices } from "../../../src/site/browser/search.ts";
import { NOT_COVERED } from "../../../src/site/pages/parts/list.tsx";
import { HONEST_SPELLINGS, STRANGERS } from "./honest-spellings.ts";
import { SPELLINGS } from "./spellings.ts";

const FILE = fileURLToPath(new URL("../../../catalogue.yaml", import.meta.url));
const parsed = parseCatalogue(readFileSync(FILE, "utf8"));
if (parsed.kind !== "ok") throw new Error("The shipped catalogue is invalid.");
const SHIPPED = parsed.catalogue.services;

const search = (text: string): SearchResult<string> =>
  searchServices(
    SHIPPED.map(({ slug, name, nameEn = "", aliases }) => {
      return { item: slug, names: [name, nameEn, slug, ...aliases].join("|").toLowerCase() };
    }),
    text,
    NOT_COVERED,
  );

test.each([
  { list: "the list that the search was made with", spellings: SPELLINGS, least: 1_000 },
  { list: "a list that it was not made with", spellings: HONEST_SPELLINGS, least: 300 },
])("of $list, 97 % find the service first", ({ spellings, least }) => {
  const typed = [...spellings].flatMap(([slug, texts]) => texts.map((text) => ({ slug, text })));
  expect(typed.length).toBeGreaterThan(least);
  expect([...spellings.keys()].toSorted()).toEqual(SHIPPED.map(({ slug }) => slug).toSorted());
  const missed = typed.filter(({ slug, text }) => search(text).found[0] !== slug);
  expect(missed.length / typed.length).toBeLessThan(0.03);
});

test("no spelling of the second list finds a stranger first", () => {
  const strangers = [...HONEST_SPELLINGS].flatMap(([slug, texts]) =>
    texts.filter((text) => (search(text).found[0] ?? slug) !== slug),
  );
  expect(strangers).toEqual([]);
});

test("a well-known name that is not covered finds nothing", () => {
  expect(STRANGERS.filter((name) => search(name).found.length > 0)).toEqual([]);
});

test("a name of the catalogue is not listed as one that is not covered", () => {
  const names = new Set(
    SHIPPED.flatMap(({ slug, name, nameEn = "", aliases }) =>
      [name, nameEn, slug, ...aliases].map((one) => one.toLowerCase()),
    ),
  );
  expect(NOT_COVERED.split("|").filter((name) => names.has(name))).toEqual([]);
});

describe("the order of hits", () => {
  test("is whole names, beginnings, then the inside of names", () => {
    expect(search("вк").found.slice(0, 2)).toEqual(["vk", "vk-video"]);
    expect(search("банк").found).toContain("gazprombank");
    expect(search("яндекс").found[0]).toBe("yandex");
  });

  test("has typos only if nothing else fits", () => {
    expect(search("ютуб").found).toEqual(["youtube"]);
    expect(search("рутбу").found).toEqual(["rutube"]);
  });
});

test("a short text has no typos", () => {
  expect(search("озн").found).toEqual([]);
});

test("the other keyboard layout counts only if the text as typed finds nothing", () => {
  expect(search("dr").found[0]).toBe("vk");
  expect(search("vnc").found).toEqual(["mts"]);
  expect(search(".ne,").found).toEqual(["youtube"]);
  expect(search("ыеуфь").found).toEqual(["steam"]);
});

test("an address finds its service", () => {
  expect(search("gmail.com").found).toEqual(["gmail"]);
  expect(search("mos.ru").found[0]).toBe("mos-ru");
});

test("an unknown text has near names, or none", () => {
  expect(search("телефункен")).toEqual({ found: [], near: expect.arrayContaining(["telegram"]) });
  expect(search("цукцук")).toEqual({ found: [], near: [] });
});

describe("words around a name", () => {
  test.each([
    ["роблокс не работает", "roblox"],
    ["почему не работает ютуб", "youtube"],
    ["что с телеграмом", "telegram"],
    ["яндекс почта не работает", "yandex-mail"],
    ["яндекс.еда сбой", "yandex-eda"],
    ["вк видео лагает", "vk-video"],
    ["со вк", "vk"],
    ["госуслуги вход", "gosuslugi"],
    ["hj,kjrc yt hf,jnftn", "roblox"],
  ])("%s", (text, slug) => {
    expect(search(text).found[0]).toBe(slug);
  });

  test.each([
    "почему не работает",
    "почему",
    "на",
    "вход",
    "онлайн",
    "мессенджер",
    "отслеживание",
    "доставка",
    "app",
  ])("%s alone finds nothing", (text) => {
    expect(search(text)).toEqual({ found: [], near: [] });
  });
});

test("a name with the word of a product finds nothing that lacks the product", () => {
  const products =
    "такси taxi музыка music почта mail pay пэй пей еда лавка драйв travel путешествия видео video";
  const found = products.split(" ").filter((word) => search(`ватсап ${word}`).found.length > 0);
  expect(found).toEqual([]);
  expect(search("ватсап").found).toEqual(["whatsapp"]);
});

test("unstressed vowels may be written as they sound", () => {
  for (const [text, slug] of [
    ["тилиграм", "telegram"],
    ["мигафон", "megafon"],
    ["аднакласники", "odnoklassniki"],
  ] as const)
    expect(search(text).found[0], text).toBe(slug);
});

test("an empty text finds all services in their order", () => {
  expect(search("  ").found).toEqual(SHIPPED.map(({ slug }) => slug));
});
