import { expect, test } from "vitest";
import { parseAbout, readSiteSettings } from "../../src/setup/site-settings.ts";
import { readGiven } from "./given.ts";

const ABOUT = `operator: Ирина Петрова
contact: mailto:status@example.ru
source: https://example.ru/source
wrongVerdict: https://example.ru/issues
addSite: https://example.ru/add
follow:
  telegram: https://t.me/example
  max: https://max.ru/example
  categories:
    banks: { telegram: https://t.me/banks }
`;

const CATEGORIES = ["banks", "social"];

/** What is decided, without warnings. */
async function decide(given: Readonly<Record<string, string>>) {
  const flags = readGiven(["publish"], given);
  if ("problem" in flags) return flags;
  const read = await readSiteSettings(flags.value, CATEGORIES);
  return "problem" in read ? read : { value: read.value.settings };
}

test("a file names the people behind the site; an empty one has no names", () => {
  expect(parseAbout("about.yaml", ABOUT, CATEGORIES)).toEqual({
    value: {
      people: {
        operator: "Ирина Петрова",
        contact: "mailto:status@example.ru",
        source: "https://example.ru/source",
        wrongVerdict: "https://example.ru/issues",
        addSite: "https://example.ru/add",
        follow: {
          telegram: "https://t.me/example",
          max: "https://max.ru/example",
          categories: { banks: { telegram: "https://t.me/banks" } },
        },
      },
      warnings: [],
    },
  });
  expect(parseAbout("about.yaml", "", CATEGORIES)).toEqual({
    value: { people: {}, warnings: [] },
  });
});

test("a category that the catalogue does not have is a warning with its place", () => {
  const text = ABOUT.replace("    banks:", "    bankz: {}\n    weather:");
  const effect = "there is no such category in the catalogue, so no page shows its channels";
  expect(parseAbout("about.yaml", text, CATEGORIES)).toMatchObject({
    value: {
      people: { operator: "Ирина Петрова" },
      warnings: [
        `--about about.yaml:10:5: follow.categories.bankz: ${effect}; did you mean "banks"?`,
        `--about about.yaml:11:5: follow.categories.weather: ${effect}; remove it.`,
      ],
    },
  });
});

test.each([
  ["operator: [a]", "1:11: operator: expected text but found a list; write text here."],
  ["operator: ' '", "1:11: operator: is empty; write something here."],
  ["contact: javascript:alert(1)", "1:10: contact: write a URL such as https://example.ru/"],
  ["source: 'mailto:a b@c'", "1:9: source: write a URL such as"],
  ["contakt: mailto:a@example.ru", '1:1: contakt: unknown key; did you mean "contact"?'],
  ["follow: { telegram: t.me/x }", "1:21: follow.telegram: write the URL of a channel such as"],
  ["follow: { max: 'http://max.ru/x' }", "1:16: follow.max: write the URL of a channel such as"],
  ["follow: { viber: https://v.example/ }", "1:11: follow.viber: unknown key"],
  [
    "follow:\n  categories: { Banks: {} }",
    "2:24: follow.categories.Banks: not the id of a category",
  ],
  [
    "follow:\n  categories:\n    banks: { email: a }",
    "3:14: follow.categories.banks.email: unknown key",
  ],
  ["- a", "1:1: expected a mapping of keys to values but found a list"],
  ["operator: a\noperator: b", "2:1:"],
])("%s is refused with its place", (source, message) => {
  expect(parseAbout("about.yaml", source, CATEGORIES)).toEqual({
    problem: expect.stringContaining(`--about about.yaml:${message}`),
  });
});

test.each([
  ["on", { reportUrl: "" }],
  ["off", { reportUrl: null }],
  ["https://reports.example.ru/", { reportUrl: "https://reports.example.ru" }],
])("--reports %s is understood", async (reports, value) => {
  expect(await decide({ reports })).toEqual({ value });
});

test("the key of a notifier is remembered, and off forgets it", async () => {
  const alertsKey = `B${"a".repeat(86)}`;
  expect(await decide({ alertsKey })).toEqual({ value: { pushKey: alertsKey } });
  expect(await decide({ alertsKey: "off" })).toEqual({ value: { pushKey: null } });
  expect(await decide({ alertsKey: "x" })).toEqual({
    problem: expect.stringContaining(
      "--alerts-key x: give the public key that `notify keygen` prints",
    ),
  });
});

test("what is not given is left to the state; what makes no sense is refused", async () => {
  expect(await decide({})).toEqual({ value: {} });
  expect(await decide({ reports: "yes" })).toEqual({
    problem: "--reports yes: give on, off, or a URL such as https://reports.example.ru.",
  });
  expect(await decide({ about: "/nowhere/about.yaml" })).toEqual({
    problem: expect.stringMatching(/^--about \/nowhere\/about\.yaml: /u),
  });
});
