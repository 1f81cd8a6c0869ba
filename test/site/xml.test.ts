import fc from "fast-check";
import { expect, test } from "vitest";
import { element, toXmlDocument } from "../../src/site/xml.ts";
import { readXml } from "./read-xml.ts";

/** Any UTF-16, including lone surrogates and characters that XML forbids. */
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xff_ff })).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("]]>", "<!--", "&amp;", "&#0;", "\uD800", "\uFFFE\u0000\u001B", '\r\n\t"'),
);

/** XML 1.0, section 2.2, written differently from the code. */
function isAllowed(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return [0x9, 0xa, 0xd].includes(code);
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}

test("any text survives, except for characters that XML forbids", () => {
  fc.assert(
    fc.property(anyText, anyText, (text, value) => {
      const root = element("a", { b: value }, element("c", {}, text), element("d", {}));
      const { attributes, children } = readXml(toXmlDocument(root));
      const expected = (put: string): string =>
        Array.from(put, (character) => (isAllowed(character) ? character : "\uFFFD")).join("");
      expect(attributes).toEqual(new Map([["b", expected(value)]]));
      expect(children.map(({ name }) => name)).toEqual(["c", "d"]);
      expect(children[0]?.text).toBe(expected(text));
    }),
    { numRuns: 1_000 },
  );
});

test("white space that a parser would normalise is written as a reference", () => {
  const { markup } = element("a", { b: "1\n2\t3\r\n4" }, "5\r\n6");
  expect(markup).toBe('<a b="1&#10;2&#9;3&#13;&#10;4">5&#13;&#10;6</a>');
});
