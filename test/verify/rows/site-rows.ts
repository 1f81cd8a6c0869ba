import { become, isOfSite, setHeader, when } from "./corrupt.ts";
import { at } from "./front-rows.ts";
import type { Corrupt, PassingAnswer } from "../good-deployment.ts";
import type { Row } from "../rows.ts";

const SERVICE = "/status/sberbank";
const MADE_UP = "http://127.0.0.1:8080";

const isMissingPage = ({ target }: PassingAnswer): boolean => target.includes("nothing-");
const isPage = ({ headers }: PassingAnswer): boolean =>
  headers.some(([name, value]) => name === "content-type" && value.startsWith("text/html"));

/** Replaces a text in the body of a response. Throws RangeError if it is not found. */
const replace = (target: string, before: string | RegExp, after: string): Corrupt =>
  at(target, (answer) => {
    const body = answer.body.replace(before, after);
    if (body === answer.body) throw new RangeError(`${target} has no ${String(before)}`);
    answer.body = body;
  });

/** Replaces the address of the deployment in one response. */
const moveTo = (target: string, other = MADE_UP): Corrupt =>
  at(target, (answer) => {
    answer.body = answer.body.replaceAll(`http://${answer.request.headers.host}`, other);
  });

/** Replaces the address in all responses, as if the website had been published without `--base-url`. */
const nameMadeUpEverywhere: Corrupt = (answer) => {
  answer.body = answer.body.replaceAll(`http://${answer.request.headers.host}`, MADE_UP);
};

const CANONICAL = /<link rel="canonical"[^>]*>\n<link/u;

/** Each row has one fault of the website. */
export const SITE_ROWS: readonly Row[] = [
  ["no English home page", at("/en/", become(404)), "site.published"],
  [
    "a home page that is not HTML",
    at("/", setHeader("Content-Type", "text/plain")),
    "site.published",
  ],
  ["no website at all", when(isOfSite, become(404)), "site.published"],
  ["no page of a service in English", at(`/en${SERVICE}`, become(404)), "site.pages"],
  ["no about page", at("/about", become(500)), "site.pages"],
  [
    "a website with a made-up address",
    nameMadeUpEverywhere,
    "site.canonical",
    [
      "site.languages",
      "site.snippets",
      "site.feeds",
      "site.sitemap",
      "site.robots",
      "site.openapi",
    ],
  ],
  ["no canonical address", replace(SERVICE, CANONICAL, "<link"), "site.canonical"],
  [
    "two canonical addresses",
    replace("/", "</head>", '<link rel="canonical" href="https://a.example/"></head>'),
    "site.canonical",
  ],
  [
    "the canonical address of the other language",
    replace("/en/about", /rel="canonical" href="http:[^"]*"/u, 'rel="canonical" href="/about"'),
    "site.canonical",
  ],
  ["no address for shared links", replace("/", "og:url", "og:title"), "site.canonical"],
  [
    "a picture of another host for shared links",
    replace("/", /"og:image" content="/u, '"og:image" content="http://127.0.0.1:8080/'),
    "site.canonical",
  ],
  ["a page in another language", replace("/en/", "lang=en", "lang=ru"), "site.languages"],
  ["no link to the other language", replace(SERVICE, "HREFLANG='en'", ""), "site.languages"],
  [
    "a link to the other language that leads home",
    replace(SERVICE, /HREF='[^']*'/u, "HREF='/en/'"),
    "site.languages",
  ],
  ["no default language", replace("/about", "x-default", "fr"), "site.languages"],
  [
    "examples that request another host",
    replace("/en/api", "<pre>curl ", "<pre>curl http://localhost/api/v1/status "),
    "site.snippets",
  ],
  ["no examples", replace("/api", /<pre>.*<\/pre>/u, ""), "site.snippets"],
  ["no style", at("/site.css?v=1", become(404)), "site.files"],
  [
    "a script of another host",
    replace("/", '"/site.js"', '"https://cdn.example/site.js"'),
    "site.files",
  ],
  [
    "a page that loads nothing",
    replace("/", /<link rel="stylesheet"[^]*<\/script>/u, ""),
    "site.files",
  ],
  [
    "a feed that its page does not name",
    replace("/", /<link rel="alternate" type[^>]*>/u, ""),
    "site.feeds",
  ],
  ["a missing feed", at("/feed/sberbank.atom", become(404)), "site.feeds"],
  ["a feed that names another address", moveTo("/feed.atom"), "site.feeds"],
  ["a feed that is not well-formed", replace("/feed.atom", "</title>", ""), "site.feeds"],
  ["a feed in RSS", replace("/feed.atom", /<(\/?)feed/gu, "<$1rss"), "site.feeds"],
  [
    "a feed with another Content-Type",
    at("/feed.atom", setHeader("Content-Type", "text/xml")),
    "site.feeds",
  ],
  ["a feed without an id", replace("/feed.atom", /<id>.*<\/id>/u, ""), "site.feeds"],
  [
    "a feed whose id is an address",
    replace("/feed.atom", "urn:uuid:", "https://status.example/"),
    "site.feeds",
  ],
  ["no sitemap", at("/sitemap.xml", become(404)), "site.sitemap"],
  ["a sitemap of another address", moveTo("/sitemap.xml"), "site.sitemap"],
  [
    "a sitemap without a service",
    replace("/sitemap.xml", /<loc>[^<]*telegram<\/loc>/u, ""),
    "site.sitemap",
  ],
  [
    "a sitemap that is an index",
    replace("/sitemap.xml", /urlset/gu, "sitemapindex"),
    "site.sitemap",
  ],
  ["no robots.txt", at("/robots.txt", become(404)), "site.robots"],
  ["robots.txt of another address", moveTo("/robots.txt"), "site.robots"],
  ["robots that are excluded", replace("/robots.txt", "/report/", "/"), "site.robots"],
  ["no OpenAPI document", at("/openapi.json", become(404)), "site.openapi"],
  ["an OpenAPI document that is not JSON", at("/openapi.json", become(200, "{")), "site.openapi"],
  ["an OpenAPI document of another server", moveTo("/openapi.json"), "site.openapi"],
  [
    "an OpenAPI document without a server",
    replace("/openapi.json", "servers", "server"),
    "site.openapi",
  ],
  [
    "an OpenAPI document of two servers",
    replace("/openapi.json", "[{", '[{"url":"http://localhost"},{'),
    "site.openapi",
  ],
  ["pages without a policy", at("/", setHeader("Content-Security-Policy")), "site.policy"],
  [
    "a policy that allows all scripts",
    at(
      "/api",
      setHeader(
        "Content-Security-Policy",
        "default-src 'none'; script-src *; frame-ancestors 'none'",
      ),
    ),
    "site.policy",
  ],
  [
    "a policy without frame-ancestors",
    at("/en/about", setHeader("Content-Security-Policy", "default-src 'none'; script-src 'self'")),
    "site.policy",
  ],
  [
    "a policy without default-src",
    at("/", setHeader("Content-Security-Policy", "frame-ancestors 'none'")),
    "site.policy",
  ],
  ["no Referrer-Policy", at(SERVICE, setHeader("Referrer-Policy")), "site.policy"],
  ["pages without nosniff", when(isPage, setHeader("X-Content-Type-Options")), "site.policy"],
  [
    "the not-found page without a policy",
    when(isMissingPage, setHeader("Content-Security-Policy")),
    "site.policy",
  ],
  [
    "an unknown path that is 200",
    when(isMissingPage, (answer) => (answer.status = 200)),
    "site.missing",
  ],
  [
    "a not-found page that is JSON",
    when(isMissingPage, setHeader("Content-Type", "application/json")),
    "site.missing",
  ],
  [
    "a not-found page that is indexed",
    when(isMissingPage, (answer) => (answer.body = answer.body.replace("noindex", "index"))),
    "site.missing",
  ],
  [
    "a not-found page with a canonical address",
    when(isMissingPage, (answer) => (answer.body += '<link rel="canonical" href="/">')),
    "site.missing",
  ],
];
