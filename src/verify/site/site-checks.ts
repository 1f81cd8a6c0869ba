import { PUBLISH, type CheckRow } from "../check-row.ts";

const ADDRESS =
  "Set --base-url (STATUS_SNAPSHOT_BASE_URL) to the verified address, publish again, and wait a minute because of caches. If the front has several names, verify that of --base-url.";

/** The checks of the website. Addresses in it have to be the verified one. */
export const SITE_ROWS = {
  "site.published": [
    "the home pages / and /en/ are 200 and HTML",
    "decision",
    "Publish with --base-url (STATUS_SNAPSHOT_BASE_URL), which a bucket needs for the website, and map its paths in the front. If there is no website on purpose, use --api-only.",
  ],
  "site.pages": [
    "a page of a service, /api, /about and /data are 200 and HTML, in both languages",
    "decision",
    "Map the pages in the front, and publish with the current version.",
  ],
  "site.canonical": [
    "canonical, og:url and og:image of pages have the verified address",
    "decision",
    ADDRESS,
  ],
  "site.languages": ["pages declare their language and link to the other one", "decision", ADDRESS],
  "site.snippets": ["the examples on /api request the verified address", "decision", ADDRESS],
  "site.files": [
    "style, script, icons and manifest of the home page are 200",
    "decision",
    "Map the files of the website in the front, and publish with the current version.",
  ],
  "site.feeds": [
    "feeds are well-formed Atom and have only the verified address",
    "decision",
    ADDRESS,
  ],
  "site.sitemap": [
    "the sitemap has every service, and only the verified address",
    "decision",
    ADDRESS,
  ],
  "site.robots": ["robots.txt excludes no robot and names the sitemap", "decision", ADDRESS],
  "site.openapi": [
    "the server of the OpenAPI document is the verified address",
    "decision",
    ADDRESS,
  ],
  "site.policy": [
    "pages have a Content-Security-Policy, a Referrer-Policy and nosniff",
    "decision",
    "Copy these headers from the shipped configuration of the front, also for the not-found page.",
  ],
  "site.missing": [
    "an unknown path is 404 with a page that is not indexed",
    "decision",
    `Let the front send 404.html with status 404. ${PUBLISH}`,
  ],
} as const satisfies Readonly<Record<string, CheckRow>>;
