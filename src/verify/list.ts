import { type Answer, type Exchange, findStatusProblems, hasStatus } from "./exchange.ts";
import { type Finding, judge, skip } from "./finding.ts";
import { isObject, type JsonObject, parseObject, show } from "./parse.ts";
import type { PointId } from "./points.ts";
import {
  findFieldProblems,
  findLiveProblems,
  findPairProblems,
  findSlugProblems,
  findTypeProblems,
  isUnixSeconds,
} from "./shape.ts";
import { LIST_FIELDS, SLUG, SUMMARY_FIELDS } from "./specification.ts";

/** The list as far as it could be read. */
export interface ListReading {
  readonly answer: Answer | undefined;
  readonly value: JsonObject | undefined;
  /** Entries that are objects with a slug that can stand in a path, by slug; of repeated ones the first. */
  readonly entries: ReadonlyMap<string, JsonObject>;
}

/** What can be read of an answer to the list. Never throws. */
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

/** Judges everything that the list says, but for how fresh it is. */
export function judgeList(
  exchanges: readonly Exchange[],
  reading: ListReading,
  expected: number,
): readonly Finding[] {
  const reachable = judge("list.reachable", findStatusProblems(exchanges, [200]), "HTTP 200");
  const { answer, value } = reading;
  if (answer === undefined) return [reachable];
  const parsed = parseObject(answer.body);
  const json = judge(
    "list.json",
    parsed.kind === "object" ? [] : [parsed.reason],
    `${answer.body.length} bytes`,
  );
  if (value === undefined) return [reachable, json];
  const { updated } = value;
  return [
    reachable,
    json,
    judge("list.fields", findFieldProblems(value, LIST_FIELDS), LIST_FIELDS.join(", ")),
    judge(
      "list.updated",
      isUnixSeconds(updated) ? [] : [`updated is ${show(updated)}, not whole Unix seconds`],
      show(updated),
    ),
    ...judgeEntries(value, expected),
  ];
}

function judgeEntries(value: JsonObject, expected: number): readonly Finding[] {
  const entries = entriesOf(value);
  if (entries === undefined) {
    return [
      judge("list.count", [`services is ${show(value["services"])}, not a list`], ""),
      ...(["list.entries", "list.slugs", "list.pairs", "list.live"] as const).map((id) =>
        skip(id, "services is not a list"),
      ),
    ];
  }
  const problem = `${entries.length} services, expected ${expected}`;
  const seen = `${entries.length} services`;
  const judgeEach = (id: PointId, find: (entry: JsonObject) => readonly string[]): Finding =>
    judge(
      id,
      entries.flatMap((entry, index) => label(entry, index, find)),
      seen,
    );
  return [
    judge("list.count", entries.length === expected ? [] : [problem], seen),
    judge(
      "list.entries",
      entries.flatMap((entry, index) =>
        isObject(entry)
          ? label(entry, index, (one) => [
              ...findFieldProblems(one, SUMMARY_FIELDS),
              ...findTypeProblems(one),
            ])
          : [`entry ${index + 1} is ${show(entry)}, not an object`],
      ),
      seen,
    ),
    judge("list.slugs", findSlugListProblems(entries), seen),
    judgeEach("list.pairs", findPairProblems),
    judgeEach("list.live", findLiveProblems),
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
  const repeated = new Set(slugs.filter((slug, index) => slugs.indexOf(slug) !== index));
  return [
    ...slugs.flatMap(findSlugProblems),
    ...[...repeated]
      .filter((slug) => slug !== undefined)
      .map((slug) => `${show(slug)} is there more than once`),
  ];
}
