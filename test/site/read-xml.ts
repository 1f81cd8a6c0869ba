import { parseXml, type XmlElement } from "../../src/verify/site/parse-xml.ts";

/** The root of a document. Throws if it is not well-formed. */
export function readXml(text: string): XmlElement {
  const parsed = parseXml(text);
  if (parsed.kind === "not-well-formed") throw new Error(parsed.reason);
  return parsed.root;
}

/** All elements, in document order. */
export function elementsOf(root: XmlElement): readonly XmlElement[] {
  return [root, ...root.children.flatMap(elementsOf)];
}
