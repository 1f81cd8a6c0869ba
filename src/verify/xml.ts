/** One element of a document that is well-formed. */
export interface XmlElement {
  /** As written, with its prefix. */
  readonly name: string;
  /** By name as written; references are decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** What stands directly inside, decoded. */
  readonly text: string;
}

export type ParsedXml =
  | { readonly kind: "element"; readonly root: XmlElement }
  | { readonly kind: "not-well-formed"; readonly reason: string };

interface Open {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  text: string;
  /** Namespace prefixes that may be used inside. */
  readonly prefixes: ReadonlySet<string>;
}

interface State {
  readonly stack: Open[];
  root: XmlElement | undefined;
}

/** Everything but these is forbidden even as a reference. Source: XML 1.0, section 2.2. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u;
const NAME = String.raw`(?:[\p{L}_][\p{L}\p{N}_.\-]*:)?[\p{L}_][\p{L}\p{N}_.\-]*`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
const TOKEN = [
  String.raw`<!--(?:(?!--)[^])*-->`,
  String.raw`<!\[CDATA\[(?<data>[^]*?)\]\]>`,
  String.raw`</(?<close>${NAME})\s*>`,
  String.raw`<(?<open>${NAME})(?<attributes>(?:${ATTRIBUTE})*)\s*(?<empty>/?)>`,
  String.raw`(?<text>[^<]+)`,
].join("|");
const DECLARATION = /^<\?xml\s[^?<]*\?>/u;

/**
 * Reads a whole document as a browser's XML parser would, which shows nothing of one that is not well-formed: matching tags,
 * unique attributes, bound prefixes, allowed characters, no entities but the five of XML. Stricter in one thing: a document
 * type and processing instructions are refused, since a picture needs neither. Never throws.
 * Sources: XML 1.0, sections 2 and 3; Namespaces in XML 1.0.
 */
export function parseXml(source: string): ParsedXml {
  if (FORBIDDEN.test(source)) return toFailure("it has a character that XML does not allow");
  const token = new RegExp(TOKEN, "uy");
  const state: State = { stack: [], root: undefined };
  token.lastIndex = DECLARATION.exec(source)?.[0].length ?? 0;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const match = token.exec(source);
    if (match === null) return toFailure(`${source.slice(at, at + 30)} is no markup`);
    const reason = takeToken(state, match.groups ?? {});
    if (reason !== undefined) return toFailure(reason);
  }
  const left = state.stack.at(-1);
  if (left !== undefined) return toFailure(`<${left.name}> is not closed`);
  if (state.root === undefined) return toFailure("there is no element");
  return { kind: "element", root: state.root };
}

function toFailure(reason: string): ParsedXml {
  return { kind: "not-well-formed", reason };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Why the token must not stand there; undefined if it may. */
function takeToken(state: State, groups: Groups): string | undefined {
  const { open, close, text, data } = groups;
  if (open !== undefined) {
    return openElement(state, open, groups["attributes"] ?? "", groups["empty"] === "/");
  }
  if (close !== undefined) return closeElement(state, close);
  if (text !== undefined) return takeText(state, text);
  return data === undefined ? undefined : takeData(state, data);
}

function takeText(state: State, raw: string): string | undefined {
  if (raw.includes("]]>")) return "]]> stands in a text";
  const text = decodeReferences(raw);
  if (text === undefined) return "a text has an & that begins no reference";
  return text.trim() === "" && state.stack.length === 0 ? undefined : takeData(state, text);
}

function takeData(state: State, text: string): string | undefined {
  const parent = state.stack.at(-1);
  if (parent === undefined) return "a text stands outside the root";
  parent.text += text;
  return undefined;
}

function openElement(
  state: State,
  name: string,
  source: string,
  isEmpty: boolean,
): string | undefined {
  const attributes = new Map<string, string>();
  for (const [, key = "", quoted = ""] of source.matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/gu)) {
    const value = decodeReferences(quoted.slice(1, -1));
    if (value === undefined) return `${key} of <${name}> has an & that begins no reference`;
    if (attributes.has(key)) return `<${name}> has ${key} twice`;
    attributes.set(key, value);
  }
  const parent = state.stack.at(-1);
  if (parent === undefined && state.root !== undefined) return "there is a second root";
  const prefixes = new Set(parent?.prefixes ?? ["xml", "xmlns"]);
  for (const key of attributes.keys()) if (key.startsWith("xmlns:")) prefixes.add(key.slice(6));
  const unbound = [name, ...attributes.keys()].find(
    (one) => one.includes(":") && !prefixes.has(one.slice(0, one.indexOf(":"))),
  );
  if (unbound !== undefined) return `the prefix of ${unbound} is not bound`;
  state.stack.push({ name, attributes, children: [], text: "", prefixes });
  return isEmpty ? closeElement(state, name) : undefined;
}

function closeElement(state: State, name: string): string | undefined {
  const element = state.stack.pop();
  if (element?.name !== name) return `</${name}> closes <${element?.name ?? "nothing"}>`;
  const parent = state.stack.at(-1);
  if (parent === undefined) state.root = element;
  else parent.children.push(element);
  return undefined;
}

const PREDEFINED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Undefined when one of them is none, or names a character that XML does not allow. */
function decodeReferences(text: string): string | undefined {
  if (/&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/iu.test(text)) return undefined;
  const decoded = text.replaceAll(
    /&(#x?)?([^;]+);/gu,
    (_, kind: string | undefined, name: string) =>
      kind === undefined
        ? (PREDEFINED[name] ?? "\0")
        : toCharacter(Number.parseInt(name, kind === "#x" ? 16 : 10)),
  );
  return FORBIDDEN.test(decoded) ? undefined : decoded;
}

function toCharacter(code: number): string {
  return code > 0x10_ff_ff ? "\0" : String.fromCodePoint(code);
}
