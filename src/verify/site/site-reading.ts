import { Tokenizer, TokenizerMode } from "parse5";
import { typedEntries } from "../checks.ts";
import { type Client, hasStatus, headerOf, type ReceivedAnswer } from "../http/client.ts";

/** Languages of the website, with the prefix of their paths. Source: docs/website.md. */
export const SITE_LANGUAGES = { ru: "", en: "/en" } as const;
type SiteLanguage = keyof typeof SITE_LANGUAGES;

/** A start tag. */
export interface Tag {
  readonly name: string;
  /** By lower-case name, with decoded references. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A page with the response for it: `path` is without the language, `/status/vtb`, and `target` with it, `/en/status/vtb`. */
export type Page = Awaited<ReturnType<typeof readPages>>[number];

export type ReadPage = ReturnType<typeof pagesThere>[number];

/** The target of a path in a language. */
export function targetIn(language: SiteLanguage, path: string): string {
  return `${SITE_LANGUAGES[language]}${path}`;
}

/** Requests pages, each in both languages. */
export function readPages(client: Client, ...paths: readonly string[]) {
  return Promise.all(
    paths.flatMap((path) =>
      typedEntries(SITE_LANGUAGES).map(async ([language, prefix]) => {
        const target = prefix + path;
        return { language, path, target, exchange: await client.get(target) };
      }),
    ),
  );
}

/** The pages that were 200, as text. */
export function pagesThere(pages: readonly Page[]) {
  return pages.flatMap((page) => {
    const { exchange } = page;
    if (!hasStatus(exchange, 200)) return [];
    const html = textOfElement(exchange);
    return [{ ...page, exchange, html, tags: readTags(html) }];
  });
}

const ignore = (): void => undefined;

/** The start tags of a page, in its order. */
export function readTags(html: string): readonly Tag[] {
  const tags: Tag[] = [];
  const tokenizer = new Tokenizer(
    {},
    {
      onStartTag: ({ tagName: name, attrs }) => {
        if (name === "script") tokenizer.state = TokenizerMode.SCRIPT_DATA;
        tags.push({ name, attributes: new Map(attrs.map((one) => [one.name, one.value])) });
      },
      onEndTag: ignore,
      onComment: ignore,
      onDoctype: ignore,
      onEof: ignore,
      onCharacter: ignore,
      onNullCharacter: ignore,
      onWhitespaceCharacter: ignore,
    },
  );
  tokenizer.write(html, true);
  return tags;
}

/** The attributes of the tags with a name. */
export function attributesOf(tags: readonly Tag[], tagName: string): readonly Tag["attributes"][] {
  return tags.flatMap(({ name, attributes }) => (name === tagName ? [attributes] : []));
}

/** The links of a page with a relation, such as `canonical`. */
export function linksOf(
  { tags }: { readonly tags: readonly Tag[] },
  relation: string,
): readonly Tag["attributes"][] {
  return attributesOf(tags, "link").filter((link) =>
    link.get("rel")?.split(/\s+/u).includes(relation),
  );
}

/** The body as text; invalid UTF-8 becomes U+FFFD. */
export function textOfElement({ body }: ReceivedAnswer): string {
  return new TextDecoder().decode(body);
}

/** Whether the Content-Type of a response is a type, with any parameters. */
export function isOfType(answer: ReceivedAnswer, type: string): boolean {
  const shown = headerOf(answer, "content-type") ?? "";
  return shown.split(";", 1)[0]?.trim().toLowerCase() === type;
}
