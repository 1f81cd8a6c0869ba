import type { Client } from "./client.ts";
import { type Answer, type Exchange, hasStatus, headerOf } from "./exchange.ts";
import { type Tag, tagsOf } from "./html.ts";

/** Languages of the website, and what the paths of each begin with. Source: docs/website.md. */
export const SITE_LANGUAGES = { ru: "", en: "/en" } as const;
export type SiteLanguage = keyof typeof SITE_LANGUAGES;
const EACH_LANGUAGE: readonly SiteLanguage[] = ["ru", "en"];

/** A page as it was answered. */
export interface Page {
  readonly language: SiteLanguage;
  /** Without the language: `/status/vtb`. */
  readonly path: string;
  /** With it. */
  readonly target: string;
  readonly exchange: Exchange;
}

/** A page that is there, as text. */
export interface ReadPage extends Page {
  readonly answer: Answer;
  readonly html: string;
  readonly links: readonly Tag[];
}

/** The target of a path in a language. */
export function targetIn(language: SiteLanguage, path: string): string {
  return `${SITE_LANGUAGES[language]}${path}`;
}

/** Asks for pages, each in both languages. */
export function readPages(client: Client, paths: readonly string[]): Promise<readonly Page[]> {
  return Promise.all(
    paths.flatMap((path) =>
      EACH_LANGUAGE.map(async (language): Promise<Page> => {
        const target = targetIn(language, path);
        return { language, path, target, exchange: await client.send({ method: "GET", target }) };
      }),
    ),
  );
}

/** Those of the pages that were answered as such. */
export function pagesThere(pages: readonly Page[]): readonly ReadPage[] {
  return pages.flatMap((page) => {
    const { exchange } = page;
    if (!hasStatus(exchange, 200)) return [];
    const html = textOf(exchange);
    return [{ ...page, answer: exchange, html, links: tagsOf(html, "link") }];
  });
}

/** The body as text; what is no UTF-8 becomes U+FFFD. */
export function textOf({ body }: Answer): string {
  return new TextDecoder().decode(body);
}

/** Whether an answer is said to be of a type, with whatever parameters. */
export function isOfType(answer: Answer, type: string): boolean {
  const shown = headerOf(answer, "content-type") ?? "";
  return shown.split(";", 1)[0]?.trim().toLowerCase() === type;
}

/** The links of a page that have a relation, such as `canonical`. */
export function linksOf({ links }: ReadPage, relation: string): readonly Tag[] {
  return links.filter((link) => (link.get("rel") ?? "").split(/\s+/u).includes(relation));
}
