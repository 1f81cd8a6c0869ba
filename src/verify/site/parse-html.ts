/** One start tag: its attributes by lower-case name, with decoded references. */
export type Tag = ReadonlyMap<string, string>;

const ATTRIBUTE = String.raw`[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>\x60]+))?`;

/**
 * The start tags with a name, in the order of the page. A simple parser, sufficient for the head of a page: it ignores comments,
 * but not the contents of scripts. Source: https://html.spec.whatwg.org/multipage/syntax.html
 */
export function tagsOf(html: string, name: string): readonly Tag[] {
  const tag = new RegExp(String.raw`<${name}((?:\s+${ATTRIBUTE})*)\s*/?>`, "giu");
  const text = html.replaceAll(/<!--[^]*?-->/gu, "");
  return [...text.matchAll(tag)].map(([, source = ""]) => attributesOf(source));
}

function attributesOf(source: string): Tag {
  const attributes = new Map<string, string>();
  for (const [text] of source.matchAll(new RegExp(ATTRIBUTE, "gu"))) {
    const [name = "", ...rest] = text.split("=");
    const key = name.trim().toLowerCase();
    const value = rest.join("=").trim();
    // As in browsers, the first of two equal attributes counts.
    if (!attributes.has(key))
      attributes.set(key, decodeReferences(value.replace(/^(["'])(.*)\1$/su, "$2")));
  }
  return attributes;
}

const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** Decodes the references that occur in addresses; others stay unchanged. */
export function decodeReferences(text: string): string {
  return text.replaceAll(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]+);/giu, (whole) => {
    const name = whole.slice(1, -1).toLowerCase();
    if (!name.startsWith("#")) return NAMED[name] ?? whole;
    const code = name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
  });
}

const LAST_CODE_POINT = 0x10_ff_ff;
