import type { XmlElement } from "../../src/verify/xml.ts";
import { elementsOf, readXml } from "./read-xml.ts";

/**
 * A page as a tree. Our pages are well-formed XML besides being HTML, so a parser that knows nothing of HTML's indulgence reads
 * them. Throws where it cannot.
 */
export function parsePage(html: string): XmlElement {
  if (!html.startsWith("<!doctype html>")) throw new Error("no document type");
  return readXml(html.slice("<!doctype html>".length));
}

/** Elements that have a class. */
export function byClass(root: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(root).filter((element) =>
    (element.attributes.get("class") ?? "").split(" ").includes(name),
  );
}

/** Elements of a name. */
export function byName(root: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(root).filter((element) => element.name === name);
}

/** The only one of some elements. Throws when there is none, or more. */
export function only(elements: readonly XmlElement[]): XmlElement {
  const [first, second] = elements;
  if (first === undefined || second !== undefined) {
    throw new Error(`${elements.length} elements instead of one`);
  }
  return first;
}

/** All text inside, in no order that matters. */
export function textOf(element: XmlElement): string {
  return element.text + element.children.map(textOf).join("");
}

/** Names of elements and attributes, without any text: what a template alone decides. */
export function skeletonOf({ name, attributes, children }: XmlElement): string {
  return `<${name} ${[...attributes.keys()].join(" ")}>${children.map(skeletonOf).join("")}</>`;
}
