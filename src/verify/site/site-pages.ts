import {
  attributesOf,
  isOfType,
  linksOf,
  type Page,
  type ReadPage,
  readTags,
  SITE_LANGUAGES,
  targetIn,
  textOfElement,
} from "./site-reading.ts";
import type { CheckId } from "../checks.ts";
import { about, type CheckFinding, toFinding, unless } from "../finding.ts";
import {
  type Client,
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  headerOf,
  type ReceivedAnswer,
} from "../http/client.ts";

/** Checks that pages are 200 and HTML. */
export function checkPagesExist(id: CheckId, pages: readonly Page[]): CheckFinding {
  const problems = pages.flatMap(({ exchange }) => findNoPage(exchange, 200));
  return toFinding(id, problems, pages.map(({ target }) => target).join(" "));
}

/** Whether a response has another status, or is not HTML. */
function findNoPage(exchange: Exchange, status: number): readonly string[] {
  if (!hasStatus(exchange, status)) return findStatusProblems([exchange], [status]);
  const type = headerOf(exchange, "content-type") ?? "absent";
  const isPage = isOfType(exchange, "text/html");
  return unless(isPage, `${describeExchange(exchange)}, Content-Type is ${type}`);
}

/** Checks that each page has one `canonical` and one `og:url`, its own address, and `og:image` below the base. */
export function checkCanonical(base: string, pages: readonly ReadPage[]): CheckFinding {
  const problems = pages.flatMap((page) => {
    const hrefs = linksOf(page, "canonical").map((link) => link.get("href") ?? "nothing");
    const [picture = `${base}/`] = metaOf(page, "og:image");
    const expected = base + page.target;
    return about(page.target, [
      ...compareOne("canonical", hrefs, expected),
      ...compareOne("og:url", metaOf(page, "og:url"), expected),
      ...unless(picture.startsWith(`${base}/`), `og:image is ${picture}, not below ${base}`),
    ]);
  });
  return toFinding("site.canonical", problems, `${pages.length} pages`);
}

function metaOf({ tags }: ReadPage, property: string): readonly string[] {
  return attributesOf(tags, "meta").flatMap((tag) =>
    tag.get("property") === property ? [tag.get("content") ?? "nothing"] : [],
  );
}

function compareOne(what: string, found: readonly string[], expected: string): readonly string[] {
  const [first] = found;
  if (first === undefined) return [`no ${what}`];
  if (found.length > 1) return [`${what} occurs ${found.length} times`];
  return unless(first === expected, `${what} is ${first}, not ${expected}`);
}

/**
 * Checks that each page declares its language, and links to all its versions.
 * Source: https://developers.google.com/search/docs/specialty/international/localized-versions
 */
export function checkLanguages(base: string, pages: readonly ReadPage[]): CheckFinding {
  const problems = pages.flatMap((page) => {
    const { target, path, language, tags } = page;
    const said = attributesOf(tags, "html")[0]?.get("lang") ?? "nothing";
    const expected = new Map([
      ["ru", base + targetIn("ru", path)],
      ["en", base + targetIn("en", path)],
      ["x-default", base + targetIn("ru", path)],
    ]);
    const found = linksOf(page, "alternate").flatMap((link): [string, string][] => {
      const hreflang = link.get("hreflang");
      return hreflang === undefined ? [] : [[hreflang, link.get("href") ?? "nothing"]];
    });
    return about(target, [
      ...unless(said === language, `its language is ${said}, not ${language}`),
      ...[...expected].flatMap(([hreflang, href]) => {
        const hrefs = found.filter(([one]) => one === hreflang).map(([, one]) => one);
        return compareOne(`hreflang ${hreflang}`, hrefs, href);
      }),
      ...found.flatMap(([hreflang]) =>
        unless(expected.has(hreflang), `hreflang ${hreflang} is not a language of the website`),
      ),
    ]);
  });
  return toFinding("site.languages", problems, Object.keys(SITE_LANGUAGES).join(", "));
}

const EXAMPLE = /https?:\/\/[^\s"'<>&]*\/api\/v1\/status/gu;

/** Checks that the examples for programmers request the verified address, which may be broken after a slash on narrow screens. */
export function checkSnippets(base: string, pages: readonly ReadPage[]): CheckFinding {
  const own = `${base}/api/v1/status`;
  const problems = pages.flatMap(({ target, html }) => {
    const found = new Set(html.replaceAll(/<wbr ?\/?>/gu, "").match(EXAMPLE) ?? []);
    return about(target, [
      ...unless(found.size > 0, "no example with the address of the list"),
      ...[...found].flatMap((example) =>
        unless(example === own, `an example requests ${example}, not ${own}`),
      ),
    ]);
  });
  return toFinding("site.snippets", problems, own);
}

/** Relations of links that a browser loads with a page. */
const LOADED = ["stylesheet", "icon", "manifest"] as const;

/** Checks that the files of the home page are 200 and below the verified address. */
export async function checkFiles(
  client: Client,
  base: string,
  home: ReadPage,
): Promise<CheckFinding> {
  const hrefs = [
    ...LOADED.flatMap((relation) => linksOf(home, relation).map((link) => link.get("href"))),
    ...attributesOf(home.tags, "script")
      // Data for search engines does not run.
      .filter((tag) => tag.get("type") !== "application/ld+json")
      .map((tag) => tag.get("src")),
  ].filter((href) => href !== undefined);
  const toUrl = (href: string) => (URL.canParse(href, base) ? new URL(href, base).href : href);
  const urls = [...new Set(hrefs.map(toUrl))];
  const isOwn = (url: string): boolean => url.startsWith(`${base}/`);
  const own = urls.filter(isOwn).map((url) => url.slice(base.length));
  const exchanges = await client.getAll(own);
  const problems = [
    ...urls.flatMap((url) =>
      unless(isOwn(url), `${home.target}: it loads ${url}, not below ${base}`),
    ),
    ...findStatusProblems(exchanges, [200]),
    ...unless(own.length > 0, `${home.target}: it loads nothing`),
  ];
  return toFinding("site.files", problems, own.join(" "));
}

/** Checks the security headers of pages. Source: docs/publish/fronts.md, "The website". */
export function checkPolicy(base: string, answers: readonly ReceivedAnswer[]): CheckFinding {
  const problems = answers.flatMap((answer) =>
    about(describeExchange(answer), findPolicyProblems(answer)),
  );
  const isStrict = answers.every(({ headers }) => headers.has("strict-transport-security"));
  const warnings = unless(
    isStrict || !base.startsWith("https:"),
    "no Strict-Transport-Security: an attacker can redirect a first visit by http://",
  );
  return toFinding("site.policy", problems, `${answers.length} responses`, warnings);
}

function findPolicyProblems(answer: ReceivedAnswer): readonly string[] {
  const policies = answer.headers.get("content-security-policy") ?? [];
  const directives = policies.flatMap((policy) => policy.split(/[;,]/u)).map((one) => one.trim());
  const has = (pattern: RegExp): boolean => directives.some((one) => pattern.test(one));
  const sniffing = headerOf(answer, "x-content-type-options")?.toLowerCase();
  return [
    ...(policies.length === 0
      ? ["no Content-Security-Policy"]
      : [
          ...unless(
            has(/^default-src\s+'none'$/iu),
            "Content-Security-Policy without default-src 'none'",
          ),
          ...unless(
            has(/^frame-ancestors\s/iu),
            "Content-Security-Policy without frame-ancestors: other sites may frame it",
          ),
        ]),
    ...unless(
      !has(/^(?:default|script)-src\b.*(?:'unsafe-|\s\*(?:\s|$))/iu),
      "Content-Security-Policy allows untrusted scripts ('unsafe-…' or *)",
    ),
    ...unless(answer.headers.has("referrer-policy"), "no Referrer-Policy"),
    ...unless(sniffing === "nosniff", "no X-Content-Type-Options: nosniff"),
  ];
}

/** Checks that unknown paths are 404 with a page that is not indexed. */
export function checkMissingPage(exchanges: readonly Exchange[]): CheckFinding {
  const problems = exchanges.flatMap((exchange) => {
    const wrong = findNoPage(exchange, 404);
    if (exchange.kind === "trouble" || wrong.length > 0) return wrong;
    const tags = readTags(textOfElement(exchange));
    const robots = attributesOf(tags, "meta").find((tag) => tag.get("name") === "robots");
    return about(describeExchange(exchange), [
      ...unless((robots?.get("content") ?? "").includes("noindex"), "no noindex"),
      ...unless(linksOf({ tags }, "canonical").length === 0, "it has a canonical address"),
    ]);
  });
  return toFinding("site.missing", problems, "HTTP 404 with a page");
}
