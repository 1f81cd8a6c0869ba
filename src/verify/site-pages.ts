import type { Client } from "./client.ts";
import {
  type Answer,
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  headerOf,
} from "./exchange.ts";
import { type Finding, judge } from "./finding.ts";
import { tagsOf } from "./html.ts";
import type { PointId } from "./points.ts";
import {
  isOfType,
  linksOf,
  type Page,
  type ReadPage,
  SITE_LANGUAGES,
  targetIn,
  textOf,
} from "./site-reading.ts";

/** That pages are there and say that they are pages. */
export function judgePagesThere(id: PointId, pages: readonly Page[]): Finding {
  const exchanges = pages.map(({ exchange }) => exchange);
  const problems = [...findStatusProblems(exchanges, [200]), ...exchanges.flatMap(findNoPage)];
  return judge(id, problems, pages.map(({ target }) => target).join(" "));
}

function findNoPage(exchange: Exchange): readonly string[] {
  return hasStatus(exchange, 200) && !isOfType(exchange, "text/html")
    ? [
        `${describeExchange(exchange)}, Content-Type is ${headerOf(exchange, "content-type") ?? "absent"}`,
      ]
    : [];
}

/** That pages name one address, the right one. */
export function judgeCanonical(base: string, pages: readonly ReadPage[]): Finding {
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
  return judge("site.canonical", problems, `${pages.length} pages`);
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
  if (found.length > 1) return [`${target}: ${what} is there ${found.length} times`];
  return first === expected ? [] : [`${target}: ${what} is ${first}, not ${expected}`];
}

/** That pages say which language they have, and where the others are. Source: https://developers.google.com/search/docs/specialty/international/localized-versions */
export function judgeLanguages(base: string, pages: readonly ReadPage[]): Finding {
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
        .map(([hreflang]) => `${target}: hreflang ${hreflang} is no language of the website`),
    ];
  });
  return judge("site.languages", problems, Object.keys(SITE_LANGUAGES).join(", "));
}

const EXAMPLE = /https?:\/\/[^\s"'<>&]*\/api\/v1\/status/gu;

/** That the examples for programmers lead here. */
export function judgeSnippets(base: string, pages: readonly ReadPage[]): Finding {
  const own = `${base}/api/v1/status`;
  const problems = pages.flatMap(({ target, html }) => {
    const found: readonly string[] = html.match(EXAMPLE) ?? [];
    if (found.length === 0) return [`${target}: no address of the list`];
    return [...new Set(found)]
      .filter((example) => example !== own)
      .map((example) => `${target}: it asks ${example}, not ${own}`);
  });
  return judge("site.snippets", problems, own);
}

/** Relations of what a browser loads with a page. */
const LOADED = ["stylesheet", "icon", "manifest"] as const;

/** That what the home page loads is there, and is of this address. */
export async function judgeFiles(client: Client, base: string, home: ReadPage): Promise<Finding> {
  const hrefs = [
    ...LOADED.flatMap((relation) => linksOf(home, relation).map((link) => link.get("href"))),
    ...tagsOf(home.html, "script").map((tag) => tag.get("src")),
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
  return judge("site.files", problems, own.map((url) => url.slice(base.length)).join(" "));
}

/** That browsers are told what a page may do. Source: docs/cdn.md, "The website". */
export function judgePolicy(base: string, answers: readonly Answer[]): Finding {
  const problems = answers.flatMap((answer) =>
    findPolicyProblems(answer).map((problem) => `${describeExchange(answer)}: ${problem}`),
  );
  const isSecure = base.startsWith("https:");
  const isStrict = answers.every(
    (answer) => headerOf(answer, "strict-transport-security") !== undefined,
  );
  const warnings =
    isSecure && !isStrict
      ? ["no Strict-Transport-Security: a first visit by http:// can be led elsewhere"]
      : [];
  return judge("site.policy", problems, `${answers.length} answers`, warnings);
}

function findPolicyProblems(answer: Answer): readonly string[] {
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
      ? ["Content-Security-Policy lets scripts of strangers run"]
      : []),
    ...(referrer === undefined ? ["no Referrer-Policy"] : []),
    ...(headerOf(answer, "x-content-type-options")?.toLowerCase() === "nosniff"
      ? []
      : ["no X-Content-Type-Options: nosniff"]),
  ];
}

/** That what is no page is not taken for one, by people nor by robots. */
export function judgeMissingPage(exchanges: readonly Exchange[]): Finding {
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
  return judge("site.missing", problems, "HTTP 404 with a page");
}
