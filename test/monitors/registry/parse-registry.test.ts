import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  parseMonitors,
  type ParsedMonitors,
} from "../../../src/monitors/registry/parse-registry.ts";
import { HOSTILE_FILES } from "../../services/catalogue/hostile-files.ts";
import { atDepth, isFull } from "../../depth.ts";
import type { ParsedMany } from "./parse-many-script.ts";

const RULES = {
  refusalOfUrl: (url: URL) => (url.hostname === "10.0.0.1" ? "a private address" : undefined),
};

function parse(source: string | Uint8Array): ParsedMonitors {
  return parseMonitors(source, RULES);
}

const toldIn = ({ problems }: ParsedMonitors): readonly string[] =>
  problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);

const told = (source: string | Uint8Array): readonly string[] => toldIn(parse(source));

function yaml(...entries: readonly string[]): string {
  return `monitors:\n${entries.map((entry) => `  - ${entry}\n`).join("")}`;
}

function lines(...entries: readonly unknown[]): string {
  return entries
    .map((entry) => (typeof entry === "string" ? entry : JSON.stringify(entry)))
    .join("\n");
}

const FULL = {
  id: "my-shop",
  url: "HTTPS://Shop.Example.ru:443/a#top",
  name: "  Мой магазин ",
  public: true,
  expect: [200, 404],
  timeoutMs: 5_000,
  body: " ok ",
  label: " сайт ",
};
const FULL_MONITOR = {
  id: "my-shop",
  url: "https://shop.example.ru/a",
  name: "Мой магазин",
  isPublic: true,
  expect: [200, 404],
  timeoutMs: 5_000,
  body: " ok ",
  label: "сайт",
};

describe("a valid registry", () => {
  test.skipIf(isFull).each([
    ["YAML", yaml(JSON.stringify(FULL))],
    ["JSON lines", lines(FULL)],
  ])("in %s has every key in its normal form", (_, text) => {
    expect(parse(text)).toEqual({
      monitors: [FULL_MONITOR],
      problems: [],
      warnings: [],
      rejectedIds: [],
      hasUnnamed: false,
      isReadable: true,
    });
  });

  test.skipIf(isFull)("has its defaults filled in, the name being the host", () => {
    expect(parse(lines({ id: "a", url: "http://a.example:8080/x" })).monitors).toEqual([
      { id: "a", url: "http://a.example:8080/x", name: "a.example:8080", isPublic: false },
    ]);
  });

  test.skipIf(isFull)("is cut at 120 characters for a default name", () => {
    const host = `${"a".repeat(60)}.${"b".repeat(60)}.${"c".repeat(60)}.example`;
    expect(parse(lines({ id: "a", url: `http://${host}/` })).monitors[0]?.name).toBe(
      host.slice(0, 120),
    );
  });

  test
    .skipIf(isFull)
    .each(["", "\n \n", "# nothing\n", "monitors: []", "monitors:\n  # - { id: a }\n", "---\n"])(
    "may be without monitors: %j",
    (text) => {
      expect(parse(text)).toMatchObject({ monitors: [], problems: [], isReadable: true });
    },
  );

  test.skipIf(isFull)("may have a byte order mark, Windows line ends and blank lines", () => {
    const entries = [FULL, "", "  \t", { id: "b", url: "http://b.example/" }, ""];
    const text = `\uFEFF\r\n${lines(...entries).replaceAll("\n", "\r\n")}`;
    expect(parse(text)).toMatchObject({ isReadable: true, problems: [] });
    expect(parse(text).monitors).toHaveLength(2);
    expect(parse(new TextEncoder().encode(text))).toEqual(parse(text));
    const asYaml = `\uFEFF${yaml(JSON.stringify(FULL)).replaceAll("\n", "\r\n")}`;
    expect(parse(new TextEncoder().encode(asYaml)).monitors).toEqual([FULL_MONITOR]);
  });

  test.skipIf(isFull)("includes the shipped one, and the example in its comments", () => {
    const shipped = readFileSync(new URL("../../../monitors.yaml", import.meta.url), "utf8");
    expect(parse(shipped)).toMatchObject({ monitors: [], problems: [], isReadable: true });
    const example = shipped.replaceAll(/^( *)# (?=- )/gmu, "$1");
    expect(example).not.toBe(shipped);
    expect(told(example)).toEqual([]);
    expect(parse(example).monitors.length).toBeGreaterThan(0);
  });

  test.skipIf(isFull)("may have an id that is a word of JavaScript", () => {
    const url = "http://a.example/";
    const ids = ["__proto__", "constructor", "toString", "-", "0"];
    expect(parse(lines(...ids.map((id) => ({ id, url })))).monitors.map(({ id }) => id)).toEqual(
      ids,
    );
    expect(parse(yaml('{ id: __proto__, url: "http://a.example/" }')).monitors[0]?.id).toBe(
      "__proto__",
    );
  });
});

const GOOD = { id: "good", url: "http://good.example/" };

describe("one invalid entry", () => {
  const url = "http://a.example/";
  test.skipIf(isFull).each([
    [{ id: "a", url, nam: "x" }, /^nam: unknown key; did you mean "name"\?/u],
    [{ id: "a", url: "ftp://a.example/" }, /^url: not an absolute http or https URL/u],
    [{ id: "a", url: "https:a.example" }, /^url: not an absolute/u],
    [{ id: "a", url: "http://a b/" }, /^url: not a valid URL/u],
    [{ id: "a", url: "http://a.example/\u0001" }, /^url: not a valid URL/u],
    [{ id: "a", url: "http://me:pw@a.example/" }, /^url: a URL may not carry credentials/u],
    [{ id: "a", url: "http://me@a.example/" }, /^url: a URL may not carry credentials/u],
    [{ id: "a", url: "http://0xa000001/" }, /^url: a private address\.$/u],
    [
      { id: "a", url: `${url}${"x".repeat(2_040)}` },
      /^url: is over 2048 characters long; shorten it\.$/u,
    ],
    [
      { id: "a", url: `${url}${"я".repeat(1_000)}` },
      /^url: is over 2048 characters long once its special characters are encoded; shorten it\.$/u,
    ],
    [{ id: "a" }, /^url: missing/u],
    [{ id: "a", url, name: "" }, /^name: is empty/u],
    [{ id: "a", url, name: "x".repeat(121) }, /^name: is 121 characters/u],
    [{ id: "a", url, name: "ab\u202Ecd" }, /^name: contains a control character/u],
    [{ id: "a", url, name: "a\u0000b" }, /^name: contains a control character/u],
    [`{"id":"a","url":"${url}","name":"a\\ud800b"}`, /^name: contains a control character/u],
    [{ id: "a", url, name: "\u200B" }, /^name: has no visible character; use letters/u],
    [{ id: "a", url, name: " \u3164\u2800 " }, /^name: has no visible character/u],
    [{ id: "a", url, name: "\u{E0041}\u{E0042}" }, /^name: has no visible character/u],
    [
      { id: "a", url, name: " sh\u00ADop" },
      /^name: contains .* U\+00AD, at position 3; remove it\.$/u,
    ],
    [{ id: "a", url, label: "\u2060" }, /^label: has no visible character/u],
    [{ id: "a", url, label: "up\u200Btime" }, /^label: contains an invisible character, U\+200B/u],
    [{ id: "a", url, label: "x".repeat(41) }, /^label: is 41 characters/u],
    [{ id: "a", url, body: "" }, /^body: is empty/u],
    [{ id: "a", url, body: `${" ".repeat(1_000)}x` }, /^body: is 1001 characters/u],
    [{ id: "a", url, expect: [] }, /^expect: is empty/u],
    [{ id: "a", url, expect: [200, 200] }, /^expect: lists a status twice/u],
    [{ id: "a", url, expect: [600] }, /^expect\[0\]: not an HTTP status/u],
    [{ id: "a", url, expect: 200 }, /^expect: expected a list/u],
    [{ id: "a", url, timeoutMs: 999 }, /^timeoutMs: write a whole number/u],
    [{ id: "a", url, timeoutMs: 20_001 }, /^timeoutMs: write a whole number/u],
    [{ id: "a", url, timeoutMs: 1_000.5 }, /^timeoutMs: write a whole number/u],
    [{ id: "a", url, public: "true" }, /^public: expected true or false/u],
    [{ id: "a", url, public: null }, /^public: expected true or false/u],
    [`{"id":"a","url":"${url}","__proto__":{"public":true}}`, /^__proto__: this key is not/u],
    [`{"id":"a","url":"${url}","public":false,"public":true}`, /^public: duplicate key/u],
  ])("%j is left out with its line, and the others stay", (entry, message) => {
    const text = lines(GOOD, entry);
    const parsed = parse(text);
    expect(parsed.monitors.map(({ id }) => id)).toEqual(["good"]);
    expect(parsed).toMatchObject({ rejectedIds: ["a"], isReadable: true, hasUnnamed: false });
    expect(parsed.problems).toHaveLength(1);
    expect(parsed.problems[0]?.line).toBe(2);
    expect(`${parsed.problems[0]?.path}: ${parsed.problems[0]?.message}`).toMatch(message);
  });

  test.skipIf(isFull).each([
    ["{", undefined],
    ['{"id":"a","url":"http://a.example/"', "a"],
    ['{"id":"a","url":"http://a.exam', "a"],
    ['{"id":"a"} {"id":"b"}', "a"],
    ['["a"]', undefined],
    ["id: a", undefined],
    ['{"id":"bad id","url":"http://a.example/"}', undefined],
    ['{"id":7,"url":"http://a.example/"}', undefined],
    [`{"id":"a","x":"${"y".repeat(70_000)}"}`, "a"],
    [`{"id":"a","x":${"[".repeat(9)}${"]".repeat(9)}}`, "a"],
    ['{"id":"a","url":"http://a.example/\0"}', "a"],
    ["\0", undefined],
  ])("without an object or id is distinguished: %j", (line, id) => {
    const parsed = parse(lines(GOOD, line));
    expect(parsed.monitors.map((monitor) => monitor.id)).toEqual(["good"]);
    expect(parsed.rejectedIds).toEqual(id === undefined ? [] : [id]);
    expect(parsed.hasUnnamed).toBe(id === undefined);
    expect(parsed.problems.map((problem) => problem.line)).toEqual([2]);
  });

  test.skipIf(isFull)("in YAML is reported with its line, column and path", () => {
    const text = yaml(
      '{ id: good, url: "http://good.example/" }',
      "{ id: a, url: ftp://x/ }",
      "{ id: b, url: http://b.example/, expect: [999] }",
    );
    expect(told(text)).toEqual([
      "3:19 monitors[1].url: not an absolute http or https URL; write it like https://example.ru/.",
      "4:47 monitors[2].expect[0]: not an HTTP status; write a whole number from 100 to 599.",
    ]);
    expect(parse(text)).toMatchObject({ rejectedIds: ["a", "b"], isReadable: true });
    expect(parse(text).monitors).toHaveLength(1);
  });

  test.skipIf(isFull).each([
    ["an anchor", "&x { id: a, url: http://a.example/ }", "a"],
    ["a tag", "!!map { id: a, url: http://a.example/ }", "a"],
    ["an alias", "{ id: a, url: *x }", "a"],
    ["a merge key", "{ <<: 1, id: a, url: http://a.example/ }", "a"],
    ["a duplicate key", "{ id: a, id: b, url: http://a.example/ }", "a"],
    ["a dangerous key", "{ id: a, __proto__: {}, url: http://a.example/ }", "a"],
  ])("with %s in YAML is left out alone", (_, entry, id) => {
    const other = (name: string): string => `{ id: ${name}, url: "http://x.example/" }`;
    const parsed = parse(yaml(other("before"), entry, other("after")));
    expect(parsed.monitors.map((monitor) => monitor.id)).toEqual(["before", "after"]);
    expect(parsed).toMatchObject({ rejectedIds: [id], isReadable: true });
  });
});

test.skipIf(isFull)("of two entries with one id in any letter case, the first stays", () => {
  const two = [GOOD, { id: "GOOD", url: "http://other.example/" }];
  const message = (where: string): string =>
    `the same id as ${where}; change or remove one of the two.`;
  expect(told(lines("", ...two))).toEqual([`3:7 id: ${message("line 2")}`]);
  expect(told(yaml(...two.map((one) => JSON.stringify(one))))).toEqual([
    `3:11 monitors[1].id: ${message("monitors[0]")}`,
  ]);
  expect(parse(lines(...two))).toMatchObject({ rejectedIds: [], monitors: [{ id: "good" }] });
  expect(parse(lines(...two.toReversed())).monitors.map(({ id }) => id)).toEqual(["GOOD"]);
});

describe("an unreadable file", () => {
  const entry = '{ id: a, url: "http://a.example/" }';
  const NO_UTF8 = "the file is not valid UTF-8 from here on; save it as UTF-8.";
  const NO_MAPPING = (found: string): string =>
    `1:1 : expected a mapping of keys to values but found ${found}; write a mapping of keys to values here.`;
  test.each<[string, string | Uint8Array, string]>([
    ["invalid UTF-8", Buffer.from([0x7b, 0xff]), `1:2 : ${NO_UTF8}`],
    ["invalid UTF-8 in YAML", Buffer.from([0x61, 0xff]), `1:2 : ${NO_UTF8}`],
    ["UTF-16", Buffer.from('\uFEFF{"id":"a"}', "utf16le"), `1:1 : ${NO_UTF8}`],
    ["a list at the top", `- ${entry}`, NO_MAPPING("a list")],
    ["a text", "hello", NO_MAPPING("text")],
    ["a misspelt key", `monitor:\n  - ${entry}`, "1:1 monitors: missing; add this key."],
    [
      "one key too many",
      `${yaml(entry)}extra: 1\n`,
      "3:1 extra: unknown key; remove it, or use one of monitors.",
    ],
    [
      "two lists",
      `${yaml(entry)}monitors: []\n`,
      "3:1 monitors: duplicate key; remove one of the two.",
    ],
    [
      "a list that is none",
      "monitors: { a: 1 }",
      "1:11 monitors: expected a list but found a mapping of keys to values; write a list here.",
    ],
    [
      "broken YAML",
      `monitors:\n  - { id: a`,
      "2:12 : not valid YAML (Flow map in block collection must be sufficiently indented and end with a }); make the indentation of this line match its neighbours.",
    ],
    [
      "a NUL in YAML",
      `${yaml(entry)}\0`,
      "3:1 : the character U+0000 is not allowed in this file; remove it.",
    ],
    [
      "a directive",
      `%YAML 1.2\n---\n${yaml(entry)}`,
      "1:1 : % directives are not allowed; remove this line.",
    ],
    [
      "one JSON object over many lines",
      JSON.stringify({ monitors: [GOOD] }, null, 2),
      "1:2 : not valid JSON here; write a key in quotes.",
    ],
    [
      "5 MiB of YAML",
      `${yaml(entry)}${"# x\n".repeat(1_400_000)}`,
      "1:1 : the file is over 4194304 bytes; make it shorter.",
    ],
    [
      "too many lines",
      "{\n".repeat(150_001),
      "150001:1 : the file holds over 150000 monitors; remove some.",
    ],
    [
      "65 MiB of lines",
      `{"id":"a"}\n`.padEnd(65 * 1024 * 1024),
      "1:1 : the file is over 67108864 bytes; make it shorter.",
    ],
  ])("because of %s has no monitors and says why", (_, source, why) => {
    const parsed = parse(source);
    expect(parsed).toMatchObject({ monitors: [], rejectedIds: [], isReadable: false });
    expect(toldIn(parsed)[0]).toBe(why);
  });
});

test("hostile files are refused or empty", () => {
  for (const [name, make] of Object.entries(HOSTILE_FILES)) {
    const { monitors, problems } = parse(new TextEncoder().encode(make(atDepth(6_000, 44_000))));
    expect([name, monitors.length, problems.length <= 101]).toEqual([name, 0, true]);
  }
});

test.skipIf(isFull)("of many problems a hundred are listed and the rest counted", () => {
  const parsed = parse(lines(...Array.from({ length: 3_000 }, (_, id) => ({ id: `m${id}` }))));
  expect(parsed.problems).toHaveLength(101);
  expect(parsed.problems.at(-1)?.message).toMatch(/^2900 more problems/u);
  expect(parsed.rejectedIds).toHaveLength(3_000);
});

test("a damaged registry is never an exception, and positions are inside it", () => {
  const scraps = fc.oneof(
    fc.constantFrom("\n", "{", "}", '"', ",", ":", "- ", "&a ", "*a", "\0", "\\", "null", "  "),
    fc.string({ unit: "binary", maxLength: 4 }),
  );
  const edit = fc.record({ at: fc.nat(400), removed: fc.nat(20), inserted: scraps });
  const texts = fc.constantFrom(
    lines(FULL, GOOD),
    yaml(JSON.stringify(FULL), '{ id: good, url: "http://good.example/" }'),
  );
  fc.assert(
    fc.property(texts, fc.array(edit, { minLength: 1, maxLength: 3 }), (start, edits) => {
      const text = edits.reduce(
        (before, { at, removed, inserted }) =>
          before.slice(0, at) + inserted + before.slice(at + removed),
        start,
      );
      const all = text.split("\n");
      for (const { line, column } of parse(text).problems) {
        expect(column).toBeLessThanOrEqual((all[line - 1]?.length ?? -1) + 1);
      }
    }),
    { numRuns: atDepth(100, 500) },
  );
});

test.runIf(isFull)("100,000 lines take less than 300 MB", async () => {
  const script = fileURLToPath(new URL("parse-many-script.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [
    "--max-old-space-size=300",
    "--import",
    "tsx",
    script,
  ]);
  // Printed by our own script.
  const { monitors, grownBytes } = JSON.parse(stdout) as ParsedMany;
  expect(monitors).toBe(100_000);
  expect(grownBytes).toBeLessThan(300e6);
});
