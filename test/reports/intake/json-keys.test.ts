import fc from "fast-check";
import { expect, test } from "vitest";
import { keysOf } from "../../../src/reports/intake/parse-symptom.ts";

test.each([
  ["{}", []],
  ['{"a":1,"b":2,"a":3}', ["a", "b", "a"]],
  ['{"symptom":"slow","\\u0073ymptom":"app"}', ["symptom", "symptom"]],
  ['{"a":"\\"symptom\\":","b\\\\":{"symptom":1},"c":[{"symptom":2}]}', ["a", "b\\", "c"]],
  [' {\n"a" :\t"}" , "b":"{" }', ["a", "b"]],
  ['{"":1,"\\n":2}', ["", "\n"]],
])("the keys of %s", (text, keys) => {
  expect(keysOf(text)).toEqual(keys);
});

/** Values with characters that look like structure. */
const VALUES: readonly unknown[] = [
  null,
  -1.5e-7,
  "",
  '"',
  "\\",
  '\\"symptom":',
  "}{][,:",
  "\u0000\ud800",
  { symptom: { symptom: [] } },
  [[{ symptom: 1 }], '"'],
];
const VALUE = fc.constantFrom(...VALUES);
const KEY = fc.oneof(fc.string({ unit: "binary", maxLength: 4 }), fc.constantFrom('"', "\\", ":"));

test("an object with unique keys has exactly these, in any notation", () => {
  fc.assert(
    fc.property(fc.dictionary(KEY, VALUE), fc.nat({ max: 3 }), (value, indent) => {
      expect(keysOf(JSON.stringify(value, undefined, indent))).toEqual(Object.keys(value));
    }),
  );
});

test("a duplicate key is found twice, in any context and with any escapes", () => {
  const escaped = [..."symptom"].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("");
  fc.assert(
    fc.property(fc.array(fc.tuple(KEY, VALUE)), (pairs) => {
      const others = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
      const text = `{${['"symptom":1', ...others, `"${escaped}":2`].join(",")}}`;
      expect(JSON.parse(text)).toMatchObject({ symptom: 2 });
      expect(keysOf(text).filter((key) => key === "symptom")).toHaveLength(2);
    }),
  );
});
