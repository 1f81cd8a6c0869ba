import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCatalogue } from "../../../src/services/catalogue/parse-catalogue.ts";

const VALID = readFileSync(new URL("valid.yaml", import.meta.url), "utf8");

function problemsOf(file: string): readonly string[] {
  const result = parseCatalogue(file);
  return result.kind === "ok"
    ? []
    : result.problems.map(({ path, message }) => `${path}: ${message}`);
}

/** The valid file with these lines in its second endpoint, or in its service. */
const inEndpoint = (line: string): string =>
  VALID.replace("what: API", `what: API\n        ${line}`);
const inService = (line: string): string => VALID.replace("name: Один", `name: Один\n    ${line}`);
const listOf = (count: number, of: (at: number) => string): string =>
  `[${Array.from({ length: count }, (_, at) => of(at)).join(", ")}]`;

test.each<[string, number, (size: number) => string, string]>([
  [
    "note",
    1_000,
    (size) => inService(`note: ${"x".repeat(size)}`),
    "services[0].note: is 1001 characters long; use at most 1000.",
  ],
  [
    "text of a healthy page",
    200,
    (size) => inEndpoint(`body: ${"x".repeat(size)}`),
    "services[0].endpoints[1].body: is 201 characters long; use at most 200.",
  ],
  [
    "name of a network",
    100,
    (size) => VALID.replace("net a", "x".repeat(size)),
    "anchors[0].network: is 101 characters long; use at most 100.",
  ],
  [
    "slug",
    64,
    (size) => VALID.replace("slug: one", `slug: ${"x".repeat(size)}`),
    "services[0].slug: is 65 characters long; use at most 64.",
  ],
  [
    "list of unwanted texts",
    8,
    (size) => inEndpoint(`notBody: ${listOf(size, (at) => `t${at}`)}`),
    "services[0].endpoints[1].notBody: has too many texts; give at most 8.",
  ],
  [
    "list of sites",
    8,
    (size) => inEndpoint(`leadsTo: ${listOf(size, (at) => `s${at}.example`)}`),
    "services[0].endpoints[1].leadsTo: has too many sites; give at most 8.",
  ],
  [
    "list of aliases",
    32,
    (size) => inService(`aliases: ${listOf(size, (at) => `a${at}`)}`),
    "services[0].aliases: has too many names; give at most 32.",
  ],
])("a %s may have a size of %i, and no more", (_, most, fileOf, problem) => {
  expect(problemsOf(fileOf(most))).toEqual([]);
  expect(problemsOf(fileOf(most + 1))).toEqual([problem]);
});

const NO_SITE = "not a site; write a registrable domain such as example.ru, without www.";

test.each<readonly [string, string, string]>([
  [
    "www.example.ru",
    inEndpoint("leadsTo: [www.example.ru]"),
    `endpoints[1].leadsTo[0]: ${NO_SITE}`,
  ],
  ["ru", inEndpoint("leadsTo: [ru]"), `endpoints[1].leadsTo[0]: ${NO_SITE}`],
  [
    "an empty list of sites",
    inEndpoint("leadsTo: []"),
    "endpoints[1].leadsTo: is empty; name at least one site, or remove the key.",
  ],
  [
    "an empty list of refusals",
    inEndpoint("refuses: []"),
    "endpoints[1].refuses: is empty; name whom the owner refuses, or remove the key.",
  ],
  [
    "a refusal twice",
    inEndpoint("refuses: [hosting, hosting]"),
    "endpoints[1].refuses: names one twice; remove one.",
  ],
  [
    "an empty list of aliases",
    inService("aliases: []"),
    "aliases: is empty; give at least one name, or remove the key.",
  ],
  ...["vantages", "index", "all-services", "all-outages"].map(
    (slug) =>
      [
        `the slug ${slug}`,
        VALID.replace("slug: one", `slug: ${slug}`),
        "slug: this slug is taken; use another one.",
      ] as const,
  ),
])("%s is reported with a fix", (_, file, problem) => {
  expect(problemsOf(file)).toEqual([`services[0].${problem}`]);
});

test("a service has its names, notes and aliases, and no others", () => {
  const file = inService(
    "nameEn: One\n    note: Заметка\n    noteEn: Note\n    aliases: [Раз, Uno]",
  );
  const result = parseCatalogue(file);
  if (result.kind === "invalid") throw new Error(JSON.stringify(result.problems));
  const [first] = result.catalogue.services;
  if (first === undefined) throw new Error("no service");
  const { annotations: _, endpoints, ...service } = first;
  expect(endpoints).toHaveLength(2);
  expect(service).toEqual({
    slug: "one",
    name: "Один",
    nameEn: "One",
    note: "Заметка",
    noteEn: "Note",
    aliases: ["Раз", "Uno"],
    category: "banks",
    isAbroad: false,
  });
});

test("a catalogue has 2,048 endpoints at most", () => {
  const serviceOf = (at: number, endpoints: number): string =>
    `{ slug: s-${at}, name: s-${at}, category: banks, endpoints: ${listOf(endpoints, (n) => `{ url: "https://${at}.example/${n}", what: x }`)} }`;
  const fileOf = (first: number): string =>
    `${VALID.slice(0, VALID.indexOf("services:"))}services: ${listOf(257, (at) => serviceOf(at, at === 0 ? first : at === 1 ? 1 : 8))}\n`;
  expect(problemsOf(fileOf(7))).toEqual([]);
  expect(problemsOf(fileOf(8))).toEqual(["services: has over 2048 endpoints in all; remove some."]);
});
