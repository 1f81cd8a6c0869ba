import * as z from "zod";
import {
  type ReceivedAnswer,
  type Exchange,
  findStatusProblems,
  hasStatus,
} from "../http/http-exchange.ts";
import { type CheckFinding, toFinding, skip } from "../finding.ts";
import { isObject, type JsonObject, parseObject, show } from "./parse-json.ts";
import type { CheckId } from "./checks.ts";
import {
  findSchemaProblems,
  FLAG,
  isUnixSeconds,
  listOf,
  NAME,
  objectOf,
  repeatedOf,
  SECONDS,
} from "./schema.ts";
import { COLOR_BY_CODE, LIVE_BY_CODE, SLUG } from "./specification.ts";

/** Source: API specification, "Status summary". */
export const SUMMARY = objectOf({ slug: NAME, name: NAME, color: NAME, code: NAME, live: FLAG });

/** Entries are checked one by one, so that each is named by its slug. Source: API specification, "Status list". */
const LIST = objectOf({ updated: SECONDS, services: listOf(z.unknown()) });

/** The readable parts of the list. */
export interface ListReading {
  readonly answer: ReceivedAnswer | undefined;
  readonly value: JsonObject | undefined;
  /** Entries that are objects with a valid slug, by slug; the first one if a slug is repeated. */
  readonly entries: ReadonlyMap<string, JsonObject>;
}

/** Reads the response for the list as far as possible. Never throws. */
export function readList(exchange: Exchange | undefined): ListReading {
  const answer = hasStatus(exchange, 200) ? exchange : undefined;
  const parsed = answer === undefined ? undefined : parseObject(answer.body);
  const value = parsed?.kind === "object" ? parsed.value : undefined;
  const entries = new Map<string, JsonObject>();
  for (const entry of entriesOf(value) ?? []) {
    if (!isObject(entry)) continue;
    const { slug } = entry;
    if (typeof slug === "string" && SLUG.test(slug) && !entries.has(slug)) entries.set(slug, entry);
  }
  return { answer, value, entries };
}

function entriesOf(value: JsonObject | undefined): readonly unknown[] | undefined {
  const services = value?.["services"];
  return Array.isArray(services) ? services : undefined;
}

/** Checks the content of the list, except its freshness. */
export function checkList(
  exchanges: readonly Exchange[],
  reading: ListReading,
  expected: number,
): readonly CheckFinding[] {
  const reachable = toFinding("list.reachable", findStatusProblems(exchanges, [200]), "HTTP 200");
  const { answer, value } = reading;
  if (answer === undefined) return [reachable];
  const parsed = parseObject(answer.body);
  const json = toFinding(
    "list.json",
    parsed.kind === "object" ? [] : [parsed.reason],
    `${answer.body.length} bytes`,
  );
  if (value === undefined) return [reachable, json];
  const { updated } = value;
  return [
    reachable,
    json,
    toFinding(
      "list.fields",
      findSchemaProblems(LIST, value, "fields"),
      Object.keys(LIST.shape).join(", "),
    ),
    toFinding(
      "list.updated",
      isUnixSeconds(updated) ? [] : [`updated is ${show(updated)}, not whole Unix seconds`],
      show(updated),
    ),
    ...checkEntries(value, expected),
  ];
}

function checkEntries(value: JsonObject, expected: number): readonly CheckFinding[] {
  const entries = entriesOf(value);
  if (entries === undefined) {
    return [
      toFinding("list.count", [`services is ${show(value["services"])}, not a list`], ""),
      ...(["list.entries", "list.slugs", "list.pairs", "list.live"] as const).map((id) =>
        skip(id, "services is not a list"),
      ),
    ];
  }
  const problem = `${entries.length} services, expected ${expected}`;
  const seen = `${entries.length} services`;
  const checkEach = (id: CheckId, find: (entry: JsonObject) => readonly string[]): CheckFinding =>
    toFinding(
      id,
      entries.flatMap((entry, index) => label(entry, index, find)),
      seen,
    );
  return [
    toFinding("list.count", entries.length === expected ? [] : [problem], seen),
    toFinding(
      "list.entries",
      entries.flatMap((entry, index) =>
        isObject(entry)
          ? label(entry, index, (one) => findSchemaProblems(SUMMARY, one))
          : [`entry ${index + 1} is ${show(entry)}, not an object`],
      ),
      seen,
    ),
    toFinding("list.slugs", findSlugListProblems(entries), seen),
    checkEach("list.pairs", findPairProblems),
    checkEach("list.live", findLiveProblems),
  ];
}

function label(
  entry: unknown,
  index: number,
  find: (entry: JsonObject) => readonly string[],
): readonly string[] {
  if (!isObject(entry)) return [];
  const { slug } = entry;
  const name = typeof slug === "string" ? slug : `entry ${index + 1}`;
  return find(entry).map((problem) => `${name}: ${problem}`);
}

function findSlugListProblems(entries: readonly unknown[]): readonly string[] {
  const slugs = entries.flatMap((entry) => (isObject(entry) ? [entry["slug"]] : []));
  return [
    ...slugs
      .filter((slug) => typeof slug === "string" && !SLUG.test(slug))
      .map((slug) => `${show(slug)} is not lowercase letters, digits and hyphens`),
    ...repeatedOf(slugs)
      .filter((slug) => slug !== undefined)
      .map((slug) => `${show(slug)} occurs more than once`),
  ];
}

/** Whether code and colour are a pair of the specification. */
export function findPairProblems({ code, color }: JsonObject): readonly string[] {
  if (typeof code !== "string" || typeof color !== "string") return [];
  const expected = COLOR_BY_CODE.get(code);
  if (expected === undefined) return [`${show(code)} is not a code`];
  return color === expected ? [] : [`${code} with the colour ${show(color)}, not ${expected}`];
}

/** Whether `live` contradicts the code. */
export function findLiveProblems({ code, live }: JsonObject): readonly string[] {
  if (typeof code !== "string" || typeof live !== "boolean") return [];
  const expected = LIVE_BY_CODE.get(code);
  return expected === undefined || live === expected ? [] : [`${code} with live ${live}`];
}
