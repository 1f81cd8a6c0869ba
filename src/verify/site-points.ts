import { PUBLISH, type Row } from "./point-row.ts";

const ADDRESS =
  "Set --base-url (STATUS_SNAPSHOT_BASE_URL) to the address that was verified, publish again, and wait a minute for the caches. If the front is reached by several names, verify the one of the website.";

/** The points about the website. Each compares what it reads with the address that was verified. */
export const SITE_ROWS = {
  "site.published": [
    "the website is there, in both languages",
    "decision",
    "Publish with --base-url (STATUS_SNAPSHOT_BASE_URL), without which a bucket gets no website, and map its paths in the front. A deployment that has none on purpose is verified with --api-only.",
  ],
  "site.pages": [
    "a page of a service, /api and /about are there, in both languages",
    "decision",
    "Map the pages in the front, and publish with the current version.",
  ],
  "site.canonical": [
    "pages name the address that was verified, for search engines and shared links",
    "decision",
    ADDRESS,
  ],
  "site.languages": ["pages say their language and lead to the other one", "decision", ADDRESS],
  "site.snippets": ["the examples on /api ask the address that was verified", "decision", ADDRESS],
  "site.files": [
    "what a page loads is there: style, script, icons, manifest",
    "decision",
    "Map the files of the website in the front, and publish with the current version.",
  ],
  "site.feeds": [
    "feeds are well-formed Atom and name the address that was verified",
    "decision",
    ADDRESS,
  ],
  "site.sitemap": [
    "the sitemap has every service, at the address that was verified",
    "decision",
    ADDRESS,
  ],
  "site.robots": ["robots.txt lets robots in and names the sitemap", "decision", ADDRESS],
  "site.openapi": [
    "the OpenAPI document has the address that was verified for its server",
    "decision",
    ADDRESS,
  ],
  "site.policy": [
    "pages are sent with a Content-Security-Policy, a Referrer-Policy and nosniff",
    "decision",
    "Take these headers over from the shipped configuration of the front, on the page about missing paths as well.",
  ],
  "site.missing": [
    "a path that leads to nothing is 404 with a page that robots leave out",
    "decision",
    `Let the front answer 404.html with status 404. ${PUBLISH}`,
  ],
} as const satisfies Readonly<Record<string, Row>>;
