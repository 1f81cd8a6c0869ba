import { describe, expect, test } from "vitest";
import * as z from "zod";
import {
  checkedText,
  checkShape,
  ID_TEXT,
  refuseRepeated,
  strictMapping,
} from "../../src/yaml/check-shape.ts";
import { type Finding, formatPath, toProblems } from "../../src/yaml/problem.ts";
import { readYamlAs } from "../../src/yaml/read-yaml-as.ts";
import { readStrictYaml } from "../../src/yaml/strict-yaml.ts";

const at = ({ offset, path, message }: Finding) => [offset, formatPath(path), message];

describe("a strict document", () => {
  const findingsOf = (text: string) => {
    const read = readStrictYaml(text, 1_000);
    return [read.kind, ...read.findings.map(at)];
  };

  test("has plain values, without a prototype, with their offsets", () => {
    const read = readStrictYaml("a:\n  - x\n  - b: 1\nc:", 1_000);
    if (read.kind !== "read") throw new Error(read.kind);
    expect(read.root.value).toEqual({ a: ["x", { b: 1 }], c: null });
    expect(Object.getPrototypeOf(read.root.value)).toBeNull();
    const list = read.root.parts.get("a");
    expect([list?.offset, list?.node.offset]).toEqual([0, 5]);
    expect([...(list?.node.parts.values() ?? [])].map(({ offset }) => offset)).toEqual([7, 13]);
    expect(list?.node.parts.get(1)?.node.parts.get("b")?.node.offset).toBe(16);
    expect(read.root.parts.get("c")).toMatchObject({ offset: 18, node: { value: null } });
  });

  const NO_TEXT = "a key must be plain text; write it as a word before a colon.";

  test("has each key once, and none that attacks its reader", () => {
    const bad = "this key is not allowed; remove it.";
    expect(findingsOf("a: 1\nb: {a: 1, a: 2}\na: 3")).toEqual([
      "read",
      [15, "b.a", "duplicate key; remove one of the two."],
      [21, "a", "duplicate key; remove one of the two."],
    ]);
    for (const key of ["__proto__", "constructor", "prototype"])
      expect(findingsOf(`b:\n  ${key}: 1`)).toEqual(["read", [5, `b.${key}`, bad]]);
    expect(findingsOf("<<: {a: 1}")).toEqual([
      "read",
      [0, '["<<"]', "merge keys are not allowed; write the keys out here."],
    ]);
    expect(findingsOf("[a]: 1")).toEqual(["read", [0, "", NO_TEXT]]);
    expect(findingsOf("1: a")).toEqual(["read", [0, "", NO_TEXT]]);
  });

  test("without a value is empty", () => {
    for (const text of ["", "# a comment", "~"])
      expect(readStrictYaml(text, 100)).toMatchObject({ kind: "read", root: { value: null } });
  });

  test("is read as YAML 1.2, whatever its directives say", () => {
    expect(readStrictYaml("%YAML 1.1\n---\na: yes", 100)).toMatchObject({
      findings: [{ offset: 0, message: "% directives are not allowed; remove this line." }],
      root: { value: { a: "yes" } },
    });
  });

  test.each([
    [
      "a: b: c",
      3,
      "Nested mappings are not allowed in compact mappings",
      "put the nested value on a line of its own, or quote the text",
    ],
    ["a:\n\t- b", 3, "Tabs are not allowed as indentation", "indent with spaces, not with tabs"],
    [
      "a:\n  b: 1\n c: 2",
      10,
      "All mapping items must start at the same column",
      "make the indentation of this line match its neighbours",
    ],
    ['a: "\\q"', 4, "Invalid escape sequence \\q", "double the backslash, or use single quotes"],
    ['a: "b', 5, 'Missing closing "quote', "add what is missing, or quote the text"],
    [
      "a\nb: c",
      0,
      "Implicit keys need to be on a single line",
      "put a key and its colon on one line",
    ],
    [
      "- a\nb",
      4,
      "Unexpected scalar at node end",
      "quote the text, or remove the extra characters",
    ],
    ["a: @b", 3, "Plain value cannot start with reserved character @", "rewrite this place"],
  ])("%j is no YAML, and its usual fix is told", (text, offset, said, hint) => {
    expect(findingsOf(text)).toEqual([
      "unreadable",
      [offset, "", `not valid YAML (${said}); ${hint}.`],
    ]);
  });

  test("that cannot be read says where and why, with what is refused before", () => {
    expect(findingsOf("a: *b\nc: @d")).toEqual([
      "unreadable",
      [3, "", "aliases are not allowed; write the value out here."],
      [9, "", expect.stringMatching(/^not valid YAML \(Plain value/u)],
    ]);
    expect(findingsOf("a\u0000")).toEqual([
      "unreadable",
      [1, "", expect.stringContaining("U+0000")],
    ]);
    expect(findingsOf("a\n---\nb")).toEqual([
      "unreadable",
      [2, "", expect.stringContaining("a second document")],
    ]);
    expect(readStrictYaml("abc", 2).kind).toBe("unreadable");
    expect([2, 5].map((most) => readStrictYaml("a: 1", 100, most).kind)).toEqual([
      "unreadable",
      "unreadable",
    ]);
    expect(readStrictYaml("a: 1", 100, 50).kind).toBe("read");
  });
});

describe("a whole file of one shape", () => {
  const SHAPE = strictMapping({ id: ID_TEXT });
  const read = (text: string, more?: readonly Finding[], maxBytes = 1_000) => {
    const file = readYamlAs(text, maxBytes, SHAPE, more && (() => more));
    return file.kind === "ok"
      ? file.value
      : file.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
  };

  test("has its value, and its problems can still be placed", () => {
    expect(read("id: a")).toEqual({ id: "a" });
    const file = readYamlAs("\nid: a", 100, SHAPE);
    if (file.kind !== "ok") throw new Error(file.kind);
    expect(file.root.value).toEqual({ id: "a" });
    expect(file.problemsOf([{ offset: 5, path: ["id"], message: "taken." }])).toEqual([
      { line: 2, column: 5, path: "id", message: "taken." },
    ]);
  });

  test("has the problems of the text, the shape and the caller, in the order of the text", () => {
    expect(read("id: a", [{ offset: 4, path: [], message: "taken." }])).toEqual(["1:5 taken."]);
    expect(read("x: *b\nid: A", [{ offset: 0, path: [], message: "bad." }])).toEqual([
      "1:1 unknown key; remove it, or use one of id.",
      "1:1 bad.",
      "1:4 aliases are not allowed; write the value out here.",
      "2:5 not an id; use lowercase letters and digits, in groups joined by single hyphens.",
    ]);
    expect(read("id: @a")).toHaveLength(1);
    expect(read("id: a", [], 4)).toEqual(["1:1 the file is over 4 bytes; make it shorter."]);
  });

  test("is given to the caller with its value, or without one if it has another shape", () => {
    const seen: unknown[] = [];
    for (const text of ["id: a", "id: A"])
      readYamlAs(text, 100, SHAPE, (root, value) => {
        seen.push([root.value, value]);
        return [];
      });
    expect(seen).toEqual([
      [{ id: "a" }, { id: "a" }],
      [{ id: "A" }, undefined],
    ]);
  });
});

test("an id has 1 to 32 characters", () => {
  const problemOf = (id: string) => ID_TEXT.safeParse(id).error?.issues.map((one) => one.message);
  for (const id of ["a", "a-1", "x".repeat(32)]) expect(problemOf(id)).toBeUndefined();
  expect(problemOf("x".repeat(33))).toEqual(["is 33 characters long; use at most 32."]);
  for (const id of ["", "-a", "a--b", "A", "a b", "я"])
    expect(problemOf(id)).toEqual([
      "not an id; use lowercase letters and digits, in groups joined by single hyphens.",
    ]);
});

test("of items with the same id or name, each but the first is refused", () => {
  const item = z.object({ id: z.string(), name: z.string() });
  const list = z.array(item).check(refuseRepeated<z.infer<typeof item>>("place", "id", "name"));
  const issuesOf = (...items: readonly (readonly [string, string])[]) =>
    list
      .safeParse(items.map(([id, name]) => ({ id, name })))
      .error?.issues.map(({ path, message }) => [formatPath(path), message]);
  expect(issuesOf(["a", "x"], ["b", "y"])).toBeUndefined();
  const message = (key: string) => `another place has the same ${key}; each needs its own.`;
  expect(issuesOf(["a", "x"], ["a", "y"], ["b", "x"], ["a", "z"])).toEqual([
    ["[1].id", message("id")],
    ["[3].id", message("id")],
    ["[2].name", message("name")],
  ]);
});

describe("a shape", () => {
  const SHAPE = strictMapping({
    name: z.string(),
    kind: z.exactOptional(z.enum(["moscow", "region"])),
    ports: z.exactOptional(z.array(z.int())),
    word: z.exactOptional(checkedText((text) => (text === "bad" ? "is bad." : undefined))),
    isOn: z.exactOptional(z.boolean()),
    inner: z.exactOptional(strictMapping({ one: z.string() })),
    gone: z.exactOptional(z.null()),
  });
  const shapeOf = (text: string) => {
    const read = readStrictYaml(text, 1_000);
    if (read.kind !== "read") throw new Error(read.kind);
    const shaped = checkShape(read.root, SHAPE);
    return shaped.kind === "ok" ? shaped.value : shaped.findings.map(at);
  };

  test("that fits gives its value", () => {
    expect(shapeOf("name: a\nports: [1]")).toEqual({ name: "a", ports: [1] });
  });

  test.each([
    ["kind: moscow", [[0, "name", "missing; add this key."]]],
    ["name: 5", [[6, "name", "expected text but found a number; put it in quotes."]]],
    ["name: true", [[6, "name", "expected text but found true or false; put it in quotes."]]],
    ["name: [a]", [[6, "name", "expected text but found a list; write text here."]]],
    ["name:", [[5, "name", "expected text but found nothing; write text here."]]],
    [
      "name: a\nports: 1",
      [[15, "ports", "expected a list but found a number; write a list here."]],
    ],
    [
      "name: a\nports: [1, b]",
      [[19, "ports[1]", "expected a number but found text; write a number here."]],
    ],
    [
      "name: a\nkind: moskow",
      [[14, "kind", 'not a known value; did you mean "moscow"? Write one of moscow, region.']],
    ],
    [
      "name: a\nports: [1.5]",
      [[16, "ports[0]", "expected a whole number but found a number; write a whole number here."]],
    ],
    [
      "name: a\nisOn: 1",
      [[14, "isOn", "expected true or false but found a number; write true or false here."]],
    ],
    [
      "name: a\nisOn: {b: 1}",
      [
        [
          14,
          "isOn",
          "expected true or false but found a mapping of keys to values; write true or false here.",
        ],
      ],
    ],
    ["name: a\ngone: b", [[14, "gone", "expected null but found text; write null here."]]],
    ["name: a\nkind: 5", [[14, "kind", "not a known value; write one of moscow, region."]]],
    ["name: a\ninner: {}", [[15, "inner.one", "missing; add this key."]]],
    [
      "name: a\ninner: {one: b, onf: c}",
      [[24, "inner.onf", 'unknown key; did you mean "one"? Remove it or rename it.']],
    ],
    ["name: a\nkind: abroad", [[14, "kind", "not a known value; write one of moscow, region."]]],
    [
      "name: a\nprots: 1",
      [[8, "prots", 'unknown key; did you mean "ports"? Remove it or rename it.']],
    ],
    [
      "name: a\nx: 1\ny: 2",
      [
        [
          8,
          "x",
          "unknown key; remove it, or use one of name, kind, ports, word, isOn, inner, gone.",
        ],
        [
          13,
          "y",
          "unknown key; remove it, or use one of name, kind, ports, word, isOn, inner, gone.",
        ],
      ],
    ],
    ["name: a\nword: bad", [[14, "word", "is bad."]]],
    [
      "- a",
      [
        [
          0,
          "",
          "expected a mapping of keys to values but found a list; write a mapping of keys to values here.",
        ],
      ],
    ],
  ])("%j", (text, findings) => {
    expect(shapeOf(text)).toEqual(findings);
  });

  test("says nothing more of a part that is refused already", () => {
    expect(shapeOf("name: *x")).toEqual([]);
    expect(shapeOf("name: a\nports: [*x, b]")).toHaveLength(1);
    expect(shapeOf("name: a\ninner: *x")).toEqual([]);
  });
});

test("a path is written as people write it", () => {
  expect(formatPath([])).toBe("");
  expect(formatPath(["a", 3, "b-c", 0])).toBe("a[3].b-c[0]");
  expect(formatPath(["a b", "c"])).toBe('["a b"].c');
  expect(formatPath(["x".repeat(60)])).toBe("x".repeat(60));
  expect(formatPath(["x".repeat(61)])).toBe(`["${"x".repeat(60)}"]`);
});

describe("problems", () => {
  const findingAt = (offset: number): Finding => ({ offset, path: ["a"], message: "bad" });

  test("are in the order of the text, by line and column from 1", () => {
    const text = "ab\nc\n\nd";
    const problems = toProblems(text, [7, 0, 2, 3, 1, 5, 6].map(findingAt));
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 1],
      [3, 1],
      [4, 1],
      [4, 2],
    ]);
    expect(problems[0]).toMatchObject({ path: "a", message: "bad" });
  });

  test("are at most 100, and one that counts the others", () => {
    const many = (count: number) => Array.from({ length: count }, (_, offset) => findingAt(offset));
    const text = "x".repeat(200);
    expect(toProblems(text, many(100))).toHaveLength(100);
    expect(toProblems(text, many(100), 5)).toHaveLength(100);
    const shown = toProblems(text, many(103), 5);
    expect(shown).toHaveLength(101);
    expect(shown.at(-1)).toEqual({
      line: 1,
      column: 101,
      path: "",
      message: "8 more problems are not shown; fix these first.",
    });
  });
});
