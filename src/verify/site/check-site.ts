import type { Client } from "../http/client.ts";
import { hasStatus } from "../http/http-exchange.ts";
import { type CheckFinding, skipGroup } from "../finding.ts";
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

/** What the website has to agree with. */
export interface SiteQuestion {
  /** The verified address, without a slash at its end. */
  readonly base: string;
  /** Services of the list; the page of the first one is checked. */
  readonly slugs: readonly string[];
  /** A name of which no page exists. */
  readonly unknown: string;
}

/**
 * Checks the website of a deployment, and that it names the verified address everywhere. Without both home pages one check fails
 * and the others are skipped.
 */
export async function checkSite(
  client: Client,
  { base, slugs, unknown }: SiteQuestion,
): Promise<readonly CheckFinding[]> {
  const homes = await readPages(client, ["/"]);
  const published = checkPagesExist("site.published", homes);
  if (homes.every(({ exchange }) => !hasStatus(exchange, 200)))
    return [...skipGroup("site", "no website is published"), published];
  const [sample] = slugs;
  const service = sample === undefined ? [] : await readPages(client, [`/status/${sample}`]);
  const texts = await readPages(client, ["/api", "/about", "/data"]);
  const there = pagesThere([...homes, ...service, ...texts]);
  const nothing = await Promise.all(
    [`/${unknown}`, `/en/status/${unknown}`].map((target) =>
      client.send({ method: "GET", target }),
    ),
  );
  const withFeed = pagesThere([...homes, ...service]);
  const home = pagesThere(homes)[0];
  const answers = [
    ...there.map(({ answer }) => answer),
    ...nothing.filter((exchange) => hasStatus(exchange, 404)),
  ];
  return [
    published,
    checkPagesExist("site.pages", [...service, ...texts]),
    checkCanonical(base, there),
    checkLanguages(base, there),
    checkSnippets(base, pagesThere(texts.filter(({ path }) => path === "/api"))),
    checkPolicy(base, answers),
    checkMissingPage(nothing),
    ...(await Promise.all([
      ...(home === undefined ? [] : [checkFiles(client, base, home)]),
      checkFeeds(client, base, withFeed),
      checkSitemap(client, base, slugs),
      checkRobots(client, base),
      checkOpenApi(client, base),
    ])),
  ];
}
