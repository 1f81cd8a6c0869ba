import { expect, test } from "vitest";
import { readJsonLine } from "../../../src/monitors/registry/json-lines.ts";

/** Where the line begins in its file. */
const START = 100;

/** What is wrong with a line, and at which of its characters. */
function faultOf(line: string): readonly [at: number, message: string] | undefined {
  const read = readJsonLine(line, START);
  if (read.kind === "read") return undefined;
  expect(read.finding.path).toEqual([]);
  return [read.finding.offset - START, read.finding.message];
}

const PLAIN = "not valid JSON here; write a text in quotes, a number, true or false.";
const COMMA = "not valid JSON here; put a comma or close the object.";
const QUOTES = "not a valid JSON text; close its quotes, and escape what needs it.";
const NO_OBJECT = "not a JSON object; write one object a line, in braces.";

test.each<readonly [string, number, string]>([
  ["[]", 0, NO_OBJECT],
  ["  null", 2, NO_OBJECT],
  ["", 0, NO_OBJECT],
  ['{"a":1} {}', 8, "something stands after the object; write one object a line."],
  ['{"a', 1, QUOTES],
  ['{"a":"\\x"}', 5, QUOTES],
  ['{"a":"b\tc"}', 5, QUOTES],
  ["{a:1}", 1, "not valid JSON here; write a key in quotes."],
  ['{"a":1, }', 8, "not valid JSON here; write a key in quotes."],
  ['{"a" 1}', 5, "not valid JSON here; put a colon after the key."],
  ['{"a":}', 5, PLAIN],
  ['{"a":tru}', 5, PLAIN],
  ['{"a":-}', 5, PLAIN],
  ['{"a":[1,]}', 8, PLAIN],
  ['{"a":01}', 6, COMMA],
  ['{"a":1.}', 6, COMMA],
  ['{"a":1 "b":2}', 7, COMMA],
  ['{"a":[1 2]}', 8, "not valid JSON here; put a comma or close the list."],
  ['{"a":[1', 7, "not valid JSON here; put a comma or close the list."],
])("%j is broken at its character %i: %s", (line, at, message) => {
  expect(faultOf(line)).toEqual([at, message]);
});

test("a line has its values and the place of each", () => {
  const line = ' { "a" : [ -1.5e3, true,false,null ],"b":{"c":"\\u0041\\"","d":[]},"e":{} }\r';
  const read = readJsonLine(line, START);
  if (read.kind === "broken") throw new Error(read.finding.message);
  expect(JSON.stringify(read.root.value)).toBe(
    '{"a":[-1500,true,false,null],"b":{"c":"A\\"","d":[]},"e":{}}',
  );
  expect(read.findings).toEqual([]);
  expect([read.root.offset, read.root.isRefused]).toEqual([START + 1, false]);
  const a = read.root.parts.get("a");
  expect([a?.offset, a?.node.offset]).toEqual([START + 3, START + 9]);
  expect(a?.node.parts.get(1)?.node).toMatchObject({ value: true, offset: START + 19 });
  expect(a?.node.parts.get(1)?.node.isRefused).toBe(false);
});

test("the first of two equal keys stays, and a dangerous key is left out", () => {
  const read = readJsonLine('{"a":{"b":1,"b":2},"__proto__":{},"<<":1}', START);
  if (read.kind === "broken") throw new Error(read.finding.message);
  expect(JSON.stringify(read.root.value)).toBe('{"a":{"b":1}}');
  expect(read.findings).toEqual([
    { offset: START + 12, path: ["a", "b"], message: "duplicate key; remove one of the two." },
    { offset: START + 19, path: ["__proto__"], message: "this key is not allowed; remove it." },
    {
      offset: START + 34,
      path: ["<<"],
      message: "merge keys are not allowed; write the keys out here.",
    },
  ]);
});

test("values are nested four deep at most", () => {
  expect(faultOf('{"a":[[[1]]]}')).toBeUndefined();
  expect(faultOf('{"a":[[[[1]]]]}')).toEqual([
    9,
    "values are nested over 4 deep here; flatten them.",
  ]);
});

test("a list has a thousand values at most", () => {
  const listOf = (length: number): string => `{"a":[${Array(length).fill("1").join()}]}`;
  expect(faultOf(listOf(1_000))).toBeUndefined();
  expect(faultOf(listOf(1_001))).toEqual([2_006, "the list is too long; shorten it."]);
});

test("an object has four keys more than a monitor at most, equal ones included", () => {
  const objectOf = (keys: number): string => `{${Array(keys).fill('"a":1').join()}}`;
  expect(faultOf(objectOf(12))).toBeUndefined();
  expect(faultOf(objectOf(13))).toEqual([73, "the object has too many keys; remove some."]);
});

test("a line has 65,536 characters at most", () => {
  const lineOf = (length: number): string => "{}".padEnd(length);
  expect(faultOf(lineOf(65_536))).toBeUndefined();
  expect(faultOf(lineOf(65_537))).toEqual([
    0,
    "the line is over 65536 characters long; shorten it.",
  ]);
});
