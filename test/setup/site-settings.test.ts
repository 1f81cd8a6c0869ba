import { expect, test } from "vitest";
import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { PEOPLE, readSiteSettings } from "../../src/setup/site-settings.ts";
import { readGiven } from "./given.ts";

const CATEGORIES = ["banks", "social"];

/** What is decided, without warnings. */
function decide(given: Parameters<typeof readGiven>[1]) {
  const flags = readGiven(["publish", "settings"], given);
  if ("problem" in flags) return flags;
  return { value: readSiteSettings(flags.value, CATEGORIES).settings };
}

test("a category that the catalogue does not have is a warning with its key", () => {
  const categories = { banks: {}, bankz: {}, weather: {} };
  const flags = readGiven(["publish", "settings"], { about: { follow: { categories } } });
  if ("problem" in flags) throw new Error(flags.problem);
  const effect = "the catalogue has no such category, so no page shows its channels";
  expect(readSiteSettings(flags.value, CATEGORIES).warnings).toEqual([
    `about.follow.categories.bankz: ${effect}; did you mean "banks"?`,
    `about.follow.categories.weather: ${effect}; remove it.`,
  ]);
});

test.each([
  ["on", { reportUrl: "" }],
  ["off", { reportUrl: null }],
  ["https://reports.example.ru/", { reportUrl: "https://reports.example.ru" }],
])("reports %s is understood", (reports, value) => {
  expect(decide({ reports })).toEqual({ value });
});

test("the key of a notifier is remembered, and off forgets it", () => {
  const alertsKey = `B${"a".repeat(86)}`;
  expect(decide({ alertsKey })).toEqual({ value: { pushKey: alertsKey } });
  expect(decide({ alertsKey: "off" })).toEqual({ value: { pushKey: null } });
  expect(decide({ alertsKey: "x" })).toEqual({
    problem: expect.stringContaining(
      "alertsKey x: give the public key that `notify keygen` prints",
    ),
  });
});

test.each([
  { contact: "status at example.ru" },
  { source: "//example.ru/" },
  { follow: { telegram: "http://t.me/status_example" } },
  { follow: { categories: { "No Category": {} } } },
  { operator: " " },
])("about %j is refused, with what to write", (about) => {
  expect(PEOPLE.safeParse(about).error?.issues.map(({ message }) => message)).toMatchSnapshot();
});

test("what is not given is left to the state; what makes no sense is refused", () => {
  expect(decide({})).toEqual({ value: {} });
  expect(decide({ reports: "yes" })).toEqual({
    problem: "reports yes: give on, off, or a URL such as https://reports.example.ru.",
  });
});

test("what a settings file leaves out is off, whatever was given before", () => {
  const people = { operator: "Ирина Петрова" };
  expect(decide({ settings: "site.yaml", reports: "on", about: people })).toEqual({
    value: { ...DEFAULT_SITE_SETTINGS, reportUrl: "", people },
  });
});
