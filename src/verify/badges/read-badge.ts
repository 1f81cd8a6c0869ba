import { readUtf8, parseObject, readAs } from "../api/json-document.ts";
import { SHIELDS_SCHEMAS, type ShieldsEndpoint } from "../../contract/shields.ts";
import { unless } from "../finding.ts";
import { elementsOf, parseXml, type XmlElement } from "../site/parse-xml.ts";

/** Pixels. */
export type Size = readonly [width: number, height: number];

/** What can be read of a badge, and what is wrong with its format. */
export interface BadgeReading {
  readonly problems: readonly string[];
  /** Absent if it cannot be read as what its name says, or is another format. */
  readonly svg?: Svg;
  readonly shield?: ShieldsEndpoint;
  readonly pngSize?: Size;
}

/** Reads a badge by the extension of its name. Never throws. */
export function readBadge(name: string, body: Uint8Array): BadgeReading {
  if (name.endsWith(".png")) return readPng(body);
  return name.endsWith(".json") ? readShield(body) : readSvg(body);
}

function readShield(body: Uint8Array): BadgeReading {
  const json = parseObject(body);
  if (json.data === undefined) return { problems: json.problems };
  const { data, problems } = readAs(SHIELDS_SCHEMAS.ShieldsEndpoint, json.data);
  return data === undefined ? { problems } : { problems, shield: data };
}

/** Source: PNG Specification (Third Edition), section 5.2. */
const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");

/** The last chunk, IEND, which is empty, with its checksum. Source: section 11.2.5. */
const END = Buffer.from("0000000049454e44ae426082", "hex");

/** Length, type and 13 bytes of data of the first chunk, which must be IHDR. Source: section 11.2.1. */
const HEADER_BYTES = 21;

/** Checks the signature of a PNG, its header and its end. */
function readPng(body: Uint8Array): BadgeReading {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const header = bytes.subarray(SIGNATURE.length, SIGNATURE.length + HEADER_BYTES);
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE))
    return { problems: ["it does not begin with the PNG signature"] };
  if (header.length < HEADER_BYTES || header.toString("latin1", 4, 8) !== "IHDR")
    return { problems: ["it has no header"] };
  if (!bytes.subarray(-END.length).equals(END)) return { problems: ["its end is missing"] };
  return { problems: [], pngSize: [header.readUInt32BE(8), header.readUInt32BE(12)] };
}

/** The properties of an SVG that are checked. */
export interface Svg {
  readonly role: string | undefined;
  readonly ariaLabel: string | undefined;
  /** Text of the `<title>` in the root. */
  readonly title: string | undefined;
  /** CSS pixels. */
  readonly size: Size | undefined;
}

const NAMESPACE = "http://www.w3.org/2000/svg";

/** Finds active or external content, and a missing size. Never throws. */
function readSvg(body: Uint8Array): BadgeReading {
  const source = readUtf8(body);
  if (source === undefined) return { problems: ["the bytes are not UTF-8"] };
  const root = parseXml(source);
  if (typeof root === "string") return { problems: [`not well-formed: ${root}`] };
  const { name: rootName, attributes, children } = root;
  if (rootName !== "svg" || attributes.get("xmlns") !== NAMESPACE)
    return { problems: [`the root is not <svg xmlns="${NAMESPACE}">`] };
  const width = toPixels(attributes.get("width"));
  const height = toPixels(attributes.get("height"));
  const size = width === undefined || height === undefined ? undefined : ([width, height] as const);
  return {
    // Without a size, browsers choose the size of the <img>.
    problems: [
      ...findActive(root),
      ...unless(size !== undefined, "it has no width and height in pixels"),
    ],
    svg: {
      role: attributes.get("role"),
      ariaLabel: attributes.get("aria-label"),
      title: children.find(({ name }) => name === "title")?.text,
      size,
    },
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
  for (const element of elementsOf(root)) {
    const name = localName(element.name);
    if (ACTIVE.has(name)) found.add(`has a <${name}>`);
    if (name === "style" && loadsByStyle(element.text)) found.add(ELSEWHERE);
    for (const [key, value] of element.attributes) {
      const problem = findAttributeProblem(localName(key), value);
      if (problem !== undefined) found.add(problem);
    }
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
