/** A check: what holds if it passes, its basis, and what to fix if it fails. */
export interface VerifyCheck {
  readonly title: string;
  /** The API specification, or a decision of this project where the specification says nothing. */
  readonly source: "specification" | "decision";
  readonly fix: string;
}

const specified = (title: string) => ({ title, source: "specification" }) as const;
const decided = (title: string) => ({ title, source: "decision" }) as const;

/** All checks except those of headers, in the order of the output: what holds if they pass. */
const TITLES = {
  "list.reachable": specified("the list answers 200, with and without Origin"),
  "list.json": specified("the list is a JSON object in UTF-8"),
  "list.fields": specified("the list has exactly its two fields"),
  "list.updated": specified("`updated` is a whole number of Unix seconds"),
  "list.fresh": specified("`updated` is recent"),
  "list.count": specified("the list has every service of the catalogue"),
  "list.entries": specified("every entry has exactly its five fields, of the right types"),
  "list.slugs": specified("slugs are well-formed and unique"),
  "list.pairs": specified("the list has only the pairs of code and colour of the specification"),
  "list.live": specified("`live` in the list fits the code"),
  "detail.reachable": specified("every service of the list answers 200, with and without Origin"),
  "detail.json": specified("every detail is a JSON object in UTF-8"),
  "detail.fields": specified("every detail has exactly its eight fields"),
  "detail.types": specified("the fields of details have the right types"),
  "detail.pairs": specified("details have only the pairs of code and colour of the specification"),
  "detail.live": specified("`live` in details fits the code"),
  "detail.since": specified("`since` is null or whole seconds, and not in the future"),
  "detail.reports": specified(
    "report counts are whole, not negative, and not higher for the hour than for the day",
  ),
  "detail.agrees": specified("list and details agree"),
  "missing.status": specified("an unknown slug is 404, with and without Origin"),
  "missing.body": decided("the body of a 404 is small JSON"),
  "missing.badge": decided("every badge of an unknown monitor is 404"),
  "methods.refused": decided("POST, PUT and DELETE are 405"),
  "methods.options": decided("OPTIONS is 200 or 204, and readable by any origin"),
  "list.head": specified("HEAD of the list has the headers of GET and no body"),
  "detail.head": specified("HEAD of a detail has the headers of GET and no body"),
  "list.conditional": decided("a conditional GET of an unchanged list is 304"),
  "detail.conditional": decided("a conditional GET of an unchanged detail is 304"),
  "list.encoding": specified("the list is the same with and without compression"),
  "list.query": specified("a query string changes nothing"),
  "path.trailing-slash": decided("a trailing slash is 404"),
  "path.upper-case": decided("upper case is 404"),
  "path.encoded-dots": decided("encoded dot segments are 404"),
  "path.dot-segments": decided("dot segments are 404"),
  "path.double-slash": decided("doubled slashes are 404"),
  "path.suffix": decided("the store's own names (.json) are 404"),
  "path.encoded-slash": decided("an encoded slash is 404"),
  "path.null-byte": decided("a null byte is refused with 4xx"),
  "path.state": decided("the private state is unreachable"),
  "redirects.none": decided("nothing is redirected"),
  "rate-limit": decided("a 429 is readable by browsers and has Retry-After"),
  "data.reachable": decided(
    "changes, Statuspage, metrics, accuracy and operators answer 200, with and without Origin; what comes later 200 or 404",
  ),
  "data.json": decided("every JSON document of open data is an object in UTF-8"),
  "data.changes": decided(
    "changes have numbers without a gap, unique ids, pairs of code and colour, and no time in the future",
  ),
  "data.statuspage": decided(
    "the documents of Statuspage have its fields, and the indicator fits the open incidents",
  ),
  "data.metrics": decided("the metrics are OpenMetrics, and exactly one code of each service is 1"),
  "data.agrees": decided("Statuspage and metrics say of every service what the list says"),
  "data.operators": decided("reports by operator have exactly their fields, and none too few"),
  "data.accuracy": decided("the accuracy has exactly its fields"),
  "data.history": decided(
    "the uptimes have every service of the list, and the history of a service its days",
  ),
  "data.outages": decided("the newest outages are in order, each with its own address"),
  "data.archive": decided(
    "the newest files of the archive have the size and digest of its lists, and may be kept for ever",
  ),
  "data.shields": decided("the badges of services as JSON can be drawn by shields.io"),
  "site.published": decided("the home pages / and /en/ are 200 and HTML"),
  "site.pages": decided(
    "a page of a service, /api, /about and /data are 200 and HTML, in both languages",
  ),
  "site.canonical": decided("canonical, og:url and og:image of pages have the verified address"),
  "site.languages": decided("pages declare their language and link to the other one"),
  "site.snippets": decided("the examples on /api request the verified address"),
  "site.files": decided("style, script, icons and manifest of the home page are 200"),
  "site.feeds": decided("feeds are well-formed Atom and have only the verified address"),
  "site.sitemap": decided("the sitemap has every service, and only the verified address"),
  "site.robots": decided("robots.txt excludes no robot and names the sitemap"),
  "site.openapi": decided("the server of the OpenAPI document is the verified address"),
  "site.policy": decided("pages have a Content-Security-Policy, a Referrer-Policy and nosniff"),
  "site.missing": decided("an unknown path is 404 with a page that is not indexed"),
  "badge.reachable": specified("badge.svg answers 200, with and without Origin"),
  "badge.kinds": decided(
    "badge.png, badge.json and the SVGs of other windows answer 200, with and without Origin",
  ),
  "badge.others": decided("names that are not badges, and the id in the other case, are 404"),
  "badge.svg": decided(
    "every SVG badge is well-formed, has a size, runs nothing and loads nothing",
  ),
  "badge.title": decided("every SVG badge has role=img, and a title and label with its text"),
  "badge.json": decided("badge.json can be drawn by shields.io"),
  "badge.value": specified(
    "every badge shows a percentage with two decimals, 100%, or that there is no data",
  ),
  "badge.png": decided("badge.png is a complete PNG"),
  "badge.agrees": decided("badge.json has the text of badge.svg, and badge.png is twice its size"),
  "badge.policy": decided("SVG badges forbid scripts by their Content-Security-Policy"),
  "badge.head": specified("HEAD of a badge has the headers of GET and no body"),
  "badge.conditional": decided("a conditional GET of an unchanged badge is 304"),
} as const;

const PUBLISH = "Publish again with the current version; nothing else may write these documents.";
const FRONT_STATUS = "Map the path in the front, and let anonymous clients read public objects.";
const HEAD = "Let the front handle HEAD like GET.";
const TWO_VERSIONS =
  "Check whether two writers publish, and whether caches keep a document for longer than a minute.";
const MAP =
  "Map the paths of docs/publish/fronts.md in the front, and publish with the current version.";

/** What to fix, by group. */
const GROUP_FIXES: Readonly<Record<string, string>> = {
  path: "The front normalises or rewrites paths: let it compare the raw request target instead.",
  site: "Set --base-url (STATUS_SNAPSHOT_BASE_URL) to the verified address, publish again, and wait a minute because of caches. If the front has several names, verify that of --base-url.",
};

/** What to fix, where it is not that of the group and not to publish again. */
const FIXES: Readonly<Partial<Record<keyof typeof TITLES, string>>> = {
  "list.reachable": `Check that the host responds at all. ${FRONT_STATUS}`,
  "list.fresh":
    "Check whether the timer still starts runs, whether the runs are valid, and whether a cache keeps the list too long.",
  "list.count":
    "Publish with the right catalogue, or give the number of its services with --expect.",
  "list.slugs": "Fix the slugs in the catalogue.",
  "detail.reachable": FRONT_STATUS,
  "detail.since": "Check the clock of the runner, then publish again.",
  "detail.agrees": TWO_VERSIONS,
  "missing.status":
    "Let the front turn the store's response for a missing key, such as 403, into 404.",
  "missing.body":
    'Let the front send {"error":"not found"} itself instead of the error page of the store.',
  "missing.badge": "As for unknown slugs.",
  "methods.refused":
    "Let the front refuse all methods but GET, HEAD and OPTIONS without a request to the store.",
  "methods.options": "Answer OPTIONS in the front with 204 and Access-Control-Allow-Origin: *.",
  "list.head": HEAD,
  "detail.head": HEAD,
  "list.conditional":
    "Pass ETag and If-None-Match (Last-Modified and If-Modified-Since) through, and add the headers to 304 as well.",
  "detail.conditional": "As for the list.",
  "list.encoding": "Check how the front compresses, and that it sends Vary: Accept-Encoding.",
  "list.query": "Let the front ignore the query string.",
  "path.suffix": "Serve only the paths of the API, not the store.",
  "path.null-byte": "Refuse other paths than those of the API without a request to the store.",
  "path.state": "Keep the state in another bucket or folder, and serve only the paths of the API.",
  "redirects.none": "Serve the paths of the API without redirects; give verify the final address.",
  "rate-limit": "Add Access-Control-Allow-Origin: * and Retry-After to 429 in the front.",
  "data.reachable": MAP,
  "data.changes": `Check the clock of the runner. ${PUBLISH}`,
  "data.agrees": TWO_VERSIONS,
  "data.history": `${MAP} Check the clock of the runner.`,
  "data.outages": `${MAP} Check the clock of the runner.`,
  "data.archive": `${MAP} Let nothing between store and client change or compress these files.`,
  "site.published":
    "Publish with --base-url (STATUS_SNAPSHOT_BASE_URL), which a bucket needs for the website, and map its paths in the front. If there is no website on purpose, use --api-only.",
  "site.pages": "Map the pages in the front, and publish with the current version.",
  "site.files": "Map the files of the website in the front, and publish with the current version.",
  "site.policy":
    "Copy these headers from the shipped configuration of the front, also for the not-found page.",
  "site.missing": `Let the front send 404.html with status 404. ${PUBLISH}`,
  "badge.reachable": "Check that the monitor is public, and that a run has been made since.",
  "badge.kinds": "Map all six paths in the front, and publish with the current version.",
  "badge.others":
    "Map only the six paths; keep documents in a store that distinguishes upper and lower case.",
  "badge.agrees": TWO_VERSIONS,
  "badge.policy":
    "Add Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; sandbox to SVG in the front.",
  "badge.head": HEAD,
  "badge.conditional": "As for the list.",
};

/** Groups of responses for the checks of headers, with their names in titles. */
const SUBJECTS = {
  list: "the list",
  detail: "details",
  missing: "404",
  refused: "405",
  badge: "badges",
  data: "open data",
};
export type CheckSubject = keyof typeof SUBJECTS;

const ASPECTS = {
  cors: {
    ...specified("Access-Control-Allow-Origin: * exactly once on"),
    fix: "Set it in the front, also on errors, and remove the header of the store.",
  },
  cache: {
    ...specified("Cache-Control with max-age=60 (errors: at most 60) on"),
    fix: "Set it in the front, and on the objects when they are uploaded.",
  },
  ttl: {
    ...specified("no cache may keep for longer than 60 s:"),
    fix: "Limit the TTL of the CDN to 60 s, remove s-maxage and Expires, and do not serve stale responses.",
  },
  type: {
    ...decided("the right Content-Type on"),
    fix: "Set the type on the objects, and on the responses of the front itself.",
  },
  nosniff: {
    ...decided("X-Content-Type-Options: nosniff on"),
    fix: "Set it in the front, also on errors.",
  },
} as const satisfies Readonly<Record<string, VerifyCheck>>;
export type Aspect = keyof typeof ASPECTS;

export type CheckId = keyof typeof TITLES | `${CheckSubject}.${Aspect}`;

/** Every check by its id, in the order of the output. */
export const CHECKS: ReadonlyMap<CheckId, VerifyCheck> = new Map([
  ...typedEntries(TITLES).map(([id, check]): [CheckId, VerifyCheck] => {
    const fix = FIXES[id] ?? GROUP_FIXES[id.split(".", 1)[0] ?? ""] ?? PUBLISH;
    return [id, { ...check, fix }];
  }),
  ...typedEntries(SUBJECTS).flatMap(([subject, words]) =>
    typedEntries(ASPECTS).map(([aspect, check]): [CheckId, VerifyCheck] => [
      `${subject}.${aspect}`,
      { ...check, title: `${check.title} ${words}` },
    ]),
  ),
]);

/** `Object.entries` of an object that has no keys besides those of its type: all arguments are literals of this code. */
export function typedEntries<T extends object>(object: T): [keyof T, T[keyof T]][] {
  return Object.entries(object) as [keyof T, T[keyof T]][];
}
