/** Part of a document that is already markup, as opposed to text. */
export interface Markup {
  readonly markup: string;
}

/** Characters that XML forbids, even as a reference. Source: XML 1.0, section 2.2. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
/** Delimiters, and white space that a parser would normalise. */
const SPECIAL = /[&<>"\r\n\t]/gu;
const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** Forbidden characters become U+FFFD, so that one of them does not break the document. */
function escapeText(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "\u{FFFD}")
    .replaceAll(SPECIAL, (special) => REFERENCES[special] ?? `&#${special.charCodeAt(0)};`);
}

/**
 * One element. Names are trusted; attribute values and texts may be untrusted. A parser returns them unchanged, except for
 * characters that XML forbids.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string>>,
  ...content: readonly (string | Markup)[]
): Markup {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeText(value)}"`,
  );
  const inside = content.map((part) => (typeof part === "string" ? escapeText(part) : part.markup));
  const start = `<${name}${written.join("")}`;
  return {
    markup: content.length === 0 ? `${start}/>` : `${start}>${inside.join("")}</${name}>`,
  };
}

/** A whole document, in UTF-8. */
export function toXmlDocument(root: Markup): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root.markup}\n`;
}
