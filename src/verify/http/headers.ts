import {
  type ReceivedAnswer,
  describeAsk,
  type Exchange,
  hasStatus,
  headerOf,
} from "./http-exchange.ts";
import { type CheckFinding, toFinding, skip } from "../finding.ts";
import type { Aspect, CheckSubject } from "../api/checks.ts";
import { MAX_AGE_S, DATA_PATHS } from "../api/specification.ts";

/** A problem or a warning about the headers of a response. */
interface Complaint {
  readonly problem?: string;
  readonly warning?: string;
}

type Check = (answer: ReceivedAnswer, target: CheckSubject) => readonly Complaint[];

const CHECKS: Readonly<Record<Aspect, Check>> = {
  cors: checkCors,
  cache: checkCache,
  ttl: checkTtl,
  type: checkType,
  nosniff: checkNosniff,
};

const STATUS: Readonly<Record<CheckSubject, number>> = {
  list: 200,
  detail: 200,
  missing: 404,
  refused: 405,
  badge: 200,
  data: 200,
};

/** Checks the headers of the responses that have the expected status; other checks report the other statuses. */
export function checkHeaders(
  target: CheckSubject,
  exchanges: readonly Exchange[],
): readonly CheckFinding[] {
  const answers = exchanges.filter((exchange) => hasStatus(exchange, STATUS[target]));
  const aspects: readonly Aspect[] = ["cors", "cache", "ttl", "type", "nosniff"];
  return aspects.map((aspect) => {
    const id = `${target}.${aspect}` as const;
    if (answers.length === 0) return skip(id, `no response was HTTP ${STATUS[target]}`);
    const complaints = answers.flatMap((answer) =>
      CHECKS[aspect](answer, target).map(({ problem, warning }) => ({
        problem: problem === undefined ? undefined : `${describeAsk(answer.ask)}: ${problem}`,
        warning,
      })),
    );
    return toFinding(
      id,
      complaints.flatMap(({ problem }) => problem ?? []),
      `${answers.length} responses`,
      [...new Set(complaints.flatMap(({ warning }) => warning ?? []))],
    );
  });
}

/** Problems of `Access-Control-Allow-Origin`, which lets every site read the response. */
export function findCorsProblems(answer: ReceivedAnswer): readonly string[] {
  const values = answer.headers.get("access-control-allow-origin") ?? [];
  const [first] = values;
  if (first === undefined) return ["no Access-Control-Allow-Origin"];
  if (values.length > 1) return [`Access-Control-Allow-Origin is there ${values.length} times`];
  return first === "*" ? [] : [`Access-Control-Allow-Origin is ${first}, not *`];
}

function checkCors(answer: ReceivedAnswer): readonly Complaint[] {
  return findCorsProblems(answer).map((problem) => ({ problem }));
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

function checkCache(answer: ReceivedAnswer, target: CheckSubject): readonly Complaint[] {
  const shown = headerOf(answer, "cache-control");
  const directives = directivesOf(answer);
  const forbids = FORBIDS_REUSE.some((name) => directives.has(name));
  const maxAge = directives.get("max-age");
  if (STATUS[target] === 200) {
    if (maxAge === String(MAX_AGE_S) && !forbids) return [];
    return [{ problem: `Cache-Control is ${shown ?? "absent"}, not max-age=${MAX_AGE_S}` }];
  }
  // Without Cache-Control, caches may keep a 404 for any time (RFC 9111, section 4.2.2), but never a response to POST.
  if (shown === undefined && target === "refused") return [];
  if (forbids || (maxAge !== undefined && isWithin(maxAge))) return [];
  return [
    { problem: `Cache-Control is ${shown ?? "absent"}: at most ${MAX_AGE_S} s, and explicit` },
  ];
}

function isWithin(seconds: string): boolean {
  return /^\d+$/u.test(seconds) && Number(seconds) <= MAX_AGE_S;
}

function checkTtl(answer: ReceivedAnswer): readonly Complaint[] {
  const directives = directivesOf(answer);
  const shared = directives.get("s-maxage");
  const age = headerOf(answer, "age");
  const expires = headerOf(answer, "expires");
  const startMs = Date.parse(headerOf(answer, "date") ?? "");
  const endMs = Date.parse(expires ?? "");
  const stale = ["stale-while-revalidate", "stale-if-error"].filter((name) => directives.has(name));
  return [
    ...(shared !== undefined && !isWithin(shared)
      ? [{ problem: `s-maxage=${shared} is above ${MAX_AGE_S} s` }]
      : []),
    ...(age !== undefined && !isWithin(age)
      ? [{ problem: `a cache has kept it for ${age} s (Age)` }]
      : []),
    // An invalid Expires means "already expired" (RFC 9111, section 5.3); as NaN it is not above the limit.
    ...(endMs - startMs > MAX_AGE_S * 1_000
      ? [{ problem: `Expires is ${(endMs - startMs) / 1_000} s after Date` }]
      : []),
    ...stale.map((name) => ({ warning: `${name} lets caches serve older data` })),
  ];
}

const JSON_TYPE = /^application\/json\s*;\s*charset="?utf-8"?$/iu;
const METRICS_TYPE =
  /^application\/openmetrics-text\s*;\s*version=1\.0\.0\s*;\s*charset="?utf-8"?$/iu;
const SVG_TYPE = /^image\/svg\+xml\s*(?:;\s*charset="?utf-8"?)?$/iu;

interface MediaType {
  readonly pattern: RegExp;
  readonly expected: string;
}

/** The expected type, by the extension of the path; JSON without an extension, except the metrics. */
function typeOf(path: string): MediaType {
  if (path === DATA_PATHS.metrics) return { pattern: METRICS_TYPE, expected: "OpenMetrics 1.0.0" };
  if (path.endsWith(".svg")) return { pattern: SVG_TYPE, expected: "image/svg+xml" };
  if (path.endsWith(".png")) return { pattern: /^image\/png$/iu, expected: "image/png" };
  return { pattern: JSON_TYPE, expected: "application/json; charset=utf-8" };
}

function checkType(answer: ReceivedAnswer, target: CheckSubject): readonly Complaint[] {
  const shown = headerOf(answer, "content-type");
  if (target === "refused" && answer.body.length === 0) return [];
  const hasTypes = target === "badge" || target === "data";
  const { pattern, expected } = typeOf(hasTypes ? answer.ask.target : "");
  return pattern.test(shown ?? "")
    ? []
    : [{ problem: `Content-Type is ${shown ?? "absent"}, not ${expected}` }];
}

function checkNosniff(answer: ReceivedAnswer): readonly Complaint[] {
  const shown = headerOf(answer, "x-content-type-options");
  if (shown?.toLowerCase() === "nosniff") return [];
  return [{ problem: `X-Content-Type-Options is ${shown ?? "absent"}, not nosniff` }];
}
