import type { Client } from "./client.ts";
import { hasStatus } from "./exchange.ts";
import { type Finding, skip } from "./finding.ts";
import { judgeFeeds, judgeOpenApi, judgeRobots, judgeSitemap } from "./site-documents.ts";
import {
  judgeCanonical,
  judgeFiles,
  judgeLanguages,
  judgeMissingPage,
  judgePagesThere,
  judgePolicy,
  judgeSnippets,
} from "./site-pages.ts";
import { SITE_ROWS } from "./site-points.ts";
import { pagesThere, readPages } from "./site-reading.ts";

/** What the website is held against. */
export interface SiteQuestion {
  /** The address that was verified, without a slash at its end. */
  readonly base: string;
  /** Services of the list; the page of the first is looked at. */
  readonly slugs: readonly string[];
  /** A name that no page has. */
  readonly unknown: string;
}

// The keys of a literal.
const POINTS_OF_SITE = Object.keys(SITE_ROWS) as readonly (keyof typeof SITE_ROWS)[];

/** Every point of the website, skipped for a reason. */
export function skipSite(why: string): readonly Finding[] {
  return POINTS_OF_SITE.map((id) => skip(id, why));
}

/**
 * Judges the website of a deployment against the address under which it was found. Where neither home page is there, one point
 * says so and the others are skipped.
 */
export async function judgeSite(
  client: Client,
  { base, slugs, unknown }: SiteQuestion,
): Promise<readonly Finding[]> {
  const homes = await readPages(client, ["/"]);
  const published = judgePagesThere("site.published", homes);
  if (homes.every(({ exchange }) => !hasStatus(exchange, 200)))
    return [...skipSite("no website is published"), published];
  const [sample] = slugs;
  const service = sample === undefined ? [] : await readPages(client, [`/status/${sample}`]);
  const texts = await readPages(client, ["/api", "/about"]);
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
    judgePagesThere("site.pages", [...service, ...texts]),
    judgeCanonical(base, there),
    judgeLanguages(base, there),
    judgeSnippets(base, pagesThere(texts.filter(({ path }) => path === "/api"))),
    judgePolicy(base, answers),
    judgeMissingPage(nothing),
    ...(await Promise.all([
      ...(home === undefined ? [] : [judgeFiles(client, base, home)]),
      judgeFeeds(client, base, withFeed),
      judgeSitemap(client, base, slugs),
      judgeRobots(client, base),
      judgeOpenApi(client, base),
    ])),
  ];
}
