import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addMonitor,
  type Edited,
  removeMonitor,
  setPublic,
} from "../../../src/monitors/registry/edit.ts";
import { parseMonitors } from "../../../src/monitors/registry/parse-registry.ts";
import { findSimilarIds } from "../../../src/setup/registry/edit-registry.ts";
import { atDepth, isFull } from "../../depth.ts";

const RULES = { refusalOfUrl: () => undefined };
const NEW = { id: "new", url: "https://new.example/", name: 'Новый: "да" #1' };
const LINE = '{ id: new, url: "https://new.example/", name: "Новый: \\"да\\" #1" }';

function textOf(edited: Edited<unknown>): string {
  return edited.kind === "edited" ? edited.text : `${edited.code}: ${edited.message}`;
}

function idsOf(text: string): readonly string[] {
  const parsed = parseMonitors(text, RULES);
  expect(parsed.problems).toEqual([]);
  return parsed.monitors.map(({ id }) => id);
}

const PEOPLE = `# ours
monitors: # the list
  # the shop
  - { id: shop, url: "https://shop.example/", public: true } # since May
  # the blog
  - id: blog # old
    url: https://blog.example/
    # inner
    name: 'Блог'

  - {url: https://last.example/, id: last}
  # - { id: off, url: https://off.example/ }
# the end`;

describe("adding", () => {
  test.skipIf(isFull).each([
    ["to people's YAML", PEOPLE, PEOPLE.replace("id: last}\n", `id: last}\n  - ${LINE}\n`)],
    ["to nothing", "", `monitors:\n  - ${LINE}\n`],
    ["to comments", "# none", `# none\nmonitors:\n  - ${LINE}\n`],
    ["to a key alone", "monitors:", `monitors:\n  - ${LINE}\n`],
    ["to a key with comments", "monitors: # x\n# y\n", `monitors: # x\n  - ${LINE}\n# y\n`],
    ["to an empty list", "monitors: []\n# y\n", `monitors:\n  - ${LINE}\n# y\n`],
    ["to an empty list with a comment", "monitors: [] # x", `monitors:  # x\n  - ${LINE}\n`],
    ["to null", "monitors: null\n", `monitors:\n  - ${LINE}\n`],
    [
      "to a list in brackets",
      "monitors: [{id: a, url: 'http://a/'}]",
      `monitors: [{id: a, url: 'http://a/'}, ${LINE}]`,
    ],
    [
      "to a list at the margin",
      "monitors:\n- {id: a, url: 'http://a/'}",
      `monitors:\n- {id: a, url: 'http://a/'}\n- ${LINE}\n`,
    ],
    [
      "with Windows line ends",
      "monitors:\r\n  - {id: a, url: 'http://a/'}\r\n",
      `monitors:\r\n  - {id: a, url: 'http://a/'}\r\n  - ${LINE}\r\n`,
    ],
    ["behind a byte order mark", "\uFEFFmonitors: []", `\uFEFFmonitors:\n  - ${LINE}\n`],
    [
      "to JSON lines",
      '{"id":"a","url":"http://a/"}',
      `{"id":"a","url":"http://a/"}\n${JSON.stringify(NEW)}\n`,
    ],
  ])("%s keeps every other byte", (_, before, after) => {
    const edited = addMonitor(before, NEW, RULES);
    expect(textOf(edited)).toBe(after);
    expect(edited).toMatchObject({ monitor: { id: "new", isPublic: false } });
  });

  test.skipIf(isFull)("to an empty file makes JSON lines if its name says so", () => {
    const edited = addMonitor("", { ...NEW, public: true, label: "x" }, RULES, "json-lines");
    expect(textOf(edited)).toBe(`${JSON.stringify({ ...NEW, public: true, label: "x" })}\n`);
  });

  test.skipIf(isFull).each([
    [{ ...NEW, id: "SHOP" }, "taken"],
    [{ ...NEW, id: "a b" }, "invalid"],
    [{ ...NEW, id: "-" }, "invalid"],
    [{ ...NEW, id: "--help" }, "invalid"],
    [{ ...NEW, id: "con" }, "invalid"],
    [{ ...NEW, id: "LPT9" }, "invalid"],
    [{ ...NEW, name: "\u3164" }, "invalid"],
    [{ ...NEW, url: "gopher://x" }, "invalid"],
    [{ ...NEW, name: "\u202E" }, "invalid"],
    [{ ...NEW, name: "\uD800" }, "invalid"],
  ])("%j is refused", (wanted, code) => {
    expect(addMonitor(PEOPLE, wanted, RULES)).toMatchObject({ kind: "refused", code });
  });

  const DEVICES = ["CON", "PRN", "AUX", "NUL", "COM1", "COM9", "LPT1", "LPT9", "CoM5", "nul"];
  test.skipIf(isFull).each(DEVICES)("under the name of a device, %s, is refused", (id) => {
    expect(addMonitor(PEOPLE, { ...NEW, id }, RULES)).toMatchObject({
      code: "invalid",
      message: expect.stringMatching(
        /^id: is the name of a device on Windows, .*; use another id/u,
      ),
    });
  });

  test.skipIf(isFull).each(["COM\u00B9", "lpt\u00B3", "nul.txt", "con "])(
    "under %j, also a device, is refused as an invalid id",
    (id) => {
      expect(addMonitor(PEOPLE, { ...NEW, id }, RULES)).toMatchObject({
        message: expect.stringMatching(/^id: not an id;/u),
      });
    },
  );

  test.skipIf(isFull).each(["COM0", "COM10", "console", "xCON", "nul-1", "_aux", "a-"])(
    "under %s, which only looks like one, is possible",
    (id) => {
      expect(addMonitor(PEOPLE, { ...NEW, id }, RULES)).toMatchObject({ kind: "edited" });
    },
  );

  test.skipIf(isFull)("to an unreadable file is refused, with the position", () => {
    expect(addMonitor("monitor: []\n", NEW, RULES)).toMatchObject({
      code: "unreadable",
      message: expect.stringMatching(/1:1: monitors: missing/u),
    });
  });

  test.skipIf(isFull)("to a file in an unusual form is left to a person", () => {
    const odd = "---\nmonitors:\n  - {id: a, url: 'http://a/'}\n...\n";
    expect(idsOf(textOf(addMonitor(odd, NEW, RULES)))).toEqual(["a", "new"]);
    expect(addMonitor("---\n...\n", NEW, RULES)).toMatchObject({ code: "by-hand" });
    expect(addMonitor("monitors: [ # x\n ]\n", NEW, RULES)).toMatchObject({ code: "by-hand" });
  });
});

describe("removing", () => {
  test.skipIf(isFull).each([
    ["shop", '  - { id: shop, url: "https://shop.example/", public: true } # since May\n'],
    ["blog", "  - id: blog # old\n    url: https://blog.example/\n    # inner\n    name: 'Блог'\n"],
    ["last", "  - {url: https://last.example/, id: last}\n"],
  ])("%s takes its own lines", (id, gone) => {
    expect(PEOPLE).toContain(gone);
    expect(textOf(removeMonitor(PEOPLE, id, RULES))).toBe(PEOPLE.replace(gone, ""));
  });

  test.skipIf(isFull).each([
    [
      "monitors: [{id: a, url: 'http://a/'}, {id: b, url: 'http://b/'}]",
      "monitors: [ {id: b, url: 'http://b/'}]",
    ],
    [
      "monitors: [{id: b, url: 'http://b/'}, {id: a, url: 'http://a/'}]",
      "monitors: [{id: b, url: 'http://b/'} ]",
    ],
    ["monitors: [{id: a, url: 'http://a/'}]", "monitors: []"],
    ["monitors:\n  - {id: a, url: 'http://a/'}", "monitors:\n"],
    ["\uFEFFmonitors: [{id: a, url: 'http://a/'}]", "\uFEFFmonitors: []"],
    [
      '{"id":"b","url":"http://b/"}\r\n{"id":"a","url":"http://a/"}\r\n',
      '{"id":"b","url":"http://b/"}\r\n',
    ],
    [
      "monitors:\n  - id: a\n    url: http://a/\n    name: one\n      two\n  - {id: b, url: 'http://b/'}",
      "monitors:\n  - {id: b, url: 'http://b/'}",
    ],
    ['{"id":"a","url":"http://a/"}', ""],
    [
      '\uFEFF{"id":"a","url":"http://a/"}\n\n{"id":"b","url":"http://b/"}',
      '\uFEFF\n{"id":"b","url":"http://b/"}',
    ],
  ])("a from %j leaves %j", (before, after) => {
    expect(textOf(removeMonitor(before, "a", RULES))).toBe(after);
  });

  test.skipIf(isFull)("an invalid entry is possible, and returns no monitor", () => {
    const yaml = "monitors:\n  - {id: a, url: nowhere}\n  - {id: b, url: 'http://b/'}\n";
    expect(removeMonitor(yaml, "a", RULES)).toEqual({
      kind: "edited",
      text: "monitors:\n  - {id: b, url: 'http://b/'}\n",
      monitor: undefined,
    });
    expect(textOf(removeMonitor('{"id":"a"\n{"id":"b","url":"http://b/"}', "a", RULES))).toBe(
      '{"id":"b","url":"http://b/"}',
    );
  });

  test.skipIf(isFull)("an id in another letter case, or one of two alike, is refused", () => {
    expect(removeMonitor(PEOPLE, "Shop", RULES)).toMatchObject({ code: "unknown-id" });
    const two = '{"id":"a","url":"http://a/"}\n{"id":"A","url":"http://a/"}';
    expect(removeMonitor(two, "a", RULES)).toMatchObject({ code: "by-hand" });
  });
});

describe("turning a page on or off", () => {
  test.skipIf(isFull).each([
    [PEOPLE, "shop", false, PEOPLE.replace("public: true", "public: false")],
    [PEOPLE, "blog", true, PEOPLE.replace("'Блог'\n", "'Блог'\n    public: true\n")],
    [PEOPLE, "last", true, PEOPLE.replace("id: last}", "id: last, public: true}")],
    [PEOPLE, "last", false, PEOPLE],
    [`\uFEFF${PEOPLE}`, "shop", false, `\uFEFF${PEOPLE.replace("public: true", "public: false")}`],
    [
      "monitors:\n- url: http://a/\n  id: shop",
      "shop",
      true,
      "monitors:\n- url: http://a/\n  id: shop\n  public: true\n",
    ],
    [
      "monitors:\n       - id: shop\n         url: http://a/\n",
      "shop",
      true,
      "monitors:\n       - id: shop\n         url: http://a/\n         public: true\n",
    ],
    [
      "monitors:\n  - id: shop\n    url: http://a/ # x\n# y\n",
      "shop",
      true,
      "monitors:\n  - id: shop\n    url: http://a/ # x\n    public: true\n# y\n",
    ],
    [
      "monitors:\n  - { id: shop, url: http://a/, # x\n    }\n",
      "shop",
      true,
      "monitors:\n  - { id: shop, url: http://a/, public: true, # x\n    }\n",
    ],
    [
      "monitors:\n  - url: http://a/\n    id: shop\n    body: |\n      text\n\n  # z",
      "shop",
      true,
      undefined,
    ],
    [
      '{"id":"shop","url":"http://a/" } ',
      "shop",
      true,
      '{"id":"shop","url":"http://a/","public":true } ',
    ],
    [
      '{"public" : false ,"id":"shop","url":"http://a/"}\r\n',
      "shop",
      true,
      '{"public" : true ,"id":"shop","url":"http://a/"}\r\n',
    ],
    [
      '{"name":"}","id":"shop","url":"http://a/","public":true}',
      "shop",
      false,
      '{"name":"}","id":"shop","url":"http://a/","public":false}',
    ],
  ])("of %j, monitor %s to %s", (before, id, isPublic, after) => {
    const edited = setPublic(before, id, isPublic, RULES);
    if (after === undefined) expect(edited).toMatchObject({ kind: "refused" });
    else {
      expect(textOf(edited)).toBe(after);
      expect(edited).toMatchObject({ monitor: { id, isPublic } });
    }
  });

  test.skipIf(isFull)("of an invalid entry is refused", () => {
    const text = '{"id":"a","url":"nowhere"}';
    expect(setPublic(text, "a", true, RULES)).toMatchObject({ code: "invalid" });
  });
});

/** A registry with the position of each entry. */
interface Sample {
  readonly text: string;
  readonly ids: readonly string[];
  readonly spans: readonly (readonly [start: number, end: number])[];
}

const WORDS = fc.stringMatching(/^[A-Za-zа-я0-9 ,:#'"{}[\]&*!|>%@`-]{1,12}$/u);
const quote = (text: string): string => JSON.stringify(text);
const name = WORDS.filter((text) => text.trim() !== "");
const isPublic = fc.constantFrom(undefined, true, false);
const comment = WORDS.map((text) => ` # ${text}`);
const maybeComment = fc.option(comment, { nil: "" });
const lineBreak = fc.constantFrom("\n", "\r\n");

interface Part {
  readonly name: string;
  readonly isPublic: boolean | undefined;
  readonly style: "flow" | "block" | "spread";
  readonly before: readonly string[];
  readonly trailing: string;
}
const part: fc.Arbitrary<Part> = fc.record({
  name,
  isPublic,
  style: fc.constantFrom("flow", "block", "spread"),
  before: fc.array(fc.oneof(fc.constant(""), comment), { maxLength: 2 }),
  trailing: maybeComment,
});

function writeEntry(one: Part, id: string, eol: string): string {
  const url = `url: https://${id}.example/`;
  const pub = one.isPublic === undefined ? [] : [`public: ${one.isPublic}`];
  const pairs = [`id: ${id}`, url, `name: ${quote(one.name)}`, ...pub];
  if (one.style === "flow") return `  - { ${pairs.join(", ")} }${one.trailing}${eol}`;
  if (one.style === "spread") {
    return `  - {${one.trailing}${eol}      ${pairs.join(`,${eol}      `)}${eol}    }${eol}`;
  }
  return `  - ${pairs.map((pair) => `${pair}${one.trailing}${eol}`).join("    ")}`;
}

function writeSample(parts: readonly Part[], eol: string, end: string): Sample {
  let text = `# head${eol}monitors:${eol}`;
  const spans = parts.map((one, index) => {
    text += one.before.map((line) => (line === "" ? eol : ` ${line}${eol}`)).join("");
    const start = text.length;
    text += writeEntry(one, `m${index}`, eol);
    return [start, text.length] as const;
  });
  return { text: text + end, ids: parts.map((_, index) => `m${index}`), spans };
}

const sample = fc
  .tuple(fc.array(part, { minLength: 1, maxLength: 6 }), lineBreak, fc.constantFrom("", "# end"))
  .map(([parts, eol, end]) => writeSample(parts, eol, end));

test("an edit changes no byte outside its entry, in any registry", () => {
  fc.assert(
    fc.property(sample, fc.nat(5), fc.boolean(), ({ text, ids, spans }, pick, toPublic) => {
      expect(idsOf(text)).toEqual(ids);
      const index = pick % ids.length;
      const id = ids[index] ?? "";
      const [start, end] = spans[index] ?? [0, 0];
      const head = text.slice(0, start);
      const tail = text.slice(end);

      expect(textOf(removeMonitor(text, id, RULES))).toBe(head + tail);

      const turned = textOf(setPublic(text, id, toPublic, RULES));
      expect(turned.startsWith(head)).toBe(true);
      expect(turned.endsWith(tail)).toBe(true);
      const before = parseMonitors(text, RULES).monitors;
      expect(parseMonitors(turned, RULES).monitors).toEqual(
        before.map((one) => (one.id === id ? { ...one, isPublic: toPublic } : one)),
      );
      const entry = text.slice(start, end);
      const inside = turned.slice(start, turned.length - tail.length);
      expect(inside.replace(/(?:, | {4})?public: (?:true|false)(?:\r?\n$)?/u, "").trim()).toBe(
        entry.replace(/(?:, | {4})?public: (?:true|false)(?:\r?\n$)?/u, "").trim(),
      );

      const added = textOf(addMonitor(text, { ...NEW, public: toPublic }, RULES));
      const at = spans.at(-1)?.[1] ?? 0;
      expect(added.startsWith(text.slice(0, at))).toBe(true);
      expect(added.endsWith(text.slice(at))).toBe(true);
      expect(idsOf(added)).toEqual([...ids, "new"]);
      expect(textOf(removeMonitor(added, "new", RULES))).toBe(text);
    }),
    { numRuns: atDepth(60, 400) },
  );
});

test("any name and expected text survives being added, in both formats", () => {
  // Texts that break unquoted YAML, and texts that YAML does not allow even in quotes.
  const odd = fc.constantFrom("# ", ": ", "- ", "'", "\uFFFE", "\uFFFF", "\uFEFF");
  const part = fc.oneof(
    { weight: 3, arbitrary: odd },
    { weight: 2, arbitrary: fc.string({ unit: "grapheme", minLength: 1, maxLength: 10 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", minLength: 1, maxLength: 10 }) },
  );
  const texts = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(""));
  // A name may contain fewer characters than a body.
  const key = fc.constantFrom("name", "body");
  fc.assert(
    fc.property(key, texts, fc.constantFrom("yaml", "json-lines"), (key, written, format) => {
      const edited = addMonitor("", { ...NEW, [key]: written }, RULES, format);
      if (edited.kind === "refused") {
        expect(edited.code).toBe("invalid");
        return;
      }
      expect(parseMonitors(edited.text, RULES).monitors).toEqual([edited.monitor]);
      if (format === "yaml") expect(edited.text).not.toMatch(UNFIT);
    }),
    { numRuns: atDepth(150, 1_000) },
  );
});

/** Source: YAML 1.2, section 5.1; some parsers read a mark inside a text as one of a file. */
const UNFIT = /[\uFEFF\uFFFE\uFFFF]/u;

test
  .skipIf(isFull)
  .each(["true", "null", "no", "123", "1e3", "0-", "_", "0x10", "y", "a-b", "__proto__"])(
  "the id %s stays a text in YAML",
  (id) => {
    expect(idsOf(textOf(addMonitor("", { ...NEW, id }, RULES)))).toEqual([id]);
  },
);

test.skipIf(isFull)("similar ids are suggested, letter case and beginnings first", () => {
  expect(findSimilarIds("Shop", ["blog", "shop"])).toEqual(["shop"]);
  expect(findSimilarIds("shp", ["blog", "shop"])).toEqual(["shop"]);
  expect(findSimilarIds("my-s", ["blog", "my-shop"])).toEqual(["my-shop"]);
  expect(findSimilarIds("zzz", ["blog", "my-shop"])).toEqual([]);
});

test("a line that would be over 65,536 characters long is left as it is", () => {
  // "public":true and its comma.
  const added = 14;
  const lineOf = (length: number): string => {
    const [start, end] = ['{"id":"a","url":"https://a.example/"', "}"];
    return `${start}${" ".repeat(length - start.length - end.length)}${end}`;
  };
  expect(setPublic(lineOf(65_536 - added), "a", true, RULES)).toMatchObject({ kind: "edited" });
  expect(setPublic(lineOf(65_537 - added), "a", true, RULES)).toMatchObject({ code: "by-hand" });
});
