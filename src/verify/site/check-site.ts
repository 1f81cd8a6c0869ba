import { checkFeeds, checkOpenApi, checkRobots, checkSitemap } from "./site-documents.ts";
import {
  checkCanonical,
  checkFiles,
  checkLanguages,
  checkMissingPage,
  checkPagesExist,
  checkPolicy,
  checkSnippets,
} from "./site-pages.ts";
import { pagesThere, readPages } from "./site-reading.ts";
import { type CheckFinding, skipGroup } from "../finding.ts";
import { type Client, hasStatus } from "../http/client.ts";

/**
 * Checks that a website names the verified address everywhere. Without both home pages one check fails, the others are skipped.
 *
 * @param base the verified address, without a slash at its end.
 * @param slugs services of the list; the page of the first one is checked.
 * @param unknown a name of which no page exists.
 */
export async function checkSite(
  client: Client,
  base: string,
  slugs: readonly string[],
  unknown: string,
): Promise<readonly CheckFinding[]> {
  const homes = await readPages(client, "/");
  const published = checkPagesExist("site.published", homes);
  const homesThere = pagesThere(homes);
  const [home] = homesThere;
  if (home === undefined) return [...skipGroup("site", "no website is published"), published];
  const services = await readPages(client, ...slugs.slice(0, 1).map((slug) => `/status/${slug}`));
  const texts = await readPages(client, "/api", "/about", "/data");
  const withFeed = [...homesThere, ...pagesThere(services)];
  const textsThere = pagesThere(texts);
  const there = [...withFeed, ...textsThere];
  const nothing = await client.getAll([`/${unknown}`, `/en/status/${unknown}`]);
  const answers = [
    ...there.map(({ exchange }) => exchange),
    ...nothing.filter((exchange) => hasStatus(exchange, 404)),
  ];
  return [
    published,
    checkPagesExist("site.pages", [...services, ...texts]),
    checkCanonical(base, there),
    checkLanguages(base, there),
    checkSnippets(
      base,
      textsThere.filter(({ path }) => path === "/api"),
    ),
    checkPolicy(base, answers),
    checkMissingPage(nothing),
    ...(await Promise.all([
      checkFiles(client, base, home),
      checkFeeds(client, base, withFeed),
      checkSitemap(client, base, slugs),
      checkRobots(client, base),
      checkOpenApi(client, base),
    ])),
  ];
}
