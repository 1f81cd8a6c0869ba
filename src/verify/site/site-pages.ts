import type { Client } from "../http/client.ts";
import {
  type ReceivedAnswer,
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  headerOf,
} from "../http/http-exchange.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import { tagsOf } from "./parse-html.ts";
import type { CheckId } from "../api/checks.ts";
import {
  isOfType,
  linksOf,
  type Page,
  type ReadPage,
  SITE_LANGUAGES,
  targetIn,
  textOf,
} from "./site-reading.ts";

/** Checks that pages are 200 and HTML. */
export function checkPagesExist(id: CheckId, pages: readonly Page[]): CheckFinding {
  const exchanges = pages.map(({ exchange }) => exchange);
  const problems = [...findStatusProblems(exchanges, [200]), ...exchanges.flatMap(findNoPage)];
  return toFinding(id, problems, pages.map(({ target }) => target).join(" "));
}

function findNoPage(exchange: Exchange): readonly string[] {
  return hasStatus(exchange, 200) && !isOfType(exchange, "text/html")
    ? [
        `${describeExchange(exchange)}, Content-Type is ${headerOf(exchange, "content-type") ?? "absent"}`,
      ]
    : [];
}

/** Checks that each page has one `canonical` and one `og:url`, its own address, and `og:image` below the base. */
export function checkCanonical(base: string, pages: readonly ReadPage[]): CheckFinding {
  const problems = pages.flatMap((page) => {
    const hrefs = linksOf(page, "canonical").map((link) => link.get("href") ?? "nothing");
    const shared = metaOf(page, "og:url");
    const picture = metaOf(page, "og:image")[0];
    const expected = base + page.target;
    return [
      ...compareOne(page, "canonical", hrefs, expected),
      ...compareOne(page, "og:url", shared, expected),
      ...(picture === undefined || picture.startsWith(`${base}/`)
        ? []
        : [`${page.target}: og:image is ${picture}, not below ${base}`]),
    ];
  });
  return toFinding("site.canonical", problems, `${pages.length} pages`);
}

function metaOf({ html }: ReadPage, property: string): readonly string[] {
  return tagsOf(html, "meta").flatMap((tag) =>
    tag.get("property") === property ? [tag.get("content") ?? "nothing"] : [],
  );
}

function compareOne(
  { target }: ReadPage,
  what: string,
  found: readonly string[],
  expected: string,
): readonly string[] {
  const [first] = found;
  if (first === undefined) return [`${target}: no ${what}`];
  if (found.length > 1) return [`${target}: ${what} occurs ${found.length} times`];
  return first === expected ? [] : [`${target}: ${what} is ${first}, not ${expected}`];
}

/**
 * Checks that each page declares its language, and links to all its versions.
 * Source: https://developers.google.com/search/docs/specialty/international/localized-versions
 */
export function checkLanguages(base: string, pages: readonly ReadPage[]): CheckFinding {
  const problems = pages.flatMap((page) => {
    const { target, path, language, html } = page;
    const said = tagsOf(html, "html")[0]?.get("lang") ?? "nothing";
    const expected = new Map([
      ["ru", base + targetIn("ru", path)],
      ["en", base + targetIn("en", path)],
      ["x-default", base + targetIn("ru", path)],
    ]);
    const found = linksOf(page, "alternate").flatMap((link): [string, string][] => {
      const hreflang = link.get("hreflang");
      return hreflang === undefined ? [] : [[hreflang, link.get("href") ?? "nothing"]];
    });
    return [
      ...(said === language ? [] : [`${target}: its language is ${said}, not ${language}`]),
      ...[...expected].flatMap(([hreflang, href]) => {
        const hrefs = found.filter(([one]) => one === hreflang).map(([, one]) => one);
        return compareOne(page, `hreflang ${hreflang}`, hrefs, href);
      }),
      ...found
        .filter(([hreflang]) => !expected.has(hreflang))
        .map(([hreflang]) => `${target}: hreflang ${hreflang} is not a language of the website`),
    ];
  });
  return toFinding("site.languages", problems, Object.keys(SITE_LANGUAGES).join(", "));
}

const EXAMPLE = /https?:\/\/[^\s"'<>&]*\/api\/v1\/status/gu;

/** Checks that the examples for programmers request the verified address, which may be broken after a slash on narrow screens. */
export function checkSnippets(base: string, pages: readonly ReadPage[]): CheckFinding {
  const own = `${base}/api/v1/status`;
  const problems = pages.flatMap(({ target, html }) => {
    const found: readonly string[] = html.replaceAll(/<wbr ?\/?>/gu, "").match(EXAMPLE) ?? [];
    if (found.length === 0) return [`${target}: no example with the address of the list`];
    return [...new Set(found)]
      .filter((example) => example !== own)
      .map((example) => `${target}: an example requests ${example}, not ${own}`);
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
    ...tagsOf(home.html, "script")
      // Data for search engines is no script.
      .filter((tag) => tag.get("type") !== "application/ld+json")
      .map((tag) => tag.get("src")),
  ];
  const urls = new Set(
    hrefs.map((href) => (URL.canParse(href ?? "", base) ? new URL(href ?? "", base).href : "")),
  );
  const [own, foreign] = [
    [...urls].filter((url) => url.startsWith(`${base}/`)),
    [...urls].filter((url) => !url.startsWith(`${base}/`)),
  ];
  const exchanges = await Promise.all(
    own.map((url) => client.send({ method: "GET", target: url.slice(base.length) })),
  );
  const problems = [
    ...foreign.map((url) => `${home.target}: it loads ${url}, not below ${base}`),
    ...findStatusProblems(exchanges, [200]),
    ...(own.length === 0 ? [`${home.target}: it loads nothing`] : []),
  ];
  return toFinding("site.files", problems, own.map((url) => url.slice(base.length)).join(" "));
}

/** Checks the security headers of pages. Source: docs/publish/fronts.md, "The website". */
export function checkPolicy(base: string, answers: readonly ReceivedAnswer[]): CheckFinding {
  const problems = answers.flatMap((answer) =>
    findPolicyProblems(answer).map((problem) => `${describeExchange(answer)}: ${problem}`),
  );
  const isSecure = base.startsWith("https:");
  const isStrict = answers.every(
    (answer) => headerOf(answer, "strict-transport-security") !== undefined,
  );
  const warnings =
    isSecure && !isStrict
      ? ["no Strict-Transport-Security: an attacker can redirect a first visit by http://"]
      : [];
  return toFinding("site.policy", problems, `${answers.length} responses`, warnings);
}

function findPolicyProblems(answer: ReceivedAnswer): readonly string[] {
  const policies = answer.headers.get("content-security-policy") ?? [];
  const directives = policies.flatMap((policy) => policy.split(/[;,]/u)).map((one) => one.trim());
  const scripts = directives.filter((one) => /^(?:default|script)-src\b/iu.test(one));
  const referrer = headerOf(answer, "referrer-policy");
  return [
    ...(policies.length === 0 ? ["no Content-Security-Policy"] : []),
    ...(policies.length > 0 && !directives.some((one) => /^default-src\s+'none'$/iu.test(one))
      ? ["Content-Security-Policy without default-src 'none'"]
      : []),
    ...(policies.length > 0 && !directives.some((one) => /^frame-ancestors\s/iu.test(one))
      ? ["Content-Security-Policy without frame-ancestors: other sites may frame it"]
      : []),
    ...(scripts.some((one) => /'unsafe-|\s\*(?:\s|$)/u.test(one))
      ? ["Content-Security-Policy allows untrusted scripts ('unsafe-…' or *)"]
      : []),
    ...(referrer === undefined ? ["no Referrer-Policy"] : []),
    ...(headerOf(answer, "x-content-type-options")?.toLowerCase() === "nosniff"
      ? []
      : ["no X-Content-Type-Options: nosniff"]),
  ];
}

/** Checks that unknown paths are 404 with a page that is not indexed. */
export function checkMissingPage(exchanges: readonly Exchange[]): CheckFinding {
  const problems = exchanges.flatMap((exchange) => {
    if (!hasStatus(exchange, 404)) return findStatusProblems([exchange], [404]);
    const what = describeExchange(exchange);
    if (!isOfType(exchange, "text/html"))
      return [`${what}, Content-Type is ${headerOf(exchange, "content-type") ?? "absent"}`];
    const html = textOf(exchange);
    const robots = tagsOf(html, "meta").find((tag) => tag.get("name") === "robots");
    return [
      ...((robots?.get("content") ?? "").includes("noindex") ? [] : [`${what}: no noindex`]),
      ...(tagsOf(html, "link").some((link) => link.get("rel") === "canonical")
        ? [`${what}: it has a canonical address`]
        : []),
    ];
  });
  return toFinding("site.missing", problems, "HTTP 404 with a page");
}
