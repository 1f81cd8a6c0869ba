import { describe, expect, test } from "vitest";
import { readYamlTokens } from "../../src/yaml/yaml-tokens.ts";

function read(text: string, maxLexemes = 100_000) {
  const { kind, findings } = readYamlTokens(text, maxLexemes);
  return [kind, ...findings.map(({ offset, message }) => [offset, message])];
}

test.each([
  ["a: *b", 3, "aliases are not allowed; write the value out here."],
  ["a: &b 1", 3, "anchors are not allowed; remove it and write values out where they are used."],
  ["- !t x", 2, "tags are not allowed; remove it and write the plain value."],
  ["%YAML 1.2\n---\na", 0, "% directives are not allowed; remove this line."],
])("%j is refused at %i", (text, offset, message) => {
  expect(read(text)).toEqual(["tokens", [offset, message]]);
});

test("a second document is refused where it begins", () => {
  const message =
    "a second document begins here; a file holds one, so remove this line and what follows.";
  expect(read("a\n---\nb")).toEqual(["refused", [2, message]]);
  expect(read("a\n...\nb")).toEqual(["refused", [6, message]]);
  expect(read("---\na\n---\n")).toEqual(["refused", [6, message]]);
  for (const text of [
    "---\na",
    "# c\n---\na",
    "a\n...\n# c\n \n",
    "a\n...\n...\n",
    "a\n...\n\uFEFF# c",
  ])
    expect([text, ...read(text)]).toEqual([text, "tokens"]);
});

describe("at a bound,", () => {
  test("a word has at most 4,096 characters", () => {
    expect(read(`a: ${"b".repeat(4_096)}`)).toEqual(["tokens"]);
    expect(read(`a: ${"b".repeat(4_097)}`)).toEqual([
      "refused",
      [3, "a single word, text or comment is over 4096 characters long; shorten it."],
    ]);
  });

  test("values are nested at most 16 deep", () => {
    expect(read(`${"[".repeat(16)}${"]".repeat(16)}`)).toEqual(["tokens"]);
    expect(read(`${"[".repeat(17)}${"]".repeat(17)}`)).toEqual([
      "refused",
      [16, "values are nested over 16 deep here; flatten them."],
    ]);
  });

  test("a file has at most as many words and marks as it may", () => {
    // Two marks of the library, a word, and the end of the line.
    const least = Array.from({ length: 20 }, (_, at) => at).find(
      (most) => read("a\n", most)[0] === "tokens",
    );
    expect(least).toBe(4);
    expect(read("a\n", 3)).toEqual([
      "refused",
      [1, "the file has over 3 words and marks; make it shorter."],
    ]);
  });

  test("a file has at most 50,000 words and marks, unless a caller says otherwise", () => {
    const ends = (count: number) => readYamlTokens("\n".repeat(count)).kind;
    expect([ends(50_000), ends(50_001)]).toEqual(["tokens", "refused"]);
  });

  test("a file with more than 100 syntax errors is no YAML", () => {
    expect(read("]\n".repeat(100))).toEqual(["tokens"]);
    expect(read("]\n".repeat(101))).toEqual([
      "refused",
      [200, "the file is not YAML; start again from an example that works."],
    ]);
  });

  test("at most 50 findings are kept before that of an exceeded bound", () => {
    const aliases = (count: number): string => "- *a\n".repeat(count) + "- ".padEnd(4_200, "b");
    expect(read(aliases(50))).toHaveLength(52);
    expect(read(aliases(51))).toHaveLength(52);
    expect(read(aliases(49))).toHaveLength(51);
  });
});
