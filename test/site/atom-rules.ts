import type { XmlElement } from "../../src/verify/site/parse-xml.ts";
import { elementsOf, readXml } from "./read-xml.ts";

/** Minimum and maximum number of each child. Source: RFC 4287, sections 4.1.1 and 4.1.2. */
const CHILDREN: Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>> = {
  feed: {
    id: [1, 1],
    title: [1, 1],
    updated: [1, 1],
    author: [1, Infinity],
    subtitle: [0, 1],
    link: [1, Infinity],
    icon: [0, 1],
    generator: [0, 1],
    category: [0, Infinity],
    entry: [0, Infinity],
  },
  entry: {
    id: [1, 1],
    title: [1, 1],
    updated: [1, 1],
    published: [0, 1],
    link: [1, Infinity],
    category: [0, Infinity],
    content: [1, 1],
  },
  author: { name: [1, 1], uri: [0, 1] },
  content: { div: [0, 1] },
  div: { p: [1, Infinity] },
};

/** Required and optional attributes of each element. */
const ATTRIBUTES: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  feed: [["xmlns", "xml:lang"], []],
  link: [["href", "rel", "type"], ["hreflang"]],
  category: [["term"], ["label"]],
  content: [["type"], []],
  div: [["xmlns"], []],
  p: [["lang", "xml:lang"], []],
};

const DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/u;

/**
 * Violations of RFC 4287 in a feed: structure, dates, addresses, ids, order, and a self link other than `url`. Throws if it is not
 * well-formed.
 */
export function faultsInFeed(text: string, url?: string): readonly string[] {
  const feed = readXml(text);
  const entries = childrenOf(feed, "entry");
  return [
    ...(feed.name === "feed" ? [] : [`the root is <${feed.name}>`]),
    ...(feed.attributes.get("xmlns") === "http://www.w3.org/2005/Atom" ? [] : ["not of Atom"]),
    ...elementsOf(feed).flatMap(faultsInElement),
    ...faultsInLinks(feed, url),
    ...entries.flatMap((entry) => faultsInLinks(entry)),
    ...entries.flatMap((entry) => childrenOf(entry, "content").flatMap(faultsInContent)),
    ...faultsInIds(feed, entries),
    ...faultsInTimes(feed, entries),
  ];
}

function childrenOf(parent: XmlElement, name: string): readonly XmlElement[] {
  return parent.children.filter((child) => child.name === name);
}

function faultsInElement({ name, attributes, children, text }: XmlElement): readonly string[] {
  const rules = CHILDREN[name] ?? {};
  const [required, optional] = ATTRIBUTES[name] ?? [[], []];
  const names = new Set([...Object.keys(rules), ...children.map((child) => child.name)]);
  return [
    ...[...names].flatMap((child) => {
      const count = children.filter((one) => one.name === child).length;
      const [least, most] = rules[child] ?? [0, 0];
      return count < least || count > most ? [`<${name}> has ${count} <${child}>`] : [];
    }),
    ...required.filter((key) => !attributes.has(key)).map((key) => `<${name}> has no ${key}`),
    ...[...attributes.keys()]
      .filter((key) => !required.includes(key) && !optional.includes(key))
      .map((key) => `<${name}> has ${key}`),
    ...(children.length > 0 && text.trim() !== "" ? [`<${name}> has a text of its own`] : []),
    ...(["title", "name", "content", "subtitle"].includes(name) &&
    text === "" &&
    children.length === 0
      ? [`<${name}> is empty`]
      : []),
    ...(["updated", "published"].includes(name) && !isDate(text) ? [`${text} is no date`] : []),
    ...(["id", "uri", "icon"].includes(name) && !isAbsolute(text) ? [`${text} is no address`] : []),
  ];
}

/** RFC 3339 with an upper-case `T` and `Z`, and an existing day. */
function isDate(text: string): boolean {
  return DATE.test(text) && `${new Date(text).toISOString().slice(0, 19)}Z` === text;
}

/** An absolute, normalised URL, so that ids can be compared as strings. */
function isAbsolute(text: string): boolean {
  return URL.canParse(text) && new URL(text).href === text;
}

function faultsInLinks(parent: XmlElement, url?: string): readonly string[] {
  const links = childrenOf(parent, "link");
  const of = (rel: string): readonly XmlElement[] =>
    links.filter(({ attributes }) => attributes.get("rel") === rel);
  const kinds = of("alternate").map(({ attributes }) =>
    ["type", "hreflang"].map((key) => attributes.get(key)).join(" "),
  );
  const self = of("self").map(({ attributes }) => attributes.get("href"));
  return [
    ...links
      .map(({ attributes }) => attributes.get("href") ?? "")
      .filter((href) => !isAbsolute(href))
      .map((href) => `the link ${href} is no address`),
    ...(kinds.length === 0 ? ["no alternate link"] : []),
    ...(new Set(kinds).size < kinds.length ? ["two alternate links of one kind"] : []),
    ...(parent.name === "feed" && self.length !== 1 ? [`${self.length} links to itself`] : []),
    ...(url !== undefined && self[0] !== url ? [`says that it is at ${self[0] ?? ""}`] : []),
  ];
}

/** Source: RFC 4287, section 4.1.3.3. */
function faultsInContent({ attributes, children }: XmlElement): readonly string[] {
  const type = attributes.get("type");
  const isXhtml = children[0]?.attributes.get("xmlns") === "http://www.w3.org/1999/xhtml";
  return (type === "xhtml" && isXhtml) || (type === "text" && children.length === 0)
    ? []
    : [`content of type ${type} has other content`];
}

function faultsInIds(feed: XmlElement, entries: readonly XmlElement[]): readonly string[] {
  const ids = [feed, ...entries].flatMap((one) => childrenOf(one, "id").map(({ text }) => text));
  return new Set(ids).size < ids.length ? ["two share an id"] : [];
}

function faultsInTimes(feed: XmlElement, entries: readonly XmlElement[]): readonly string[] {
  const timeOf = (one: XmlElement): string => childrenOf(one, "updated")[0]?.text ?? "";
  const times = entries.map(timeOf);
  const isOrdered = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? ""));
  const isNewest = times[0] === undefined || times[0] === timeOf(feed);
  return [
    ...(isOrdered ? [] : ["the entries are not in order"]),
    ...(isNewest ? [] : ["the feed is not as new as its newest entry"]),
  ];
}
