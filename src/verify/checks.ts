/** The basis of a check: the API specification, or a decision of this project where the specification says nothing. */
export type CheckSource = "specification" | "decision";

/** A check: what holds if it passes, its basis, and what to fix if it fails. */
interface VerifyCheck {
  readonly title: string;
  readonly source: CheckSource;
  readonly fix: string;
}

const SPECIFIED = "specification";
const DECIDED = "decision";

/** All checks except those of headers, in the order of the output: what holds if they pass. */
const TITLES = {
  "list.reachable": ["the list answers 200, with and without Origin", SPECIFIED],
  "list.json": ["the list is a JSON object in UTF-8", SPECIFIED],
  "list.fields": ["the list has exactly its two fields", SPECIFIED],
  "list.updated": ["`updated` is a whole number of Unix seconds", SPECIFIED],
  "list.fresh": ["`updated` is recent", SPECIFIED],
  "list.count": ["the list has every service of the catalogue", SPECIFIED],
  "list.entries": ["every entry has exactly its five fields, of the right types", SPECIFIED],
  "list.slugs": ["slugs are well-formed and unique", SPECIFIED],
  "list.pairs": ["the list has only the pairs of code and colour of the specification", SPECIFIED],
  "list.live": ["`live` in the list fits the code", SPECIFIED],
  "detail.reachable": ["every service of the list answers 200, with and without Origin", SPECIFIED],
  "detail.json": ["every detail is a JSON object in UTF-8", SPECIFIED],
  "detail.fields": ["every detail has exactly its eight fields", SPECIFIED],
  "detail.types": ["the fields of details have the right types", SPECIFIED],
  "detail.pairs": [
    "details have only the pairs of code and colour of the specification",
    SPECIFIED,
  ],
  "detail.live": ["`live` in details fits the code", SPECIFIED],
  "detail.since": ["`since` is null or whole seconds, and not in the future", SPECIFIED],
  "detail.reports": [
    "report counts are whole, not negative, and not higher for the hour than for the day",
    SPECIFIED,
  ],
  "detail.agrees": ["list and details agree", SPECIFIED],
  "missing.status": ["an unknown slug is 404, with and without Origin", SPECIFIED],
  "missing.body": ["the body of a 404 is small JSON", DECIDED],
  "missing.badge": ["every badge of an unknown monitor is 404", DECIDED],
  "methods.refused": ["POST, PUT and DELETE are 405", DECIDED],
  "methods.options": ["OPTIONS is 200 or 204, and readable by any origin", DECIDED],
  "list.head": ["HEAD of the list has the headers of GET and no body", SPECIFIED],
  "detail.head": ["HEAD of a detail has the headers of GET and no body", SPECIFIED],
  "list.conditional": ["a conditional GET of an unchanged list is 304", DECIDED],
  "detail.conditional": ["a conditional GET of an unchanged detail is 304", DECIDED],
  "list.encoding": ["the list is the same with and without compression", SPECIFIED],
  "list.query": ["a query string changes nothing", SPECIFIED],
  "path.trailing-slash": ["a trailing slash is 404", DECIDED],
  "path.upper-case": ["upper case is 404", DECIDED],
  "path.encoded-dots": ["encoded dot segments are 404", DECIDED],
  "path.dot-segments": ["dot segments are 404", DECIDED],
  "path.double-slash": ["doubled slashes are 404", DECIDED],
  "path.suffix": ["the store's own names (.json) are 404", DECIDED],
  "path.encoded-slash": ["an encoded slash is 404", DECIDED],
  "path.null-byte": ["a null byte is refused with 4xx", DECIDED],
  "path.state": ["the private state is unreachable", DECIDED],
  "redirects.none": ["nothing is redirected", DECIDED],
  "rate-limit": ["a 429 is readable by browsers and has Retry-After", DECIDED],
  "data.reachable": [
    "changes, Statuspage, metrics, accuracy and operators answer 200, with and without Origin; what comes later 200 or 404",
    DECIDED,
  ],
  "data.json": ["every JSON document of open data is an object in UTF-8", DECIDED],
  "data.changes": [
    "changes have numbers without a gap, unique ids, pairs of code and colour, and no time in the future",
    DECIDED,
  ],
  "data.statuspage": [
    "the documents of Statuspage have its fields, and the indicator fits the open incidents",
    DECIDED,
  ],
  "data.metrics": [
    "the metrics are OpenMetrics, and exactly one code of each service is 1",
    DECIDED,
  ],
  "data.agrees": ["Statuspage and metrics say of every service what the list says", DECIDED],
  "data.operators": ["reports by operator have exactly their fields, and none too few", DECIDED],
  "data.accuracy": ["the accuracy has exactly its fields", DECIDED],
  "data.history": [
    "the uptimes have every service of the list, and the history of a service its days",
    DECIDED,
  ],
  "data.outages": ["the newest outages are in order, each with its own address", DECIDED],
  "data.archive": [
    "the newest files of the archive have the size and digest of its lists, and may be kept for ever",
    DECIDED,
  ],
  "data.shields": ["the badges of services as JSON can be drawn by shields.io", DECIDED],
  "site.published": ["the home pages / and /en/ are 200 and HTML", DECIDED],
  "site.pages": [
    "a page of a service, /api, /about and /data are 200 and HTML, in both languages",
    DECIDED,
  ],
  "site.canonical": ["canonical, og:url and og:image of pages have the verified address", DECIDED],
  "site.languages": ["pages declare their language and link to the other one", DECIDED],
  "site.snippets": ["the examples on /api request the verified address", DECIDED],
  "site.files": ["style, script, icons and manifest of the home page are 200", DECIDED],
  "site.feeds": ["feeds are well-formed Atom and have only the verified address", DECIDED],
  "site.sitemap": ["the sitemap has every service, and only the verified address", DECIDED],
  "site.robots": ["robots.txt excludes no robot and names the sitemap", DECIDED],
  "site.openapi": ["the server of the OpenAPI document is the verified address", DECIDED],
  "site.policy": ["pages have a Content-Security-Policy, a Referrer-Policy and nosniff", DECIDED],
  "site.missing": ["an unknown path is 404 with a page that is not indexed", DECIDED],
  "badge.reachable": ["badge.svg answers 200, with and without Origin", SPECIFIED],
  "badge.kinds": [
    "badge.png, badge.json and the SVGs of other windows answer 200, with and without Origin",
    DECIDED,
  ],
  "badge.others": ["names that are not badges, and the id in the other case, are 404", DECIDED],
  "badge.svg": [
    "every SVG badge is well-formed, has a size, runs nothing and loads nothing",
    DECIDED,
  ],
  "badge.title": ["every SVG badge has role=img, and a title and label with its text", DECIDED],
  "badge.json": ["badge.json can be drawn by shields.io", DECIDED],
  "badge.value": [
    "every badge shows a percentage with two decimals, 100%, or that there is no data",
    SPECIFIED,
  ],
  "badge.png": ["badge.png is a complete PNG", DECIDED],
  "badge.agrees": [
    "badge.json has the text of badge.svg, and badge.png is twice its size",
    DECIDED,
  ],
  "badge.policy": ["SVG badges forbid scripts by their Content-Security-Policy", DECIDED],
  "badge.head": ["HEAD of a badge has the headers of GET and no body", SPECIFIED],
  "badge.conditional": ["a conditional GET of an unchanged badge is 304", DECIDED],
} as const satisfies Readonly<Record<string, readonly [title: string, source: CheckSource]>>;

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
    title: "Access-Control-Allow-Origin: * exactly once on",
    source: SPECIFIED,
    fix: "Set it in the front, also on errors, and remove the header of the store.",
  },
  cache: {
    title: "Cache-Control with max-age=60 (errors: at most 60) on",
    source: SPECIFIED,
    fix: "Set it in the front, and on the objects when they are uploaded.",
  },
  ttl: {
    title: "no cache may keep for longer than 60 s:",
    source: SPECIFIED,
    fix: "Limit the TTL of the CDN to 60 s, remove s-maxage and Expires, and do not serve stale responses.",
  },
  type: {
    title: "the right Content-Type on",
    source: DECIDED,
    fix: "Set the type on the objects, and on the responses of the front itself.",
  },
  nosniff: {
    title: "X-Content-Type-Options: nosniff on",
    source: DECIDED,
    fix: "Set it in the front, also on errors.",
  },
} as const satisfies Readonly<Record<string, VerifyCheck>>;
export type Aspect = keyof typeof ASPECTS;

export type CheckId = keyof typeof TITLES | `${CheckSubject}.${Aspect}`;

/** Every check by its id, in the order of the output. */
export const CHECKS: ReadonlyMap<CheckId, VerifyCheck> = new Map([
  ...typedEntries(TITLES).map(([id, [title, source]]): [CheckId, VerifyCheck] => {
    const fix = FIXES[id] ?? GROUP_FIXES[id.split(".", 1)[0] ?? ""] ?? PUBLISH;
    return [id, { title, source, fix }];
  }),
  ...typedEntries(SUBJECTS).flatMap(([subject, words]) =>
    typedEntries(ASPECTS).map(([aspect, check]): [CheckId, VerifyCheck] => [
      `${subject}.${aspect}`,
      { ...check, title: `${check.title} ${words}` },
    ]),
  ),
]);

/** `Object.entries` of an object that has no keys besides those of its type. */
export function typedEntries<T extends object>(object: T): [keyof T, T[keyof T]][] {
  // All arguments are literals of this code, so they have no keys besides those of their types.
  return Object.entries(object) as [keyof T, T[keyof T]][];
}
