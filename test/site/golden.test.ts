import { expect, test } from "vitest";
import type { Document } from "../../src/model/service/snapshot.ts";
import {
  buildMonitorFeedDocument,
  buildMonitorPages,
  buildSite,
  toTemplates,
} from "../../src/site/site-files.ts";
import PROSE from "../../src/site/words/pages/prose.generated.json" with { type: "json" };
import type { SiteView } from "../../src/site/view.ts";
import { MONITORS } from "./monitor-fixture.ts";
import { OUTAGE_LIST } from "./outage-fixture.ts";
import { QUIET_SITE } from "./quiet-site.ts";
import { ADDRESS, ASSETS, NOW_MS, SITE_FIXTURE } from "./site-fixture.ts";

/*
 * What every page of the website says, as a file for each: `vitest -u` writes them again, and the difference shows a reviewer what a change
 * does to the pages.
 */

const SITE = {
  ...ADDRESS,
  isSelfService: true,
  reportUrl: "https://report.example.ru",
  pushKey: "public-key",
};

/** A line for each tag, so that a difference is as small as the change. */
const linesOf = (html: string): readonly string[] =>
  html.split(/(?<=>)(?=<[^/])|(?<=<\/(?:div|p|li|section|ul)>)|\n/u);

/** The text of the API and about the site, which has tests of its own. */
const FIXED = new Set(
  Object.values(PROSE).flatMap(({ ru, en }) => [...linesOf(ru.html), ...linesOf(en.html)]),
);

/** Of pages of one kind only the first has the frame of all. */
function toLines({ key, body }: Document): string {
  const text = new TextDecoder().decode(body);
  if (key.endsWith(".json")) {
    const content = JSON.parse(text);
    // The contract has golden files of its own.
    delete content.components?.schemas;
    return `${JSON.stringify(content, undefined, 1)}\n`;
  }
  const part = FRAMED.test(key) ? text : (/<main.*<\/main>/su.exec(text)?.[0] ?? text);
  const lines = linesOf(part);
  return `${(IS_PROSE.test(key) ? lines.filter((line) => !FIXED.has(line)) : lines).join("\n")}\n`;
}

const FRAMED =
  /^(?:(?:quiet\/(?:en\/)?)?index\.html|404\.html|monitor\/new|status\/ok|m\/my-shop|outages|day\/[\d-]+|status\/vtb\/outages\/\d+)$/u;

function documentsOf(view: SiteView): readonly Document[] {
  return buildSite(view, [], ASSETS, NOW_MS).flat();
}

const IS_PROSE = /^(?:en\/)?(?:api|about)$/u;

function fileOf({ key }: Document): string {
  return `golden/${key.replaceAll("/", "-")}.txt`;
}

const OUTAGES = toTemplates(SITE, ASSETS);

const ALL = [
  ...documentsOf({ ...SITE_FIXTURE, address: SITE }),
  ...documentsOf(QUIET_SITE).flatMap((one) =>
    /^(?:en\/)?index\.html$/u.test(one.key) ? [{ ...one, key: `quiet/${one.key}` }] : [],
  ),
  ...MONITORS.flatMap((monitor) => [
    ...buildMonitorPages(SITE, monitor, ASSETS),
    buildMonitorFeedDocument(SITE, monitor),
  ]),
  ...OUTAGES.list(OUTAGE_LIST),
  ...OUTAGES.day("2026-11-20", OUTAGE_LIST.outages.slice(1, 2)),
  ...OUTAGE_LIST.outages.flatMap(OUTAGES.page),
];

test.each([
  ["pages of services", /status\//u],
  ["pages of monitors", /^(?:en\/)?m\//u],
  ["pages of owners", /monitor\//u],
  ["feeds", /feed/u],
  ["other pages", /^(?!.*(?:status\/|m\/|monitor\/|feed))/u],
])("%s say what they did", async (_, kind) => {
  for (const document of ALL.filter(({ key }) => kind.test(key)))
    await expect.soft(toLines(document)).toMatchFileSnapshot(fileOf(document));
});
