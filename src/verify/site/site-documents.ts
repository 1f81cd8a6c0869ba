import type { Client } from "../http/client.ts";
import {
  describeAsk,
  type Exchange,
  findStatusProblems,
  hasStatus,
} from "../http/http-exchange.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import { isObject, parseObject, show } from "../api/parse-json.ts";
import { isOfType, linksOf, type ReadPage, targetIn, textOf } from "./site-reading.ts";
import { parseXml, type XmlElement } from "./parse-xml.ts";

/** An XML document, or what is wrong with the response. */
type XmlReading =
  | { readonly root: XmlElement }
  | { readonly root: undefined; readonly problems: readonly string[] };

function readXml(exchange: Exchange, types: readonly string[], rootName: string): XmlReading {
  if (!hasStatus(exchange, 200))
    return { root: undefined, problems: findStatusProblems([exchange], [200]) };
  const what = describeAsk(exchange.ask);
  if (!types.some((type) => isOfType(exchange, type)))
    return { root: undefined, problems: [`${what}: Content-Type is not ${types.join(" or ")}`] };
  const parsed = parseXml(textOf(exchange));
  if (parsed.kind === "not-well-formed")
    return { root: undefined, problems: [`${what}: ${parsed.reason}`] };
  if (parsed.root.name !== rootName)
    return { root: undefined, problems: [`${what}: <${parsed.root.name}>, not <${rootName}>`] };
  return { root: parsed.root };
}

function* descendantsOf(root: XmlElement): Iterable<XmlElement> {
  const waiting = [root];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    yield one;
    waiting.push(...one.children);
  }
}

/** Checks that pages name their feeds, and that these are Atom and have only the verified address. Source: RFC 4287. */
export async function checkFeeds(
  client: Client,
  base: string,
  pages: readonly ReadPage[],
): Promise<CheckFinding> {
  const findings = await Promise.all(
    pages.map(async (page) => {
      const expected = base + feedTargetOf(page);
      const named = linksOf(page, "alternate")
        .filter((link) => link.get("type") === "application/atom+xml")
        .map((link) => link.get("href"));
      const target = expected.slice(base.length);
      const exchange = await client.send({ method: "GET", target });
      return [
        ...(named.includes(expected)
          ? []
          : [`${page.target}: its feed is ${named[0] ?? "not named"}, not ${expected}`]),
        ...findFeedProblems(exchange, base, expected),
      ];
    }),
  );
  return toFinding("site.feeds", findings.flat(), `${pages.length} feeds`);
}

/** `/en/feed.atom` of the English home page, `/feed/vtb.atom` of `/status/vtb` in each language. */
function feedTargetOf({ language, path }: ReadPage): string {
  return path === "/"
    ? targetIn(language, "/feed.atom")
    : `${path.replace("/status/", "/feed/")}.atom`;
}

function findFeedProblems(exchange: Exchange, base: string, own: string): readonly string[] {
  const { root, ...reading } = readXml(exchange, ["application/atom+xml"], "feed");
  if (root === undefined) return "problems" in reading ? reading.problems : [];
  const what = describeAsk(exchange.ask);
  const all = [...descendantsOf(root)];
  const self = root.children.find(
    ({ name, attributes }) => name === "link" && attributes.get("rel") === "self",
  );
  const addresses = all.flatMap(({ name, attributes, text }) =>
    name === "link"
      ? [attributes.get("href") ?? ""]
      : /^(?:uri|icon|logo)$/u.test(name)
        ? [text]
        : [],
  );
  const ids = all.flatMap(({ name, text }) => (name === "id" ? [text] : []));
  return [
    ...(self?.attributes.get("href") === own
      ? []
      : [`${what}: its self link is ${self?.attributes.get("href") ?? "absent"}`]),
    ...findForeign(what, addresses, base),
    ...(ids.length > 0 ? [] : [`${what}: no id`]),
    // With such ids, readers would show every entry again after a move of the website.
    ...ids.filter((id) => /^https?:/u.test(id)).map((id) => `${what}: the id ${id} is an address`),
  ];
}

/** The number of addresses that are not below the base, with the first of them. */
function findForeign(what: string, urls: readonly string[], base: string): readonly string[] {
  const foreign = urls.filter((url) => !url.startsWith(`${base}/`));
  const [first] = foreign;
  return first === undefined
    ? []
    : [`${what}: ${foreign.length} of ${urls.length} addresses are not below ${base}: ${first}`];
}

/** Checks that the sitemap has every service, and only the verified address. Source: https://www.sitemaps.org/protocol.html */
export async function checkSitemap(
  client: Client,
  base: string,
  slugs: readonly string[],
): Promise<CheckFinding> {
  const exchange = await client.send({ method: "GET", target: "/sitemap.xml" });
  const reading = readXml(exchange, ["application/xml", "text/xml"], "urlset");
  if (reading.root === undefined) return toFinding("site.sitemap", reading.problems, "");
  const all = [...descendantsOf(reading.root)];
  const locations = all.flatMap(({ name, text }) => (name === "loc" ? [text.trim()] : []));
  const others = all.flatMap(({ attributes }) => attributes.get("href") ?? []);
  const what = describeAsk(exchange.ask);
  const paths = ["/", ...slugs.map((slug) => `/status/${slug}`)];
  const there = new Set(locations);
  const absent = paths
    .flatMap((path) => [base + targetIn("ru", path), base + targetIn("en", path)])
    .filter((url) => !there.has(url));
  const foreign = findForeign(what, [...locations, ...others], base);
  const problems =
    foreign.length > 0 ? foreign : absent.map((url) => `${what}: ${url} is not in it`);
  return toFinding("site.sitemap", problems, `${locations.length} pages`);
}

/** Checks that robots are allowed, and find the sitemap. Sources: RFC 9309, https://www.sitemaps.org/protocol.html */
export async function checkRobots(client: Client, base: string): Promise<CheckFinding> {
  const exchange = await client.send({ method: "GET", target: "/robots.txt" });
  if (!hasStatus(exchange, 200))
    return toFinding("site.robots", findStatusProblems([exchange], [200]), "");
  const lines = textOf(exchange)
    .split(/\r?\n/u)
    .map((line) => line.replace(/#.*$/u, "").trim());
  const own = `${base}/sitemap.xml`;
  const sitemaps = lines.flatMap(
    (line) => /^sitemap:\s*(?<url>\S+)$/iu.exec(line)?.groups?.["url"] ?? [],
  );
  const isShut = lines.some((line) => /^disallow:\s*\/\s*$/iu.test(line));
  const problems = [
    ...(sitemaps.includes(own) && sitemaps.length === 1
      ? []
      : [`its sitemap is ${sitemaps.join(", ") || "not named"}, not ${own}`]),
    ...(isShut ? ["it excludes every robot (Disallow: /)"] : []),
  ];
  return toFinding("site.robots", problems, own);
}

/** Checks that generated clients request the verified address. Source: https://spec.openapis.org/oas/v3.1.1.html#server-object */
export async function checkOpenApi(client: Client, base: string): Promise<CheckFinding> {
  const exchange = await client.send({ method: "GET", target: "/openapi.json" });
  if (!hasStatus(exchange, 200))
    return toFinding("site.openapi", findStatusProblems([exchange], [200]), "");
  const parsed = parseObject(exchange.body);
  if (parsed.kind !== "object") return toFinding("site.openapi", [parsed.reason], "");
  const { servers } = parsed.value;
  const [server, ...more]: readonly unknown[] = Array.isArray(servers) ? servers : [];
  const url = isObject(server) ? server["url"] : undefined;
  const isOwn = url === base && more.length === 0;
  const problem = `its server is ${show(more.length === 0 ? url : servers)}, not ${base}`;
  return toFinding("site.openapi", isOwn ? [] : [problem], base);
}
