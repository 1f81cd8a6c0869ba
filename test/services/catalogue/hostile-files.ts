/** `part` repeated between `start` and `end`; the total length is about `size`. */
function fill(size: number, part: string, start = "", end = ""): string {
  return start + part.repeat(Math.floor((size - start.length - end.length) / part.length)) + end;
}

/** As `fill`, with a different part for each index. */
function number(size: number, make: (index: number) => string, start = "", end = ""): string {
  const parts: string[] = [];
  let length = start.length + end.length;
  for (let index = 0; length < size - 100; index += 1) {
    const part = make(index);
    parts.push(part);
    length += part.length;
  }
  return start + parts.join("") + end;
}

/** Files of about the given size, each designed to exhaust the time, memory or stack of a naive parser. */
export const HOSTILE_FILES: Readonly<Record<string, (size: number) => string>> = {
  "flow lists in flow lists": (size) => fill(size, "["),
  "closed flow lists in flow lists": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "flow mappings in flow mappings": (size) => fill(size, "{a: "),
  "block lists in block lists": (size) => fill(size, "- "),
  "block mappings by indentation": (size) => {
    let text = "";
    for (let depth = 0; text.length < size - 10_000; depth += 1) text += `${" ".repeat(depth)}a:\n`;
    return text;
  },
  "question marks": (size) => fill(size, "? "),
  "a million keys": (size) => number(size, (index) => `k${index}: 1\n`),
  "the same key over and over": (size) => fill(size, "a: 1\n"),
  "services that are all wrong": (size) => fill(size, "  - {}\n", "services:\n"),
  "services with many unknown keys": (size) =>
    number(size, (index) => `{k${index}: 1},`, "services: [", "]"),
  "one service with many unknown keys": (size) =>
    number(size, (index) => `k${index}: 1,`, "services: [{", "}]"),
  "a huge flow list": (size) => fill(size, "1,", "services: [", "]"),
  "a huge flow list of mappings": (size) => fill(size, "a: 1,", "[", "]"),
  "comments only": (size) => fill(size, "#\n"),
  "comments before a value": (size) => fill(size, "#\n", "a:\n", "  b"),
  "comments in a list": (size) => fill(size, "#\n", "- a\n", "- b\n"),
  "comments in a flow list": (size) => fill(size, "#\n", "[", "]"),
  "comments after a deeper key": (size) => fill(size, "  #\n", "a:\n  b: 1\n", "c: 1\n"),
  "comments of growing depth": (size) =>
    number(size, (index) => `${" ".repeat(index % 40)}#\n`, "a:\n  b:\n"),
  "empty lines": (size) => fill(size, "\n"),
  "empty lines in a value": (size) => fill(size, "\n", "a:\n  b: c\n", "  d: e\n"),
  spaces: (size) => fill(size, " "),
  tabs: (size) => fill(size, "\t", "a:"),
  "one long word": (size) => fill(size, "a"),
  "one long quoted text": (size) => fill(size, "a\\n", '"', '"'),
  "a quoted text never closed": (size) => fill(size, "x\n ", 'a: "'),
  "a quoted text of blanks": (size) => fill(size, " ", "a: '", "\n'"),
  quotes: (size) => fill(size, '"'),
  backslashes: (size) => fill(size, "\\", '"'),
  "a long plain text over lines": (size) => fill(size, "x\n  ", "a: "),
  "a long block text": (size) => fill(size, " x\n", "a: |\n"),
  "exclamation marks": (size) => fill(size, "!"),
  tags: (size) => fill(size, "!a "),
  anchors: (size) => number(size, (index) => `- &a${index} x\n`),
  aliases: (size) => fill(size, "*a,", "[&a x,", "]"),
  "an alias bomb": (size) =>
    number(
      size,
      (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]\n`,
      "a0: &a0 x\n",
    ),
  documents: (size) => fill(size, "---\n"),
  "document ends": (size) => fill(size, "...\n"),
  directives: (size) => fill(size, "%YAML 1.2\n"),
  colons: (size) => fill(size, ":"),
  "colons with blanks": (size) => fill(size, ": "),
  commas: (size) => fill(size, ",", "["),
  braces: (size) => fill(size, "{}"),
  "closing brackets": (size) => fill(size, "]"),
  "byte order marks": (size) => "\uFEFF".repeat(size / 3),
  "carriage returns": (size) => fill(size, "\r\n"),
  "a NUL at the end": (size) => fill(size, "a\n", "", "\0"),
  "mixed brackets": (size) => fill(size, "[{"),
  "lists on lines": (size) => fill(size, "-\n"),
  "keys without values": (size) => number(size, (index) => `${index}:\n`),
  "categories with long ids and services that nearly name one": (size) => nearMisses(size, 4_000),
  "many categories and services that nearly name one": (size) => nearMisses(size, 60),
};

/** One half has categories, the other services of unknown categories, with ids of about the same length. */
function nearMisses(size: number, length: number): string {
  const id = (index: number): string => "a".repeat(length - 5) + String(index).padStart(5, "0");
  const half = Math.min(size / 2, 2_000 * length);
  return (
    number(half, (index) => `- {id: ${id(index)}}\n`, "categories:\n") +
    number(half, (index) => `- {category: ${id(index)}bbb}\n`, "services:\n")
  );
}
