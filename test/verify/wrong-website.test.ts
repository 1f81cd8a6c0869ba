import { expect, test } from "vitest";
import { checkWith, problemsOf } from "./check.ts";
import type { Corrupt } from "./good-deployment.ts";
import { setHeader, when } from "./rows/corrupt.ts";
import { at } from "./rows/front-rows.ts";

/** Takes a text out of an answer, or puts another in its place. */
const change = (target: string, before: string | RegExp, after = ""): Corrupt =>
  at(target, (answer) => {
    const body = answer.body.replace(before, after);
    if (body === answer.body) throw new RangeError(`${target} has no ${String(before)}`);
    answer.body = body;
  });

const BASE = "http://status.test";

/* What the website says of a part that is not there at all. */
test.each<readonly [what: string, corrupt: Corrupt, problem: string]>([
  [
    "a page without a type",
    at("/about", setHeader("Content-Type")),
    "site.pages: GET /about: HTTP 200, Content-Type is absent",
  ],
  [
    "a canonical address without a target",
    change("/about", /(?<=<link rel="canonical") href="http:\/\/status[^"]*"/u),
    `site.canonical: /about: canonical is nothing, not ${BASE}/about`,
  ],
  [
    "an address for shared links without a value",
    change("/about", /(?<=property="og:url") content="[^"]*"/u),
    `site.canonical: /about: og:url is nothing, not ${BASE}/about`,
  ],
  [
    "a page without a language",
    change("/en/about", "<html lang=en>", "<html>"),
    "site.languages: /en/about: its language is nothing, not en",
  ],
  [
    "a link to a language without a target",
    change("/about", / HREF='[^']*'/u),
    `site.languages: /about: hreflang en is nothing, not ${BASE}/en/about`,
  ],
  [
    "a style with an invalid address",
    change("/", 'href="/site.css?v=1"', 'href="http://[/"'),
    `site.files: /: it loads http://[/, not below ${BASE}`,
  ],
  [
    "a feed without an address of its own",
    change("/feed.atom", 'rel="self"', 'rel="via"'),
    "site.feeds: GET /feed.atom: its self link is absent",
  ],
  [
    "a link of a feed without a target",
    change("/feed.atom", / href="[^"]*"(?=\/><icon>)/u),
    `site.feeds: GET /feed.atom: 1 of 4 addresses are not below ${BASE}: `,
  ],
  [
    "robots.txt without a sitemap",
    change("/robots.txt", /Sitemap:.*/u),
    `site.robots: its sitemap is not named, not ${BASE}/sitemap.xml`,
  ],
  [
    "robots.txt with two sitemaps",
    change("/robots.txt", "Sitemap:", "Sitemap: /a\nSitemap:"),
    `site.robots: its sitemap is /a, ${BASE}/sitemap.xml, not ${BASE}/sitemap.xml`,
  ],
])("%s is told as such", async (_what, corrupt, problem) => {
  const report = await checkWith(corrupt, { isApiOnly: false, badgeId: undefined });
  expect(problemsOf(report)).toBe(problem);
});

test("a script in the page itself needs no file", async () => {
  const corrupt = change("/", ' src="/site.js"');
  const report = await checkWith(corrupt, { isApiOnly: false, badgeId: undefined });
  expect(problemsOf(report)).toBe("");
});

test.each([
  ["without a word to robots", /<meta name="robots"[^>]*>/u, ""],
  ["with an empty word to robots", ' content="noindex"', ""],
  ["with a word to robots of another name", 'name="robots"', 'name="robot"'],
])("a not-found page %s may be indexed, which is a problem", async (_what, before, after) => {
  const corrupt = when(
    ({ target }) => target.includes("nothing-"),
    (answer) => (answer.body = answer.body.replace(before, after)),
  );
  const report = await checkWith(corrupt, { isApiOnly: false, badgeId: undefined });
  expect(problemsOf(report)).toMatch(/^site\.missing: GET \/\S*nothing-\w+: HTTP 404: no noindex/u);
});
