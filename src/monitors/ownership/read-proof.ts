import { type Token, Tokenizer, TokenizerMode } from "parse5";
import type { ProofLook } from "../../model/monitor/owned-monitor.ts";
import type { ProofMethod } from "../../model/monitor/owner-channel.ts";
import { META_NAME } from "./challenge-places.ts";

/** Tokens are 22 characters; more candidates than this are a mistake or an attack. */
const MAX_TOKENS = 20;

/** The lines of a proof file, which may be tokens. Never throws. */
export function readProofFile(body: Uint8Array): readonly string[] {
  return toTexts(new TextDecoder().decode(body).split(/\r\n|\r|\n/u));
}

/** TXT records: the strings of one record belong together (RFC 7208, section 3.3). Never throws. */
export function readProofRecords(records: readonly (readonly string[])[]): readonly string[] {
  return toTexts(records.map((strings) => strings.join("")));
}

const { DATA, RAWTEXT, SCRIPT_DATA, RCDATA } = TokenizerMode;

/** Elements that may stand in a head, and how their content is read. Source: HTML, 13.2.6.4.4, "in head", with scripting. */
const HEAD_TAGS: ReadonlyMap<string, Tokenizer["state"]> = new Map([
  ...["html", "head", "base", "basefont", "bgsound", "link", "meta", "template"].map(
    (name) => [name, DATA] as const,
  ),
  ...["noscript", "noframes", "style"].map((name) => [name, RAWTEXT] as const),
  ["script", SCRIPT_DATA],
  ["title", RCDATA],
]);

/** A head with more is a mistake or an attack. */
const MAX_HEAD_TAGS = 2_000;
const MAX_ATTRIBUTE_CHARACTERS = 16 * 1024;

/** End tags that end a head, or that browsers take for the beginning of the body. */
const HEAD_ENDS: ReadonlySet<string> = new Set(["head", "body", "html", "br"]);

const ignore = (): void => undefined;

/**
 * The content of the `status-snapshot` tags in the head of a page: a tag in a comment, a script, a text field, a template, or in the
 * body, which visitors may have written, does not count. A stranger wrote the page, so there is no tree, which takes gigabytes for
 * hostile nesting: the tokens are read once, until the first that cannot stand in a head. Never throws.
 */
export function readProofPage(body: Uint8Array): readonly string[] {
  const contents: string[] = [];
  let [tags, characters, templates] = [0, 0, 0];
  let isInText = false;
  let isOver = false;
  const finish = (): void => {
    isOver = true;
    tokenizer.pause();
  };
  const readText = (): void => {
    if (!isInText && templates === 0) finish();
  };
  const readTag = ({ tagName, attrs }: Token.TagToken): void => {
    const content = HEAD_TAGS.get(tagName);
    tags += 1;
    for (const { name, value } of attrs) characters += name.length + value.length;
    if (content === undefined || tags > MAX_HEAD_TAGS || characters > MAX_ATTRIBUTE_CHARACTERS)
      return finish();
    tokenizer.state = content;
    isInText = content !== DATA;
    if (tagName === "template") templates += 1;
    if (tagName !== "meta" || templates > 0) return;
    const valueOf = (wanted: string): string =>
      attrs.find(({ name }) => name === wanted)?.value ?? "";
    if (valueOf("name").trim().toLowerCase() === META_NAME) contents.push(valueOf("content"));
  };
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: (token) => (isOver ? undefined : readTag(token)),
      onEndTag: ({ tagName }) => {
        isInText = false;
        if (tagName === "template") templates = Math.max(0, templates - 1);
        else if (templates === 0 && HEAD_ENDS.has(tagName)) finish();
      },
      onCharacter: readText,
      onNullCharacter: readText,
      onWhitespaceCharacter: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
    },
  );
  tokenizer.write(new TextDecoder().decode(body), true);
  return toTexts(contents);
}

function toTexts(written: readonly string[]): readonly string[] {
  const texts = written.map((text) => text.replace(/^\uFEFF/u, "").trim());
  return texts.filter((text) => text !== "").slice(0, MAX_TOKENS);
}

/**
 * The edit that a look leads to, if any: the proof was found, is gone for certain, or monitoring is refused. Only the place of the last proof
 * can say that it is gone, if the site answers.
 */
export function concludeLook({ isDenied, places }: ProofLook, provedBy: ProofMethod | undefined) {
  if (isDenied) return { kind: "denied" } as const;
  for (const [method, { finding }] of places)
    if (finding.kind === "found")
      return { kind: "proof-seen", token: finding.token, method } as const;
  const last = provedBy === undefined ? undefined : places.get(provedBy)?.finding.kind;
  return last === "absent" || last === "other" ? ({ kind: "proof-missing" } as const) : undefined;
}
