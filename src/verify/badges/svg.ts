import { parseXml, type XmlElement } from "../site/parse-xml.ts";
import { decodeUtf8 } from "../api/json-document.ts";
import { unless } from "../finding.ts";

/** The properties of an SVG that are checked. */
export interface Svg {
  /** Active or external content, and a missing size; empty if there is none. */
  readonly problems: readonly string[];
  readonly role: string | undefined;
  readonly ariaLabel: string | undefined;
  /** Text of the `<title>` in the root. */
  readonly title: string | undefined;
  /** CSS pixels. */
  readonly size: readonly [width: number, height: number] | undefined;
}

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Parses bytes as an SVG picture, or says why they are none. Never throws. */
export function readSvg(body: Uint8Array): Svg | string {
  const source = decodeUtf8(body);
  if (source === undefined) return "the bytes are not UTF-8";
  const parsed = parseXml(source);
  if (parsed.kind === "not-well-formed") return `not well-formed: ${parsed.reason}`;
  const { name: rootName, attributes, children } = parsed.root;
  if (rootName !== "svg" || attributes.get("xmlns") !== NAMESPACE)
    return `the root is not <svg xmlns="${NAMESPACE}">`;
  const width = toPixels(attributes.get("width"));
  const height = toPixels(attributes.get("height"));
  const size = width === undefined || height === undefined ? undefined : ([width, height] as const);
  return {
    // Without a size, browsers choose the size of the <img>.
    problems: [
      ...findActive(parsed.root),
      ...unless(size !== undefined, "it has no width and height in pixels"),
    ],
    role: attributes.get("role"),
    ariaLabel: attributes.get("aria-label"),
    title: children.find(({ name }) => name === "title")?.text,
    size,
  };
}

function toPixels(text: string | undefined): number | undefined {
  const [, digits] = /^(\d+(?:\.\d+)?)(?:px)?$/u.exec(text ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Elements that run code or embed another document. A badge needs none of them. */
const ACTIVE = new Set(["script", "foreignobject", "iframe", "object", "embed", "handler"]);

/** Active content, and content that is loaded from elsewhere. */
function findActive(root: XmlElement): readonly string[] {
  const found = new Set<string>();
  const left = [root];
  for (let element = left.pop(); element !== undefined; element = left.pop()) {
    const name = localName(element.name);
    if (ACTIVE.has(name)) found.add(`has a <${name}>`);
    if (name === "style" && loadsByStyle(element.text)) found.add(ELSEWHERE);
    for (const [key, value] of element.attributes) {
      const problem = findAttributeProblem(localName(key), value);
      if (problem !== undefined) found.add(problem);
    }
    for (const child of element.children) left.push(child);
  }
  return [...found];
}

const ELSEWHERE = "loads something from elsewhere";

function findAttributeProblem(name: string, value: string): string | undefined {
  if (/^on[a-z]/u.test(name)) return "has an event handler";
  // Text for screen readers, which may contain anything.
  if (name.startsWith("aria-")) return undefined;
  // Browsers ignore white space and control characters there (URL Standard, "basic URL parser").
  if (/^javascript:/iu.test(value.replaceAll(/[\s\p{Cc}]/gu, ""))) {
    return "has a javascript: address";
  }
  const isAddress = name === "href" || name === "src";
  const isInside = /^(?:#|data:image\/(?:png|jpeg|gif|webp)[;,])/iu.test(value);
  return (isAddress && !isInside) || loadsByStyle(value) ? ELSEWHERE : undefined;
}

function loadsByStyle(text: string): boolean {
  return /@import|\burl\(\s*["']?\s*(?!["'#\s])/iu.test(text);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1).toLowerCase();
}
