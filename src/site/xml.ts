/** A piece of a document that is markup already, as opposed to text. */
export interface Markup {
  readonly markup: string;
}

/** Everything but these is forbidden, even as a reference. Source: XML 1.0, section 2.2. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
/** What ends a text or a value, and the white space that a reader would make a plain space or line feed of. */
const SPECIAL = /[&<>"\r\n\t]/gu;
const REFERENCES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** What XML has no way to say becomes U+FFFD, so that one odd character costs a reader no more than itself. */
function escapeText(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "\u{FFFD}")
    .replaceAll(SPECIAL, (special) => REFERENCES[special] ?? `&#${special.charCodeAt(0)};`);
}

/**
 * One element. Names are ours; values of attributes and texts may be anybody's and come back as they were from every reader,
 * but for characters that XML does not allow.
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
