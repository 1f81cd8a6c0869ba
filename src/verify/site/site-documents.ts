import { elementsOf, parseXml, type XmlElement } from "./parse-xml.ts";
import { isOfType, linksOf, type ReadPage, targetIn, textOfElement } from "./site-reading.ts";
import { parseObject, show } from "../api/json-document.ts";
import { isObject } from "../../model/errors.ts";
import { about, type CheckFinding, toFinding, unless } from "../finding.ts";
import {
  type Client,
  describeAsk,
  type Exchange,
  findStatusProblems,
  hasStatus,
} from "../http/client.ts";

/** An XML document, or what is wrong with the response. */
function readXml(exchange: Exchange, types: readonly string[], rootName: string) {
  if (!hasStatus(exchange, 200)) return { problems: findStatusProblems([exchange], [200]) };
  const what = describeAsk(exchange.ask);
  if (!types.some((type) => isOfType(exchange, type)))
    return { problems: [`${what}: Content-Type is not ${types.join(" or ")}`] };
  const root = parseXml(textOfElement(exchange));
  if (typeof root === "string") return { problems: [`${what}: ${root}`] };
  return root.name === rootName
    ? { root }
    : { problems: [`${what}: <${root.name}>, not <${rootName}>`] };
}

/** Checks that pages name their feeds, and that these are Atom and have only the verified address. Source: RFC 4287. */
export async function checkFeeds(
  client: Client,
  base: string,
  pages: readonly ReadPage[],
): Promise<CheckFinding> {
  const problems = pages.map(async (page) => {
    const target = feedTargetOf(page);
    const own = base + target;
    const named = linksOf(page, "alternate")
      .filter((link) => link.get("type") === "application/atom+xml")
      .map((link) => link.get("href"));
    const shown = named[0] ?? "not named";
    return [
      ...unless(named.includes(own), `${page.target}: its feed is ${shown}, not ${own}`),
      ...findFeedProblems(await client.get(target), base, own),
    ];
  });
  return toFinding("site.feeds", (await Promise.all(problems)).flat(), `${pages.length} feeds`);
}

/** `/en/feed.atom` of the English home page, `/feed/vtb.atom` of `/status/vtb` in each language. */
function feedTargetOf({ language, path }: ReadPage): string {
  return path === "/"
    ? targetIn(language, "/feed.atom")
    : `${path.replace("/status/", "/feed/")}.atom`;
}

function findFeedProblems(exchange: Exchange, base: string, own: string): readonly string[] {
  const reading = readXml(exchange, ["application/atom+xml"], "feed");
  if ("problems" in reading) return reading.problems;
  const { root } = reading;
  const all = [...elementsOf(root)];
  const self = root.children
    .find(({ name, attributes }) => name === "link" && attributes.get("rel") === "self")
    ?.attributes.get("href");
  const links = all.filter(({ name }) => name === "link");
  const addresses = [
    ...links.map(({ attributes }) => attributes.get("href") ?? ""),
    ...["uri", "icon", "logo"].flatMap((name) => textsOf(all, name)),
  ];
  const ids = textsOf(all, "id");
  return about(describeAsk(exchange.ask), [
    ...unless(self === own, `its self link is ${self ?? "absent"}`),
    ...findForeign(addresses, base),
    ...unless(ids.length > 0, "no id"),
    // With such ids, readers would show every entry again after a move of the website.
    ...ids.flatMap((id) => unless(!/^https?:/u.test(id), `the id ${id} is an address`)),
  ]);
}

function textsOf(elements: readonly XmlElement[], wanted: string): readonly string[] {
  return elements.flatMap(({ name, text }) => (name === wanted ? [text.trim()] : []));
}

/** The number of addresses that are not below the base, with the first of them. */
function findForeign(urls: readonly string[], base: string): readonly string[] {
  const foreign = urls.filter((url) => !url.startsWith(`${base}/`));
  const counts = `${foreign.length} of ${urls.length}`;
  return unless(foreign.length === 0, `${counts} addresses are not below ${base}: ${foreign[0]}`);
}

/** Checks that the sitemap has every service, and only the verified address. Source: https://www.sitemaps.org/protocol.html */
export async function checkSitemap(
  client: Client,
  base: string,
  slugs: readonly string[],
): Promise<CheckFinding> {
  const exchange = await client.get("/sitemap.xml");
  const reading = readXml(exchange, ["application/xml", "text/xml"], "urlset");
  if ("problems" in reading) return toFinding("site.sitemap", reading.problems, "");
  const all = [...elementsOf(reading.root)];
  const locations = textsOf(all, "loc");
  const others = all.flatMap(({ attributes }) => attributes.get("href") ?? []);
  const there = new Set(locations);
  const absent = ["/", ...slugs.map((slug) => `/status/${slug}`)]
    .flatMap((path) => [base + targetIn("ru", path), base + targetIn("en", path)])
    .flatMap((url) => unless(there.has(url), `${url} is not in it`));
  const foreign = findForeign([...locations, ...others], base);
  const problems = about(describeAsk(exchange.ask), foreign.length > 0 ? foreign : absent);
  return toFinding("site.sitemap", problems, `${locations.length} pages`);
}

/** Checks that robots are allowed, and find the sitemap. Sources: RFC 9309, https://www.sitemaps.org/protocol.html */
export async function checkRobots(client: Client, base: string): Promise<CheckFinding> {
  const exchange = await client.get("/robots.txt");
  if (!hasStatus(exchange, 200))
    return toFinding("site.robots", findStatusProblems([exchange], [200]), "");
  const lines = textOfElement(exchange)
    .split(/\r?\n/u)
    .map((line) => line.replace(/#.*$/u, "").trim());
  const own = `${base}/sitemap.xml`;
  const sitemaps = lines.flatMap(
    (line) => /^sitemap:\s*(?<url>\S+)$/iu.exec(line)?.groups?.["url"] ?? [],
  );
  const isShut = lines.some((line) => /^disallow:\s*\/\s*$/iu.test(line));
  const problems = [
    ...unless(
      sitemaps.length === 1 && sitemaps[0] === own,
      `its sitemap is ${sitemaps.join(", ") || "not named"}, not ${own}`,
    ),
    ...unless(!isShut, "it excludes every robot (Disallow: /)"),
  ];
  return toFinding("site.robots", problems, own);
}

/** Checks that generated clients request the verified address. Source: https://spec.openapis.org/oas/v3.1.1.html#server-object */
export async function checkOpenApi(client: Client, base: string): Promise<CheckFinding> {
  const exchange = await client.get("/openapi.json");
  if (!hasStatus(exchange, 200))
    return toFinding("site.openapi", findStatusProblems([exchange], [200]), "");
  const { data, problems } = parseObject(exchange.body);
  if (data === undefined) return toFinding("site.openapi", problems, "");
  const { servers } = data;
  const [server, ...more]: readonly unknown[] = Array.isArray(servers) ? servers : [];
  const url = isObject(server) ? server["url"] : undefined;
  const shown = show(more.length === 0 ? url : servers);
  const isOwn = url === base && more.length === 0;
  return toFinding("site.openapi", unless(isOwn, `its server is ${shown}, not ${base}`), base);
}
