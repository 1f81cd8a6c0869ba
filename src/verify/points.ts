import { BADGE_ROWS } from "./badge-points.ts";
import { type Basis, PUBLISH, type Row } from "./point-row.ts";
import { SITE_ROWS } from "./site-points.ts";

/** One thing that is checked. */
interface Point {
  /** What holds when the point passes. */
  readonly title: string;
  readonly basis: Basis;
  /** What to look at when it does not. */
  readonly mend: string;
}

const FRONT_STATUS = "Map the path in the front, and let anonymous readers get public objects.";
const REWRITES = "The front normalises or rewrites paths: compare the raw request target instead.";

/** The points about documents, methods and paths, in the order in which they are shown. */
const ROWS = {
  "list.reachable": [
    "the list answers 200, with and without Origin",
    "specification",
    `See that the host answers at all. ${FRONT_STATUS}`,
  ],
  "list.json": ["the list is a JSON object in UTF-8", "specification", PUBLISH],
  "list.fields": ["the list has exactly its two fields", "specification", PUBLISH],
  "list.updated": ["`updated` is a whole number of Unix seconds", "specification", PUBLISH],
  "list.fresh": [
    "`updated` is recent",
    "specification",
    "See whether the timer still starts the runs, whether they are valid, and whether a cache holds the list too long.",
  ],
  "list.count": [
    "the list has every service of the catalogue",
    "specification",
    "Publish with the right catalogue, or say with --expect how many services it has.",
  ],
  "list.entries": [
    "every entry has exactly its five fields, of the right types",
    "specification",
    PUBLISH,
  ],
  "list.slugs": [
    "slugs are well-formed and unique",
    "specification",
    "Mend the slugs in the catalogue.",
  ],
  "list.pairs": ["codes and colours in the list pair as in the table", "specification", PUBLISH],
  "list.live": ["`live` in the list fits the code", "specification", PUBLISH],
  "detail.reachable": [
    "every service of the list answers 200, with and without Origin",
    "specification",
    FRONT_STATUS,
  ],
  "detail.json": ["every detail is a JSON object in UTF-8", "specification", PUBLISH],
  "detail.fields": ["every detail has exactly its eight fields", "specification", PUBLISH],
  "detail.types": ["the fields of details have the right types", "specification", PUBLISH],
  "detail.pairs": ["codes and colours in details pair as in the table", "specification", PUBLISH],
  "detail.live": ["`live` in details fits the code", "specification", PUBLISH],
  "detail.since": [
    "`since` is null or whole seconds, and not in the future",
    "specification",
    "See whether the clock of the runner is right, then publish again.",
  ],
  "detail.reports": [
    "report counts are whole, not negative, and the hour's not above the day's",
    "specification",
    PUBLISH,
  ],
  "detail.agrees": [
    "list and details say the same",
    "specification",
    "See whether two writers publish, or whether caches keep one of them for longer than a minute.",
  ],
  "missing.status": [
    "an unknown slug is 404, with and without Origin",
    "specification",
    "Turn the store's 403 (and whatever else it says of a missing key) into 404 in the front.",
  ],
  "missing.body": [
    "the body of a 404 is small JSON",
    "decision",
    'Let the front answer {"error":"not found"} itself, instead of passing the page of the store on.',
  ],
  "missing.badge": [
    "every badge of an unknown monitor is 404",
    "decision",
    "As for unknown slugs.",
  ],
  "methods.refused": [
    "POST, PUT and DELETE are 405",
    "decision",
    "Let the front answer GET, HEAD and OPTIONS alone, before it asks the store.",
  ],
  "methods.options": [
    "OPTIONS is answered 2xx and readable by any origin",
    "decision",
    "Answer OPTIONS in the front with 204 and Access-Control-Allow-Origin: *.",
  ],
  "list.head": [
    "HEAD of the list is its GET without the body",
    "specification",
    "Let the front pass HEAD like GET.",
  ],
  "detail.head": [
    "HEAD of a detail is its GET without the body",
    "specification",
    "Let the front pass HEAD like GET.",
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
    "compressed or not, the list is the same",
    "specification",
    "See how the front compresses, and that it sends Vary: Accept-Encoding.",
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
    "Serve the paths of the API alone, not the store.",
  ],
  "path.encoded-slash": ["an encoded slash is 404", "decision", REWRITES],
  "path.null-byte": [
    "a null byte is refused with 4xx",
    "decision",
    "Refuse what is no path of the API before the store sees it.",
  ],
  "path.state": [
    "the private state cannot be reached",
    "decision",
    "Keep the state in another bucket or folder, and serve the paths of the API alone.",
  ],
  "redirects.none": [
    "nothing is redirected",
    "decision",
    "Answer API paths where they are asked for; give verify the final address.",
  ],
  "rate-limit": [
    "a 429 is readable by browsers and says when to come back",
    "decision",
    "Add Access-Control-Allow-Origin: * and Retry-After to 429 in the front.",
  ],
  ...SITE_ROWS,
  ...BADGE_ROWS,
} as const satisfies Readonly<Record<string, Row>>;

/** What answers are grouped by, for the points about headers. */
export const TARGETS = {
  list: "the list",
  detail: "details",
  missing: "404",
  refused: "405",
  badge: "badges",
} as const;
export type Target = keyof typeof TARGETS;

const ASPECTS = {
  cors: [
    "Access-Control-Allow-Origin: * exactly once on",
    "specification",
    "Set it in the front, always (errors too), and remove the one of the store.",
  ],
  cache: [
    "Cache-Control with max-age=60 (errors: at most 60) on",
    "specification",
    "Set it in the front, and on the objects when they are uploaded.",
  ],
  ttl: [
    "no cache keeps for longer than 60 s",
    "specification",
    "Cap the time to live of the CDN at 60 s, drop s-maxage and Expires, do not serve stale.",
  ],
  type: [
    "the right Content-Type on",
    "decision",
    "Set the type on the objects, and on what the front answers itself.",
  ],
  nosniff: [
    "X-Content-Type-Options: nosniff on",
    "decision",
    "Set it in the front, always (errors too).",
  ],
} as const satisfies Readonly<Record<string, Row>>;
export type Aspect = keyof typeof ASPECTS;

export type PointId = keyof typeof ROWS | `${Target}.${Aspect}`;

/** Every point with its id, in the order in which they are shown. */
export const POINTS: ReadonlyMap<PointId, Point> = new Map([
  ...typedEntries(ROWS).map(([id, row]): [PointId, Point] => [id, toPoint(row)]),
  ...typedEntries(TARGETS).flatMap(([target, words]) =>
    typedEntries(ASPECTS).map(([aspect, [title, basis, mend]]): [PointId, Point] => [
      `${target}.${aspect}`,
      { title: `${title}${aspect === "ttl" ? ":" : ""} ${words}`, basis, mend },
    ]),
  ),
]);

function toPoint([title, basis, mend]: Row): Point {
  return { title, basis, mend };
}

/** `Object.entries` of an object that is known to have no other keys. */
function typedEntries<T extends object>(object: T): [keyof T, T[keyof T]][] {
  // Both arguments are literals of this file, so the wider type that `Object.entries` gives would be too careful.
  return Object.entries(object) as [keyof T, T[keyof T]][];
}
