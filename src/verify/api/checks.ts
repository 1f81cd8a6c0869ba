import { BADGE_ROWS } from "../badges/badge-checks.ts";
import { type CheckSource, PUBLISH, type CheckRow } from "../check-row.ts";
import { DATA_ROWS } from "../data/checks.ts";
import { SITE_ROWS } from "../site/site-checks.ts";

/** One check. */
interface VerifyCheck {
  /** What holds if the check passes. */
  readonly title: string;
  readonly source: CheckSource;
  /** What to fix if it fails. */
  readonly fix: string;
}

const FRONT_STATUS = "Map the path in the front, and let anonymous clients read public objects.";
const REWRITES =
  "The front normalises or rewrites paths: let it compare the raw request target instead.";

/** All checks except those of headers, in the order of the output. */
const ROWS = {
  "list.reachable": [
    "the list answers 200, with and without Origin",
    "specification",
    `Check that the host responds at all. ${FRONT_STATUS}`,
  ],
  "list.json": ["the list is a JSON object in UTF-8", "specification", PUBLISH],
  "list.fields": ["the list has exactly its two fields", "specification", PUBLISH],
  "list.updated": ["`updated` is a whole number of Unix seconds", "specification", PUBLISH],
  "list.fresh": [
    "`updated` is recent",
    "specification",
    "Check whether the timer still starts runs, whether the runs are valid, and whether a cache keeps the list too long.",
  ],
  "list.count": [
    "the list has every service of the catalogue",
    "specification",
    "Publish with the right catalogue, or give the number of its services with --expect.",
  ],
  "list.entries": [
    "every entry has exactly its five fields, of the right types",
    "specification",
    PUBLISH,
  ],
  "list.slugs": [
    "slugs are well-formed and unique",
    "specification",
    "Fix the slugs in the catalogue.",
  ],
  "list.pairs": [
    "the list has only the pairs of code and colour of the specification",
    "specification",
    PUBLISH,
  ],
  "list.live": ["`live` in the list fits the code", "specification", PUBLISH],
  "detail.reachable": [
    "every service of the list answers 200, with and without Origin",
    "specification",
    FRONT_STATUS,
  ],
  "detail.json": ["every detail is a JSON object in UTF-8", "specification", PUBLISH],
  "detail.fields": ["every detail has exactly its eight fields", "specification", PUBLISH],
  "detail.types": ["the fields of details have the right types", "specification", PUBLISH],
  "detail.pairs": [
    "details have only the pairs of code and colour of the specification",
    "specification",
    PUBLISH,
  ],
  "detail.live": ["`live` in details fits the code", "specification", PUBLISH],
  "detail.since": [
    "`since` is null or whole seconds, and not in the future",
    "specification",
    "Check the clock of the runner, then publish again.",
  ],
  "detail.reports": [
    "report counts are whole, not negative, and not higher for the hour than for the day",
    "specification",
    PUBLISH,
  ],
  "detail.agrees": [
    "list and details agree",
    "specification",
    "Check whether two writers publish, and whether caches keep a document for longer than a minute.",
  ],
  "missing.status": [
    "an unknown slug is 404, with and without Origin",
    "specification",
    "Let the front turn the store's response for a missing key, such as 403, into 404.",
  ],
  "missing.body": [
    "the body of a 404 is small JSON",
    "decision",
    'Let the front send {"error":"not found"} itself instead of the error page of the store.',
  ],
  "missing.badge": [
    "every badge of an unknown monitor is 404",
    "decision",
    "As for unknown slugs.",
  ],
  "methods.refused": [
    "POST, PUT and DELETE are 405",
    "decision",
    "Let the front refuse all methods but GET, HEAD and OPTIONS without a request to the store.",
  ],
  "methods.options": [
    "OPTIONS is 200 or 204, and readable by any origin",
    "decision",
    "Answer OPTIONS in the front with 204 and Access-Control-Allow-Origin: *.",
  ],
  "list.head": [
    "HEAD of the list has the headers of GET and no body",
    "specification",
    "Let the front handle HEAD like GET.",
  ],
  "detail.head": [
    "HEAD of a detail has the headers of GET and no body",
    "specification",
    "Let the front handle HEAD like GET.",
  ],
  "list.conditional": [
    "a conditional GET of an unchanged list is 304",
    "decision",
    "Pass ETag and If-None-Match (Last-Modified and If-Modified-Since) through, and add the headers to 304 as well.",
  ],
  "detail.conditional": [
    "a conditional GET of an unchanged detail is 304",
    "decision",
    "As for the list.",
  ],
  "list.encoding": [
    "the list is the same with and without compression",
    "specification",
    "Check how the front compresses, and that it sends Vary: Accept-Encoding.",
  ],
  "list.query": [
    "a query string changes nothing",
    "specification",
    "Let the front ignore the query string.",
  ],
  "path.trailing-slash": ["a trailing slash is 404", "decision", REWRITES],
  "path.upper-case": ["upper case is 404", "decision", REWRITES],
  "path.encoded-dots": ["encoded dot segments are 404", "decision", REWRITES],
  "path.dot-segments": ["dot segments are 404", "decision", REWRITES],
  "path.double-slash": ["doubled slashes are 404", "decision", REWRITES],
  "path.suffix": [
    "the store's own names (.json) are 404",
    "decision",
    "Serve only the paths of the API, not the store.",
  ],
  "path.encoded-slash": ["an encoded slash is 404", "decision", REWRITES],
  "path.null-byte": [
    "a null byte is refused with 4xx",
    "decision",
    "Refuse other paths than those of the API without a request to the store.",
  ],
  "path.state": [
    "the private state is unreachable",
    "decision",
    "Keep the state in another bucket or folder, and serve only the paths of the API.",
  ],
  "redirects.none": [
    "nothing is redirected",
    "decision",
    "Serve the paths of the API without redirects; give verify the final address.",
  ],
  "rate-limit": [
    "a 429 is readable by browsers and has Retry-After",
    "decision",
    "Add Access-Control-Allow-Origin: * and Retry-After to 429 in the front.",
  ],
  ...DATA_ROWS,
  ...SITE_ROWS,
  ...BADGE_ROWS,
} as const satisfies Readonly<Record<string, CheckRow>>;

/** Groups of responses for the checks of headers, with their names in titles. */
export const TARGETS = {
  list: "the list",
  detail: "details",
  missing: "404",
  refused: "405",
  badge: "badges",
  data: "open data",
} as const;
export type CheckSubject = keyof typeof TARGETS;

const ASPECTS = {
  cors: [
    "Access-Control-Allow-Origin: * exactly once on",
    "specification",
    "Set it in the front, also on errors, and remove the header of the store.",
  ],
  cache: [
    "Cache-Control with max-age=60 (errors: at most 60) on",
    "specification",
    "Set it in the front, and on the objects when they are uploaded.",
  ],
  ttl: [
    "no cache may keep for longer than 60 s",
    "specification",
    "Limit the TTL of the CDN to 60 s, remove s-maxage and Expires, and do not serve stale responses.",
  ],
  type: [
    "the right Content-Type on",
    "decision",
    "Set the type on the objects, and on the responses of the front itself.",
  ],
  nosniff: [
    "X-Content-Type-Options: nosniff on",
    "decision",
    "Set it in the front, also on errors.",
  ],
} as const satisfies Readonly<Record<string, CheckRow>>;
export type Aspect = keyof typeof ASPECTS;

export type CheckId = keyof typeof ROWS | `${CheckSubject}.${Aspect}`;

/** Every check by its id, in the order of the output. */
export const CHECKS: ReadonlyMap<CheckId, VerifyCheck> = new Map([
  ...typedEntries(ROWS).map(([id, row]): [CheckId, VerifyCheck] => [id, toCheck(row)]),
  ...typedEntries(TARGETS).flatMap(([target, words]) =>
    typedEntries(ASPECTS).map(([aspect, [title, source, fix]]): [CheckId, VerifyCheck] => [
      `${target}.${aspect}`,
      { title: `${title}${aspect === "ttl" ? ":" : ""} ${words}`, source, fix },
    ]),
  ),
]);

function toCheck([title, source, fix]: CheckRow): VerifyCheck {
  return { title, source, fix };
}

/** `Object.entries` of an object that has no keys besides those of its type. */
function typedEntries<T extends object>(object: T): [keyof T, T[keyof T]][] {
  // All arguments are literals of this code, so they have no keys besides those of their types.
  return Object.entries(object) as [keyof T, T[keyof T]][];
}
