import { describeAsk, type Exchange, hasStatus, headerOf, type ReceivedAnswer } from "./client.ts";
import { DATA_PATHS } from "../api/addresses.ts";
import { type Aspect, type CheckSubject, typedEntries } from "../checks.ts";
import { about, type CheckFinding, skip, toFinding, unless } from "../finding.ts";

/** Seconds for which any response may be reused. Source: API specification, "Headers on responses" and "Limits". */
const MAX_AGE_S = 60;

function statusOf(subject: CheckSubject): number {
  return subject === "missing" ? 404 : subject === "refused" ? 405 : 200;
}

const FINDERS: Readonly<
  Record<Aspect, (answer: ReceivedAnswer, subject: CheckSubject) => readonly string[]>
> = {
  cors: findCorsProblems,
  cache: findCacheProblems,
  ttl: findTtlProblems,
  type: findTypeProblems,
  nosniff: findSniffProblems,
};

/** Checks the headers of the responses that have the expected status; other checks report the other statuses. */
export function checkHeaders(
  subject: CheckSubject,
  exchanges: readonly Exchange[],
): readonly CheckFinding[] {
  const answers = exchanges.filter((exchange) => hasStatus(exchange, statusOf(subject)));
  return typedEntries(FINDERS).map(([aspect, find]) => {
    const id = `${subject}.${aspect}` as const;
    if (answers.length === 0) return skip(id, `no response was HTTP ${statusOf(subject)}`);
    const problems = answers.flatMap((answer) =>
      about(describeAsk(answer.ask), find(answer, subject)),
    );
    const warnings = aspect === "ttl" ? new Set(answers.flatMap(findStaleWarnings)) : [];
    return toFinding(id, problems, `${answers.length} responses`, [...warnings]);
  });
}

/** Problems of `Access-Control-Allow-Origin`, which lets every site read the response. */
export function findCorsProblems(answer: ReceivedAnswer): readonly string[] {
  const values = answer.headers.get("access-control-allow-origin") ?? [];
  const [first] = values;
  if (first === undefined) return ["no Access-Control-Allow-Origin"];
  if (values.length > 1) return [`Access-Control-Allow-Origin is there ${values.length} times`];
  return unless(first === "*", `Access-Control-Allow-Origin is ${first}, not *`);
}

/** Directives of `Cache-Control` by lower-case name. Source: RFC 9111, section 5.2. */
export function directivesOf(answer: ReceivedAnswer): ReadonlyMap<string, string> {
  const text = headerOf(answer, "cache-control") ?? "";
  return new Map(
    text.split(",").flatMap((part): [string, string][] => {
      const [name = "", value = ""] = part.trim().split("=");
      return name === "" ? [] : [[name.toLowerCase(), value.replaceAll('"', "")]];
    }),
  );
}

const FORBIDS_REUSE = ["no-store", "no-cache", "private"] as const;

function findCacheProblems(answer: ReceivedAnswer, subject: CheckSubject): readonly string[] {
  const shown = headerOf(answer, "cache-control");
  const directives = directivesOf(answer);
  const forbids = FORBIDS_REUSE.some((name) => directives.has(name));
  const maxAge = directives.get("max-age");
  const problem = `Cache-Control is ${shown ?? "absent"}`;
  if (statusOf(subject) === 200)
    return unless(maxAge === String(MAX_AGE_S) && !forbids, `${problem}, not max-age=${MAX_AGE_S}`);
  // Without Cache-Control, caches may keep a 404 for any time (RFC 9111, section 4.2.2), but never a response to POST.
  const isShort = shown === undefined ? subject === "refused" : forbids || isWithin(maxAge);
  return unless(isShort, `${problem}: at most ${MAX_AGE_S} s, and explicit`);
}

function isWithin(seconds: string | undefined): boolean {
  return /^\d+$/u.test(seconds ?? "") && Number(seconds) <= MAX_AGE_S;
}

function findTtlProblems(answer: ReceivedAnswer): readonly string[] {
  const shared = directivesOf(answer).get("s-maxage");
  const age = headerOf(answer, "age");
  const startMs = Date.parse(headerOf(answer, "date") ?? "");
  const endMs = Date.parse(headerOf(answer, "expires") ?? "");
  // An invalid Expires means "already expired" (RFC 9111, section 5.3); as NaN it is not above the limit.
  const isLong = endMs - startMs > MAX_AGE_S * 1_000;
  return [
    ...unless(
      shared === undefined || isWithin(shared),
      `s-maxage=${shared} is above ${MAX_AGE_S} s`,
    ),
    ...unless(age === undefined || isWithin(age), `a cache has kept it for ${age} s (Age)`),
    ...unless(!isLong, `Expires is ${(endMs - startMs) / 1_000} s after Date`),
  ];
}

function findStaleWarnings(answer: ReceivedAnswer): readonly string[] {
  const directives = directivesOf(answer);
  return ["stale-while-revalidate", "stale-if-error"]
    .filter((name) => directives.has(name))
    .map((name) => `${name} lets caches serve older data`);
}

type MediaType = readonly [pattern: RegExp, expected: string];

const JSON_TYPE: MediaType = [
  /^application\/json\s*;\s*charset="?utf-8"?$/iu,
  "application/json; charset=utf-8",
];
const METRICS_TYPE: MediaType = [
  /^application\/openmetrics-text\s*;\s*version=1\.0\.0\s*;\s*charset="?utf-8"?$/iu,
  "OpenMetrics 1.0.0",
];
const SVG_TYPE: MediaType = [/^image\/svg\+xml\s*(?:;\s*charset="?utf-8"?)?$/iu, "image/svg+xml"];
const PNG_TYPE: MediaType = [/^image\/png$/iu, "image/png"];

/** The expected type, by the extension of the path; JSON without an extension, except the metrics. */
function typeOf(path: string): MediaType {
  if (path === DATA_PATHS.metrics) return METRICS_TYPE;
  if (path.endsWith(".svg")) return SVG_TYPE;
  return path.endsWith(".png") ? PNG_TYPE : JSON_TYPE;
}

function findTypeProblems(answer: ReceivedAnswer, subject: CheckSubject): readonly string[] {
  const shown = headerOf(answer, "content-type");
  if (subject === "refused" && answer.body.length === 0) return [];
  const hasTypes = subject === "badge" || subject === "data";
  const [pattern, expected] = typeOf(hasTypes ? answer.ask.target : "");
  return unless(pattern.test(shown ?? ""), `Content-Type is ${shown ?? "absent"}, not ${expected}`);
}

function findSniffProblems(answer: ReceivedAnswer): readonly string[] {
  const shown = headerOf(answer, "x-content-type-options");
  return unless(
    shown?.toLowerCase() === "nosniff",
    `X-Content-Type-Options is ${shown ?? "absent"}, not nosniff`,
  );
}
