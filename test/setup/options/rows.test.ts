import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EXIT_CODES } from "../../../src/setup/exit-codes.ts";
import {
  attributeOf,
  flagKeyOf,
  formerly,
  keyOf,
  nameOf,
  ofGroup,
  onlyGiven,
  type OptionRow,
  option,
  people,
  repeatable,
  toggle,
} from "../../../src/setup/options/option-row.ts";
import { ALL_ROWS } from "../../../src/setup/options/options.ts";
import { TEXT, wholeNumber } from "../../../src/setup/options/texts.ts";
import { SHIPPED_CATALOGUE, SHIPPED_TRUTH } from "../../../src/setup/shipped-files.ts";
import { readGiven } from "../given.ts";

const anchorAt = (host: string, path: string) => {
  return { url: `https://${host}${path}`, scope: "domestic", network: host };
};
const CONFIRMATION = { confirmDelaysMs: [20_000, 60_000, 100_000], doubtDelayMs: 160_000 };

test("options that were not given have these values, and no other has one", () => {
  const values = ALL_ROWS.filter(({ kind, isRepeatable }) => kind === "value" && !isRepeatable)
    .map((row) => [nameOf(row), row.variable, row.read(undefined, expect.unreachable)])
    .filter(([, , value]) => value !== undefined);
  expect(values).toEqual([
    ["concurrency", "CONCURRENCY", 64],
    ["monitorConcurrency", "MONITOR_CONCURRENCY", 256],
    ["confirm", "CONFIRM", CONFIRMATION],
    ["deadline", "DEADLINE", 240_000],
    ["browser", "BROWSER", true],
    ["line", "LINE", "hosting"],
    ["--catalogue", "CATALOGUE", SHIPPED_CATALOGUE],
    ["--truth", "TRUTH", SHIPPED_TRUTH],
    ["--store", "STORE", "file:public"],
    ["--state", "STATE", "file:.state"],
    ["badgeLanguage", "BADGE_LANGUAGE", "ru"],
    ["keepArchive", "KEEP_ARCHIVE", "forever"],
    ["maxRemovals", "MAX_REMOVALS", 0.2],
    ["--every", "EVERY", 300_000],
    ["--host", "HOST", "127.0.0.1"],
    ["--port", "PORT", 8_080],
    ["--port", "PORT", 8_081],
    ["--overlay", undefined, "overlay.yaml"],
    ["trialPause", "TRIAL_PAUSE", 60_000],
    ["--count", undefined, 1],
    ["--count", undefined, "64"],
    ["vantageConcurrency", "VANTAGE_CONCURRENCY", 32],
    ["--every", "VANTAGE_EVERY", 15_000],
    ["--catalogue", "CATALOGUE", SHIPPED_CATALOGUE],
    ["ledger", "LEDGER", "file:.ledger"],
    ["--every", "NOTIFY_EVERY", 15_000],
    ["--vantage", "VANTAGE", "main"],
    ["workerConcurrency", "WORKER_CONCURRENCY", 256],
    ["workerConfirm", "WORKER_CONFIRM", CONFIRMATION],
    ["--expect", "EXPECT", 85],
    ["verifyMaxAge", "VERIFY_MAX_AGE", 900_000],
    ["verifyTimeout", "VERIFY_TIMEOUT", 10_000],
  ]);
});

test("repeatable options that were not given are empty, apart from places and anchors", () => {
  const rows = ALL_ROWS.filter(({ isRepeatable }) => isRepeatable);
  expect(
    Object.fromEntries(rows.map((row) => [nameOf(row), row.read(undefined, expect.unreachable)])),
  ).toEqual({
    "--set": [],
    "--only": [],
    engineVantage: ["main"],
    "--connect-to": [],
    "--allow-private": [],
    "--allow-port": [],
    proxy: [],
    allowOrigin: [],
    unlistedAnchor: [],
    anchor: [
      anchorAt("www.gstatic.com", "/generate_204"),
      anchorAt("www.cloudflare.com", "/cdn-cgi/trace"),
      anchorAt("www.debian.org", "/"),
      anchorAt("www.iana.org", "/robots.txt"),
      anchorAt("ru.wikipedia.org", "/robots.txt"),
      anchorAt("ethz.ch", "/robots.txt"),
    ],
  });
});

test("switches that were not given are off, and the services are not left out", () => {
  const switches = ALL_ROWS.filter(({ kind }) => kind === "switch");
  const on = switches.filter((row) => row.read(undefined, expect.unreachable) === true);
  expect(on.map(nameOf)).toEqual(["--no-services"]);
  expect(switches.map((row) => row.read(true, expect.unreachable))).toEqual(
    switches.map(() => true),
  );
});

test("one option each is a secret, a file of settings, texts, and people", () => {
  const namesWhere = (isMeant: (row: OptionRow) => boolean): readonly string[] =>
    ALL_ROWS.filter(isMeant).map(nameOf);
  expect(namesWhere(({ isSecret }) => isSecret)).toEqual(["heartbeatUrl"]);
  expect(namesWhere(({ kind }) => kind === "settings")).toEqual(["--settings"]);
  expect(namesWhere(({ kind }) => kind === "texts")).toEqual(["--set"]);
  expect(namesWhere(({ kind }) => kind === "people")).toEqual(["about"]);
});

test.each([
  ["doctor", "races", "0", false],
  ["doctor", "races", "600", true],
  ["doctor", "races", "600.5", false],
  ["report", "count", "0", false],
  ["report", "count", "100000", true],
  ["report", "count", "100001", false],
  ["run", "deadline", "0", false],
  ["run", "deadline", "0.5", true],
  ["run", "badgeLanguage", "de", true],
  ["publish", "badgeLanguage", "de", false],
  ["verify", "expect", "0", true],
  ["verify", "verifyTimeout", "0", false],
  ["verify", "verifyTimeout", "1", true],
  ["trial", "trialPause", "0", true],
  ["convert", "count", "64", true],
  ["convert", "count", "4096", true],
  ["convert", "count", "65", false],
  ["operations", "operationsPort", "0", true],
] as const)("in the group %s, %s %s is good: %s", (name, key, text, isGood) => {
  expect("value" in readGiven([name], { [key]: text })).toBe(isGood);
});

test("races without a time last 20 seconds, and without the option there are none", () => {
  const raceMsOf = (races: string | true | undefined) => {
    const read = readGiven(["doctor"], { races });
    return "value" in read ? read.value.raceMs : read;
  };
  expect([raceMsOf(undefined), raceMsOf(true), raceMsOf("1.5")]).toEqual([
    undefined,
    20_000,
    1_500,
  ]);
});

const FLAG = option("--keep-it <days>", wholeNumber(1), "help", "7", "a week");
const SETTING = option("keepIt <days>", wholeNumber(1), "help");
const SWITCH = toggle("--no-it", "help");

test.each<readonly [string, OptionRow, object]>([
  [
    "a flag",
    FLAG,
    {
      name: "--keep-it",
      attribute: "keepIt",
      flagKey: "keepIt",
      key: "keepIt",
      variable: "KEEP_IT",
    },
  ],
  [
    "a setting, whose former flag is still read",
    SETTING,
    { name: "keepIt", attribute: "keepIt", flagKey: "keepIt", key: "keepIt", variable: "KEEP_IT" },
  ],
  [
    "a setting whose former flag had another name",
    formerly("--for <days>", SETTING),
    { name: "keepIt", attribute: "keepIt", flagKey: "for", key: "keepIt", variable: "KEEP_IT" },
  ],
  [
    "a switch, which no file sets",
    SWITCH,
    { name: "--no-it", attribute: "it", flagKey: "it", variable: "NO_IT" },
  ],
  [
    "an option of one call",
    onlyGiven(FLAG),
    { name: "--keep-it", attribute: "keepIt", flagKey: "keepIt" },
  ],
  [
    "an option of a group",
    ofGroup("CAT", FLAG),
    {
      name: "--keep-it",
      attribute: "keepIt",
      flagKey: "keepIt",
      key: "catKeepIt",
      variable: "CAT_KEEP_IT",
    },
  ],
  [
    "a secret",
    { ...SETTING, isSecret: true },
    { name: "keepIt", attribute: "keepIt", flagKey: "keepIt", variable: "KEEP_IT" },
  ],
  ["the people", people("about", "help"), { name: "about", attribute: "about", key: "about" }],
])("the names of %s follow from its row", (_, row, names) => {
  const named = {
    name: nameOf(row),
    attribute: attributeOf(row),
    flagKey: flagKeyOf(row),
    key: keyOf(row),
    variable: row.variable,
  };
  expect(Object.fromEntries(Object.entries(named).filter(([, one]) => one !== undefined))).toEqual(
    names,
  );
});

test("a wrong text is told, and the default stands for it", () => {
  const problems: string[] = [];
  const addProblem = (problem: string): void => void problems.push(problem);
  const many = repeatable("--n <n>", wholeNumber(1), "help", ["5"]);
  expect([
    FLAG.read("x", addProblem),
    FLAG.read("9", addProblem),
    SETTING.read("x", addProblem),
    many.read(["1", "x", "3"], addProblem),
    many.read(undefined, addProblem),
    people("about", "help").read("x", addProblem),
    people("about", "help").read(["x"], addProblem),
  ]).toEqual([7, 9, undefined, [1, 3], [5], undefined, undefined]);
  expect(problems).toEqual([
    "--keep-it x: give a whole number from 1.",
    "keepIt x: give a whole number from 1.",
    "--n x: give a whole number from 1.",
  ]);
  expect(() => option("--n <n>", wholeNumber(1), "help", "x")).toThrow("--n x: give a whole");
  expect([FLAG.fallback, FLAG.fallbackWords, many.help]).toEqual([
    "7",
    "a week",
    "help (repeatable)",
  ]);
  expect(option("--t <t>", TEXT, "help").read(true, addProblem)).toBeUndefined();
});

test("the reference has the meaning and the remedy of each exit code", () => {
  const reference = readFileSync(
    new URL("../../../docs/reference/exit-codes.md", import.meta.url),
    "utf8",
  );
  const rows = Object.entries(EXIT_CODES).map(
    ([code, { meaning, remedy }]) => `| ${code} | ${meaning} | ${remedy} |`,
  );
  expect(reference.match(/^\| \d .+$/gmu)).toEqual(rows);
});
