import { parseXml, type XmlElement } from "../../src/verify/site/parse-xml.ts";

/** The root of a document. Throws if it is not well-formed. */
export function readXml(text: string): XmlElement {
  const root = parseXml(text);
  if (typeof root === "string") throw new Error(root);
  return root;
}

/** All elements, in document order. */
export function elementsOf(root: XmlElement): readonly XmlElement[] {
  return [root, ...root.children.flatMap(elementsOf)];
}
