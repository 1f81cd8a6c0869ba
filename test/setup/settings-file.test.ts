import { expect, test } from "vitest";
import { attributeOf, keyOf } from "../../src/setup/options/option-row.ts";
import { ALL_ROWS } from "../../src/setup/options/options.ts";
import { parseSettings, readSettingsFile } from "../../src/setup/options/settings-file.ts";
import { findGiven, type Sources } from "../../src/setup/options/sources.ts";

const parse = (text: string) => parseSettings("site.yaml", text);

/** What is given for the option of a key, and the problems. */
function give(
  key: string,
  { file = "", ...sources }: Partial<Omit<Sources, "file">> & { file?: string },
) {
  const read = parse(file);
  if ("problem" in read) throw new Error(read.problem);
  const problems: string[] = [];
  const all = { flags: {}, env: {}, ...sources, file: read.value };
  const found = findGiven(ALL_ROWS, all, (problem) => void problems.push(problem));
  const row = ALL_ROWS.find((one) => keyOf(one) === key || attributeOf(one) === key);
  return { ...(row && found.get(row)), problems };
}

test("each source wins over those after it: flag, --set, environment, file", () => {
  const file = "log: json\nstore: file:d\n";
  const env = { STATUS_SNAPSHOT_STORE: "file:c" };
  const set = { set: ["store=file:b"] };
  expect(give("store", { file })).toEqual({ given: "file:d", from: "site.yaml:2:1", problems: [] });
  expect(give("store", { file, env })).toMatchObject({
    given: "file:c",
    from: "STATUS_SNAPSHOT_STORE",
  });
  expect(give("store", { file, env, flags: set })).toMatchObject({
    given: "file:b",
    from: "--set",
  });
  expect(give("store", { file, env, flags: { ...set, store: "file:a" } })).toMatchObject({
    given: "file:a",
    from: "--store",
  });
  expect(give("store", {})).toMatchObject({ given: undefined, from: undefined });
});

test("values of a file are the texts that options read", () => {
  expect(give("keepArchive", { file: "keepArchive: 90" }).given).toBe("90");
  expect(give("selfService", { file: "selfService: true" }).given).toBe("on");
  expect(give("reports", { file: "reports: off" }).given).toBe("off");
  expect(give("allowPort", { file: "allowPort: [8080, 8081]" }).given).toEqual(["8080", "8081"]);
  expect(give("allowPort", { file: "allowPort: 8080, 8081" }).given).toEqual(["8080", "8081"]);
  expect(give("people", { file: "" }).given).toBeUndefined();
  expect(give("about", { file: "about: { operator: Ирина }" }).given).toEqual({
    operator: "Ирина",
  });
});

test("a variable may have several values, and an empty one is not set", () => {
  const anchor = (text: string) => give("anchor", { env: { STATUS_SNAPSHOT_ANCHOR: text } }).given;
  expect(anchor("a, b c")).toEqual(["a", "b", "c"]);
  expect(anchor("")).toBeUndefined();
});

test("switches of the environment are true or false", () => {
  const audit = (text: string) => give("audit", { env: { STATUS_SNAPSHOT_AUDIT: text } });
  expect(audit("true")).toMatchObject({ given: true, problems: [] });
  expect(audit("0")).toMatchObject({ given: undefined, problems: [] });
  expect(audit("")).toMatchObject({ given: undefined, problems: [] });
  expect(audit("yes").problems).toEqual([
    "--audit: STATUS_SNAPSHOT_AUDIT is yes; give true or false.",
  ]);
  expect(give("services", { env: { STATUS_SNAPSHOT_NO_SERVICES: "1" } }).given).toBe(false);
});

test.each([
  [
    "keepArchve=90",
    "--set keepArchve: this command has no such setting; did you mean keepArchive?",
  ],
  [
    "heartbeatUrl=https://x",
    "--set heartbeatUrl: this command has no such setting; `config` lists them.",
  ],
  ["keepArchive", "--set keepArchive: write KEY=VALUE, such as keepArchive=90."],
])("--set %s is refused", (text, problem) => {
  expect(give("store", { flags: { set: [text] } }).problems).toEqual([problem]);
});

test("--set given twice: the last, or both of a repeatable one", () => {
  const set = (...texts: readonly string[]) => ({ flags: { set: texts } });
  expect(give("keepArchive", set("keepArchive=90", "keepArchive=100")).given).toBe("100");
  expect(give("anchor", set("anchor=a,b", "anchor=c")).given).toEqual(["a", "b", "c"]);
});

const ONE_VALUE = "write one value here: text, a number, true or false.";

test.each([
  ["stoer: x", '1:1: stoer: unknown key; did you mean "store"?'],
  ["store: { a: b }", `1:8: store: ${ONE_VALUE}`],
  ["keepArchive: [1]", `1:14: keepArchive: ${ONE_VALUE}`],
  ["allowPort: [[1]]", "1:12: allowPort: write one value here, or a list."],
  ["store:", `store: ${ONE_VALUE}`],
  ["- a", "1:1: expected a mapping of keys to values but found a list"],
  ["store: a\nstore: b", "2:1:"],
  ["store: [", "site.yaml:1:"],
  ["audit: true", "1:1: audit: unknown key"],
  ["settings: other.yaml", "1:1: settings: unknown key"],
  [
    "heartbeatUrl: https://x/",
    "1:1: heartbeatUrl: this is a secret: remove it here, and set the variable STATUS_SNAPSHOT_HEARTBEAT_URL.",
  ],
  ["about: { operator: [a] }", "1:20: about.operator: expected text but found a list"],
  ["about: { operator: ' ' }", "about.operator: is empty; write something here."],
  [
    "about: { contact: javascript:alert(1) }",
    "about.contact: write a URL such as https://example.ru/",
  ],
  ["about: { source: 'mailto:a b@c' }", "about.source: write a URL such as"],
  ["about: { contakt: x }", '1:10: about.contakt: unknown key; did you mean "contact"?'],
  [
    "about: { follow: { telegram: t.me/x } }",
    "about.follow.telegram: write the URL of a channel such as",
  ],
  ["about: { follow: { max: 'http://max.ru/x' } }", "about.follow.max: write the URL of a channel"],
  ["about: { follow: { viber: https://v.example/ } }", "about.follow.viber: unknown key"],
  [
    "about: { follow: { categories: { Banks: {} } } }",
    "about.follow.categories.Banks: not the id of a category",
  ],
  [
    "about: { follow: { categories: { banks: { email: a } } } }",
    "about.follow.categories.banks.email: unknown key",
  ],
])("%j is refused with its place", (text, message) => {
  const read = parse(text);
  expect(read).toEqual({ problem: expect.stringMatching(/^site\.yaml:\d+:\d+: /u) });
  expect(read).toEqual({ problem: expect.stringContaining(message) });
});

test("every problem of a file is said at once", () => {
  const read = parse("stoer: x\nheartbeatUrl: https://x/\nkeepArchive: {}\n");
  expect("problem" in read && read.problem.split("\n")).toHaveLength(3);
});

test("a file that cannot be read as YAML sets nothing, and only its fault is said", () => {
  const read = parse("stoer: x\nstore: [");
  expect("problem" in read && read.problem).not.toContain("stoer: unknown key");
  expect("problem" in read && read.problem.split("\n")).toHaveLength(1);
});

test.each(["", "# nothing\n", "{}\n"])("the file %j sets nothing", (text) => {
  expect(parse(text)).toEqual({ value: new Map() });
});

test("a missing file is told by its option", async () => {
  expect(await readSettingsFile("/nowhere/site.yaml")).toEqual({
    problem: "--settings /nowhere/site.yaml: the file does not exist.",
  });
});
