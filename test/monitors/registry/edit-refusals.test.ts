import { expect, test } from "vitest";
import {
  addMonitor,
  type Edited,
  removeMonitor,
  setPublic,
} from "../../../src/monitors/registry/edit.ts";

const RULES = { refusalOfUrl: () => undefined };
const NEW = { id: "new", url: "https://new.example/" };
const LINE = '{ id: new, url: "https://new.example/" }';
const SHOP = "monitors:\n  - { id: shop, url: https://shop.example/ }\n";

function textOf(edited: Edited<unknown>): string {
  return edited.kind === "edited" ? edited.text : `${edited.code}: ${edited.message}`;
}

const INVALID = '{"id":"a","url":"nowhere"}\n{"id":"b","url":"http://b/"}';
const ALIKE = '{"id":"a","url":"http://a/"}\n{"id":"A","url":"http://a/"}';
const MIB = 1024 * 1024;
const BY_HAND =
  "the file is written in a way that cannot be changed safely; edit it by hand, in docs/monitors/registry.md is how.";

test.each<readonly [string, Edited<unknown>, string]>([
  [
    "an unreadable file",
    addMonitor("monitor: []\n", NEW, RULES),
    "unreadable: the registry has to be fixed first: 1:1: monitors: missing; add this key.",
  ],
  [
    "an id that is taken",
    addMonitor(SHOP, { ...NEW, id: "SHOP" }, RULES),
    'taken: there is a monitor with the id "shop" already; use another id.',
  ],
  [
    "an id like an option",
    addMonitor(SHOP, { ...NEW, id: "-x" }, RULES),
    "invalid: id: begins with a hyphen, which commands take for an option; use another id.",
  ],
  ["an unknown id", removeMonitor(SHOP, "x", RULES), 'unknown-id: no monitor has the id "x".'],
  [
    "an id that two have",
    setPublic(ALIKE, "a", true, RULES),
    'by-hand: more than one entry has the id "a"; edit the file by hand.',
  ],
  [
    "an invalid entry",
    setPublic(INVALID, "a", true, RULES),
    'invalid: the entry "a" is left out because of a mistake in it; fix it first.',
  ],
  [
    "a full file",
    addMonitor('{"id":"a","url":"http://a/"}\n'.padEnd(64 * MIB), NEW, RULES),
    "by-hand: the registry is full; remove some monitors first.",
  ],
  [
    "a file that would be too large",
    addMonitor(SHOP.padEnd(4 * MIB, `#${"x".repeat(4_000)}\n`), NEW, RULES),
    `by-hand: ${BY_HAND} After the change: 1:1: the file is over 4194304 bytes; make it shorter.`,
  ],
  ["an unusual form", addMonitor("---\n...\n", NEW, RULES), `by-hand: ${BY_HAND}`],
])("%s is refused in words", (_, edited, words) => {
  expect(edited.kind).toBe("refused");
  expect(textOf(edited)).toBe(words);
});

test("each fault of a new monitor has its line", () => {
  const edited = addMonitor("", { ...NEW, id: "a b", url: "x" }, RULES);
  expect(
    textOf(edited)
      .split("\n")
      .map((line) => line.split(": ", 2)[0]),
  ).toEqual(["invalid", "url"]);
});

test("an edit beside invalid entries leaves them as they are", () => {
  expect(textOf(setPublic(INVALID, "b", true, RULES))).toBe(
    '{"id":"a","url":"nowhere"}\n{"id":"b","url":"http://b/","public":true}',
  );
  const yaml = "monitors:\n  - {id: a, url: nowhere}\n  - {id: b, url: 'http://b/'}\n";
  expect(textOf(setPublic(yaml, "b", true, RULES))).toBe(
    yaml.replace("'http://b/'", "'http://b/', public: true"),
  );
  expect(textOf(addMonitor(yaml, NEW, RULES))).toBe(`${yaml}  - ${LINE}\n`);
});
