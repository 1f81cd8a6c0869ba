import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseCatalogue } from "../../../src/services/catalogue/parse-catalogue.ts";
import { parseTruth, type TruthContext } from "../../../src/open-data/accuracy/parse-truth.ts";
import { at } from "./sample-ledger.ts";

const CONTEXT: TruthContext = { slugs: ["bank", "shop"], nowMs: at("2026-11-21T09:00") };

const ENTRY = `- service: bank
  from: 2026-11-10T12:00:00+03:00
  to: 2026-11-10T13:00:00+03:00
  what: outage
  source: https://bank.example.ru/news
`;

/** Each problem as `line:column path: message`. */
function problemsOf(text: string, context: TruthContext | undefined = CONTEXT): readonly string[] {
  const parsed = parseTruth(text, context);
  if (parsed.kind === "ok") return [];
  return parsed.problems.map(({ line, column, path, message }) => {
    return `${line}:${column} ${path}: ${message}`;
  });
}

test("an entry is read, and a note is for people", () => {
  expect(parseTruth(`${ENTRY}  note: Payments worked.\n`, CONTEXT)).toEqual({
    kind: "ok",
    entries: [
      {
        slug: "bank",
        fromMs: at("2026-11-10T09:00"),
        toMs: at("2026-11-10T10:00"),
        what: "outage",
        source: "https://bank.example.ru/news",
      },
    ],
  });
});

test("an entry without an end lasts", () => {
  const parsed = parseTruth(ENTRY.replace(/ {2}to:.*\n/u, ""), CONTEXT);
  expect(parsed).toMatchObject({ kind: "ok", entries: [{ toMs: null }] });
});

test("the last of many services is suggested too", () => {
  const slugs = [...Array.from({ length: 200 }, (_, place) => `service-${place}`), "bank"];
  const parsed = parseTruth(ENTRY.replace("bank", "bankk"), { ...CONTEXT, slugs });
  expect(parsed).toMatchObject({
    problems: [{ message: 'no service has this slug; did you mean "bank"?' }],
  });
});

test.each(["", "# nothing known\n", "[]\n"])("%j is an empty list", (text) => {
  expect(parseTruth(text, CONTEXT)).toEqual({ kind: "ok", entries: [] });
});

const LATER = ENTRY.replaceAll("2026-11-10", "2026-11-11");

describe("a mistake is told with its line", () => {
  test.each([
    [
      "service",
      "sevrice",
      '1:3 [0].sevrice: unknown key; did you mean "service"? Remove it or rename it.',
    ],
    ["bank", "bankk", '1:12 [0].service: no service has this slug; did you mean "bank"?'],
    ["bank", "nobody", "1:12 [0].service: no service has this slug; use one of catalogue.yaml."],
    ["2026-11-10T12", "2026-11-10 12", undefined],
    [
      "T12:00:00+03:00",
      "",
      "2:9 [0].from: not a time; write it in RFC 3339, such as 2026-11-21T12:00:00+03:00.",
    ],
    [
      "2026-11-10T12",
      "2026-11-31T12",
      "2:9 [0].from: not a time; write it in RFC 3339, such as 2026-11-21T12:00:00+03:00.",
    ],
    [
      "T12:00:00+03:00",
      "T25:00:00+03:00",
      "2:9 [0].from: not a time; write it in RFC 3339, such as 2026-11-21T12:00:00+03:00.",
    ],
    [
      "2026-11-10T12",
      "1969-11-10T12",
      "2:9 [0].from: not a time; write it in RFC 3339, such as 2026-11-21T12:00:00+03:00.",
    ],
    ["T13:00", "T12:00", "3:7 [0].to: is not after from; correct one of the two."],
    [
      "2026-11-10T13",
      "2026-11-21T13",
      "3:7 [0].to: is in the future; leave it out while it lasts.",
    ],
    [
      "outage",
      "outrage",
      '4:9 [0].what: not a known value; did you mean "outage"? Write one of outage, blocked, slow, worked.',
    ],
    ["https://bank.example.ru/news", '""', "5:11 [0].source: is empty; write something here."],
  ])("%s instead of %s", (right, wrong, expected) => {
    const found = problemsOf(ENTRY.replace(right, wrong));
    if (expected === undefined) expect(found).toEqual([]);
    else expect(found).toContain(expected);
  });

  test("a missing source", () => {
    const text = ENTRY.replace(/ {2}source:.*\n/u, "");
    expect(problemsOf(text)).toEqual(["1:3 [0].source: missing; add this key."]);
  });

  test("a beginning in the future", () => {
    const text = ENTRY.replace("2026-11-10T12", "2026-11-22T12").replace(/ {2}to:.*\n/u, "");
    expect(problemsOf(text)).toEqual(["2:9 [0].from: is in the future; correct it."]);
  });

  test("text that is no list, or no YAML", () => {
    expect(problemsOf("service: bank\n")).toEqual([
      "1:1 : expected a list but found a mapping of keys to values; write a list here.",
    ]);
    expect(problemsOf("- {")).toHaveLength(1);
    expect(problemsOf(`${ENTRY}- &a b\n`)).not.toEqual([]);
  });

  test("more than 2000 entries", () => {
    expect(problemsOf("- x\n".repeat(2_001))).toContain("1:1 : has too many entries; keep 2000.");
  });

  test("two entries about one time", () => {
    const inside = ENTRY.replace("T12:00", "T12:30");
    expect(problemsOf(`${ENTRY}${inside}`)).toEqual([
      "7:9 [1].from: overlaps [0], which says outage and ends 2026-11-10T10:00:00Z; change one of the two.",
    ]);
    expect(problemsOf(`${inside.replace("outage", "worked")}${ENTRY}`)).toEqual([
      "2:9 [0].from: contradicts [1], which says outage and ends 2026-11-10T10:00:00Z; change one of the two.",
    ]);
  });

  test("an entry that lasts, and a later one", () => {
    const lasting = ENTRY.replace(/ {2}to:.*\n/u, "");
    expect(problemsOf(`${LATER}${lasting}`)).toEqual([
      "2:9 [0].from: overlaps [1], which says outage and lasts; change one of the two.",
    ]);
  });
});

test("entries about different times or services do not touch", () => {
  const next = ENTRY.replace("T13:00", "T14:00").replace("T12:00", "T13:00");
  expect(problemsOf(`${LATER}${ENTRY}${next}${ENTRY.replace("bank", "shop")}`)).toEqual([]);
});

test("without a context services and times are not checked", () => {
  const later = ENTRY.replace("bank", "gone").replaceAll("2026", "2036");
  expect(problemsOf(later)).toHaveLength(3);
  expect(parseTruth(later).kind).toBe("ok");
});

test("the file that is shipped is valid", () => {
  const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url));
  const catalogue = parseCatalogue(read("catalogue.yaml"));
  if (catalogue.kind === "invalid") throw new Error("the shipped catalogue is invalid");
  const slugs = catalogue.catalogue.services.map(({ slug }) => slug);
  expect(parseTruth(read("data/truth.yaml"), { slugs, nowMs: Date.UTC(2100, 0) }).kind).toBe("ok");
  // The example in its comment, too.
  const text = new TextDecoder().decode(read("data/truth.yaml"));
  const example = [...text.matchAll(/^# (- service.*| {2}\w+:.*)$/gmu)].map(([, line]) => line);
  expect(example).toHaveLength(6);
  expect(parseTruth(example.join("\n"), { slugs, nowMs: Date.UTC(2100, 0) })).toMatchObject({
    kind: "ok",
    entries: [{ slug: "sberbank", what: "outage" }],
  });
});
