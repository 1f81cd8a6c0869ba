import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { elementsOf, readXml } from "./read-xml.ts";

/**
 * A page as a tree. Our pages are well-formed XML as well as HTML, so a strict parser can read them. Throws if it cannot.
 */
export function parsePage(html: string): XmlElement {
  if (!html.startsWith("<!doctype html>")) throw new Error("no document type");
  return readXml(html.slice("<!doctype html>".length));
}

/** Elements with a class. */
export function byClass(root: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(root).filter((element) =>
    (element.attributes.get("class") ?? "").split(" ").includes(name),
  );
}

/** Elements with a name. */
export function byName(root: XmlElement, name: string): readonly XmlElement[] {
  return elementsOf(root).filter((element) => element.name === name);
}

/** The single element. Throws if there is none, or more than one. */
export function only(elements: readonly XmlElement[]): XmlElement {
  const [first, second] = elements;
  if (first === undefined || second !== undefined) {
    throw new Error(`${elements.length} elements instead of one`);
  }
  return first;
}

/** All text inside, not in document order. */
export function textOf(element: XmlElement): string {
  return element.text + element.children.map(textOf).join("");
}

/** The labels of a chart's scale or axis, in the order of the page. */
export function marksOf(chart: XmlElement, className: "scale" | "axis"): readonly unknown[] {
  return byName(only(byClass(chart, className)), "span").map(({ attributes }) =>
    attributes.get("data-label"),
  );
}

/** Names of elements and attributes, without texts and values. */
export function skeletonOf({ name, attributes, children }: XmlElement): string {
  return `<${name} ${[...attributes.keys()].join(" ")}>${children.map(skeletonOf).join("")}</>`;
}
