import { describe, expect, test } from "vitest";
import * as z from "zod";
import { checkedText, checkShape, strictMapping } from "../../src/yaml/check-shape.ts";
import { type Finding, formatPath, toProblems } from "../../src/yaml/problem.ts";
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

  test("that cannot be read says where and why", () => {
    expect(findingsOf("a: b: c")).toEqual([
      "unreadable",
      [3, "", expect.stringContaining("put the nested value on a line of its own")],
    ]);
    expect(findingsOf("a:\n\t- b")).toEqual([
      "unreadable",
      [3, "", expect.stringContaining("indent with spaces, not with tabs")],
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

describe("a shape", () => {
  const SHAPE = strictMapping({
    name: z.string(),
    kind: z.exactOptional(z.enum(["moscow", "region"])),
    ports: z.exactOptional(z.array(z.int())),
    word: z.exactOptional(checkedText((text) => (text === "bad" ? "is bad." : undefined))),
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
    ["name: a\nkind: abroad", [[14, "kind", "not a known value; write one of moscow, region."]]],
    [
      "name: a\nprots: 1",
      [[8, "prots", 'unknown key; did you mean "ports"? Remove it or rename it.']],
    ],
    [
      "name: a\nx: 1\ny: 2",
      [
        [8, "x", "unknown key; remove it, or use one of name, kind, ports, word."],
        [13, "y", "unknown key; remove it, or use one of name, kind, ports, word."],
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
