import { SaxesParser } from "saxes";
import { messageOf } from "../../model/errors.ts";

/** An element of a well-formed document. */
export interface XmlElement {
  /** With its prefix, as in the source. */
  readonly name: string;
  /** By name as in the source; references are decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** Text directly inside, decoded. */
  readonly text: string;
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
  text: string;
}

/** Chrome stops at the same depth (`kMaxXMLTreeDepth` of Blink); the time to resolve prefixes grows with its square. */
const MAX_DEPTH = 5000;

/**
 * The root of a document, or why it is not well-formed; as strict as a browser. In addition it refuses document types, whose entities can be used for attacks, and
 * processing instructions; pictures and feeds need neither. Never throws. Sources: XML 1.0; Namespaces in XML 1.0.
 */
export function parseXml(source: string): XmlElement | string {
  const parser = new SaxesParser({ xmlns: true, position: false });
  const stack: OpenElement[] = [];
  let root: XmlElement | undefined;
  const addText = (text: string): void => {
    const parent = stack.at(-1);
    if (parent !== undefined) parent.text += text;
  };
  parser.on("error", ({ message }) => refuse(message));
  parser.on("doctype", () => refuse("it has a document type"));
  parser.on("processinginstruction", ({ target }) => refuse(`it has an instruction, ${target}`));
  parser.on("opentag", ({ name, attributes }) => {
    if (stack.length === MAX_DEPTH) refuse(`its elements are nested deeper than ${MAX_DEPTH}`);
    const values = Object.entries(attributes).map(([key, { value }]) => [key, value] as const);
    stack.push({ name, attributes: new Map(values), children: [], text: "" });
  });
  parser.on("closetag", () => {
    // The last element that is closed is the root.
    root = stack.pop();
    if (root !== undefined) stack.at(-1)?.children.push(root);
  });
  parser.on("text", addText);
  parser.on("cdata", addText);
  try {
    parser.write(source).close();
  } catch (error) {
    return messageOf(error);
  }
  return root ?? "it has no element";
}

function refuse(reason: string): never {
  throw new SyntaxError(reason);
}

/** An element and everything below it. */
export function* elementsOf(root: XmlElement): Iterable<XmlElement> {
  const waiting = [root];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    yield one;
    for (const child of one.children) waiting.push(child);
  }
}
