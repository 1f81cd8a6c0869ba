/** A language that the website has. Russian pages have no prefix. Source: docs/website.md. */
export type PageLanguage = "ru" | "en";

/** Path or URL of a service's page, where a plain form leads back to. */
export type PageOf = (slug: string, language: PageLanguage) => string;

/**
 * Pages of a website whose paths begin with `root`, which is empty or has no slash at its end. Each is shown at the place that
 * thanks for the report, for without a script nothing else would.
 */
export function pagesBelow(root: string): PageOf {
  return (slug, language) => `${root}${language === "en" ? "/en" : ""}/status/${slug}#reported`;
}
