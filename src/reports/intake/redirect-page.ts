/** A language of the website. Russian pages have no prefix. Source: docs/website.md. */
export type PageLanguage = "ru" | "en";

/** Path or URL of a service's page, to which a plain form is redirected. */
export type PageOf = (slug: string, language: PageLanguage) => string;

/** Pages whose paths begin with `root`, which is empty or has no trailing slash. The fragment shows the thanks without a script. */
export function pagesBelow(root: string): PageOf {
  return (slug, language) => `${root}${language === "en" ? "/en" : ""}/status/${slug}#reported`;
}
