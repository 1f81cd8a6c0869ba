import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { META_NAME } from "./challenge-places.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Tokens are 22 characters; more candidates than this are a mistake or an attack. */
const MOST_TOKENS = 20;

/** The lines of a proof file, which may be tokens. Never throws. */
export function readProofFile(body: Uint8Array): readonly string[] {
  return toTexts(new TextDecoder().decode(body).split(/\r\n|\r|\n/u));
}

/** TXT records: the strings of one record belong together (RFC 7208, section 3.3). Never throws. */
export function readProofRecords(records: readonly (readonly string[])[]): readonly string[] {
  return toTexts(records.map((strings) => strings.join("")));
}

/**
 * The content of the `status-snapshot` tags in the head of a page. The page is parsed as browsers do, so that a tag in a comment, a
 * script, a text field, or in the body, which visitors may have written, does not count. Never throws.
 */
export function readProofPage(body: Uint8Array): readonly string[] {
  const { childNodes } = parse(new TextDecoder().decode(body));
  const head = childNodes.flatMap(childrenOf).find(({ nodeName }) => nodeName === "head");
  const contents = (head === undefined ? [] : childrenOf(head)).flatMap((node) => {
    if (node.nodeName !== "meta" || !("attrs" in node)) return [];
    const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
    const isOurs = attributes.get("name")?.trim().toLowerCase() === META_NAME;
    return isOurs ? [attributes.get("content") ?? ""] : [];
  });
  return toTexts(contents);
}

function childrenOf(node: Node): readonly Node[] {
  return "childNodes" in node ? node.childNodes : [];
}

function toTexts(written: readonly string[]): readonly string[] {
  const texts = written.map((text) => text.replace(/^\uFEFF/u, "").trim());
  return texts.filter((text) => text !== "").slice(0, MOST_TOKENS);
}
