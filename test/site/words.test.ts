import { SYMPTOMS } from "../../src/model/service/choices.ts";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
import {
  ANNOTATION_KINDS,
  type AnnotationKind,
  type Catalogue,
} from "../../src/model/service/catalogue.ts";
import { FAILURE_CODES, STAGES } from "../../src/model/failures.ts";
import { COLOR_OF } from "../../src/contract/codes/verdict.ts";
import { LANGUAGES, type Words } from "../../src/contract/codes/language.ts";
import { ANNOTATION_WORDS, nameCategory, nameEndpoint } from "../../src/site/words/catalogue.ts";
import { CONNECTIVITY_WORDS } from "../../src/site/words/scope.ts";
import { FAILURE_WORDS, STAGE_WORDS } from "../../src/site/words/failure.ts";
import { SYMPTOM_WORDS } from "../../src/site/words/pages/service-page.ts";
import { formatMoment } from "../../src/site/words/time.ts";
import {
  COLOR_WORDS,
  VERDICT_EXPLANATIONS,
  VERDICT_LABELS,
} from "../../src/contract/codes/verdict-words.ts";

const ANNOTATIONS: readonly AnnotationKind[] = ANNOTATION_KINDS;

interface WordRecord {
  readonly title: string;
  readonly words: Words<string>;
  readonly codes: readonly string[];
  /** Codes with the same text as another one. */
  readonly alike?: readonly string[];
}

const CODES = Object.keys(COLOR_OF);

const RECORDS: readonly WordRecord[] = [
  // The specification itself has one label for these two.
  { title: "labels", words: VERDICT_LABELS, codes: CODES, alike: ["slowed_ru"] },
  { title: "explanations", words: VERDICT_EXPLANATIONS, codes: CODES },
  { title: "colours", words: COLOR_WORDS, codes: [...new Set(Object.values(COLOR_OF))] },
  { title: "failures", words: FAILURE_WORDS, codes: FAILURE_CODES },
  { title: "stages", words: STAGE_WORDS, codes: STAGES },
  { title: "symptoms", words: SYMPTOM_WORDS, codes: SYMPTOMS },
  {
    title: "connectivity issues",
    words: CONNECTIVITY_WORDS,
    codes: ["half", "abroad-cut", "lossy"],
  },
  { title: "annotations", words: ANNOTATION_WORDS, codes: ANNOTATIONS },
];

const CATALOGUE: Catalogue = readShipped();

function readShipped(): Catalogue {
  const parsed = parseCatalogue(
    readFileSync(new URL("../../catalogue.yaml", import.meta.url), "utf8"),
  );
  if (parsed.kind === "invalid") throw new Error("the shipped catalogue is invalid");
  return parsed.catalogue;
}

test.each(RECORDS)("the $title have a word for each code", ({ words, codes, alike = [] }) => {
  for (const language of LANGUAGES) {
    const ofLanguage = words[language];
    expect(new Set(Object.keys(ofLanguage))).toEqual(new Set(codes));
    const texts = Object.entries(ofLanguage)
      .filter(([code]) => !alike.includes(code))
      .map(([, text]) => text);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) expect(text).toMatch(/^\S(.*\S)?$/u);
  }
});

test.each(RECORDS)("the $title are in their language", ({ words }) => {
  for (const text of Object.values(words.ru)) expect(text).toMatch(/[а-яё]/u);
  for (const text of Object.values(words.en)) expect(text).not.toMatch(/[а-яё]/iu);
});

test("the English labels are exactly those of the States table", () => {
  expect(VERDICT_LABELS.en).toEqual({
    ok: "Working",
    fail: "Outage: does not open",
    fail_long: "Does not open from Russia",
    err: "Service-side outage",
    restricted_fail: "Does not open in Russia",
    restricted: "Access restricted in Russia",
    slow: "Working slowly",
    partial: "Working intermittently",
    spike: "Rising number of reports",
    slowed_ru: "Working slowly",
    partial_ru: "Working partially",
    provider: "Service-side restrictions",
    none: "No recent data",
  });
});

test("a failure is the end of a sentence, an explanation a whole sentence", () => {
  for (const language of LANGUAGES) {
    for (const text of Object.values(FAILURE_WORDS[language])) {
      expect(text).toMatch(/^(?:DNS|\p{Ll}).*[^.]$/u);
    }
    for (const text of Object.values(VERDICT_EXPLANATIONS[language])) {
      expect(text).toMatch(/^\p{Lu}.*\.$/u);
    }
  }
});

test("verdicts from annotations are attributed to others, and never called a block", () => {
  for (const code of ["slowed_ru", "partial_ru"] as const) {
    expect(VERDICT_EXPLANATIONS.ru[code]).toMatch(/^По сообщениям/u);
    expect(VERDICT_EXPLANATIONS.en[code]).toMatch(/^Reportedly/u);
  }
  for (const code of ["restricted", "slowed_ru", "partial_ru", "provider"] as const) {
    const texts = [
      VERDICT_LABELS.ru[code],
      VERDICT_EXPLANATIONS.ru[code],
      ANNOTATION_WORDS.ru[code],
    ];
    expect(texts.join(" ")).not.toMatch(/блокир/iu);
  }
});

test("every shipped endpoint has a Russian name, the same for the same English one", () => {
  const endpoints = CATALOGUE.services.flatMap((one) => one.endpoints);
  const names = new Map(endpoints.map((one) => [one.what, nameEndpoint(one, "ru")]));
  expect(names.size).toBeGreaterThan(90);
  for (const endpoint of endpoints) {
    expect(nameEndpoint(endpoint, "ru")).toMatch(/./u);
    expect(nameEndpoint(endpoint, "ru")).toBe(names.get(endpoint.what));
    expect(nameEndpoint(endpoint, "en")).toBe(endpoint.what);
  }
  expect(nameEndpoint({ what: "something new" }, "ru")).toBeUndefined();
});

test("every shipped category has an English name; others keep their own", () => {
  const names = CATALOGUE.categories.map((category) => nameCategory(category, "en"));
  expect(new Set(names).size).toBe(10);
  for (const name of names) expect(name).toMatch(/^[A-Z][A-Za-z, ]+$/u);
  const [first] = CATALOGUE.categories;
  expect(first && nameCategory(first, "ru")).toBe(first?.name);
  expect(nameCategory({ id: "new", name: "Новое" }, "en")).toBe("Новое");
});

test.each([
  [2026, "31 декабря, 23:59"],
  [2027, "31 декабря 2026, 23:59"],
  [undefined, "31 декабря 2026, 23:59"],
])("a moment published in %s has its year if it is another", (year, expected) => {
  const newYearInMoscowMs = Date.UTC(2026, 11, 31, 21);
  expect(formatMoment(newYearInMoscowMs - 60_000, "ru", year)).toBe(expected);
  expect(formatMoment(newYearInMoscowMs, "ru", 2027)).toBe("1 января, 00:00");
});
