import {
  findRepeated,
  findSchemaProblems,
  type JsonObject,
  objectsOf,
  parseObject,
  type SchemaProblem,
  show,
} from "./json-document.ts";
import { COLOR_OF } from "../../contract/codes/verdict.ts";
import { STATUS_SCHEMAS } from "../../contract/status.ts";
import { isObject } from "../../model/errors.ts";
import type { CheckId } from "../checks.ts";
import { about, type CheckFinding, type Settling, skip, toFinding, unless } from "../finding.ts";
import { type Client, type Exchange, findStatusProblems, hasStatus } from "../http/client.ts";
import type { ServerClock } from "../http/freshness.ts";

const { Code, Slug, StatusList, StatusSummary } = STATUS_SCHEMAS;

/** The readable parts of the list. */
export type ListReading = ReturnType<typeof readList>;

/** A deployment of which the list has been read. */
export interface Deployment {
  readonly client: Client;
  readonly list: ListReading;
  readonly clock: ServerClock;
  readonly settling: Settling;
}

/**
 * Reads the response for the list as far as possible. `entries` are objects with a valid slug, by slug. Of a repeated
 * slug it is the first one. Never throws.
 */
export function readList(exchange: Exchange | undefined) {
  const answer = hasStatus(exchange, 200) ? exchange : undefined;
  const value = answer === undefined ? undefined : parseObject(answer.body).data;
  const entries = new Map<string, JsonObject>();
  for (const entry of objectsOf(value?.["services"])) {
    const slug = Slug.safeParse(entry["slug"]).data;
    if (slug !== undefined && !entries.has(slug)) entries.set(slug, entry);
  }
  return { answer, value, entries };
}

/** Checks the content of the list, except its freshness. */
export function checkList(
  exchanges: readonly Exchange[],
  { answer, value }: ListReading,
  expected: number,
): readonly CheckFinding[] {
  const reachable = toFinding("list.reachable", findStatusProblems(exchanges, [200]), "HTTP 200");
  if (answer === undefined) return [reachable];
  const { problems } = parseObject(answer.body);
  const json = toFinding("list.json", problems, `${answer.body.length} bytes`);
  if (value === undefined) return [reachable, json];
  const { services } = value;
  // Entries are checked one by one, so that each is named by its slug.
  const wrong = findSchemaProblems(StatusList, { ...value, services: [] });
  const textsOf = (isField: boolean): readonly string[] =>
    wrong.flatMap((one) => (one.isField === isField ? [one.text] : []));
  const fields = [...textsOf(true), ...unless(services !== undefined, "services is missing")];
  const updated = value["updated"] === undefined ? ["updated is missing"] : textsOf(false);
  return [
    reachable,
    json,
    toFinding("list.fields", fields, Object.keys(StatusList.shape).join(", ")),
    toFinding("list.updated", updated, show(value["updated"])),
    ...(Array.isArray(services)
      ? checkEntries(services, expected)
      : [
          toFinding("list.count", [`services is ${show(services)}, not a list`], ""),
          ...(["list.entries", "list.slugs", "list.pairs", "list.live"] as const).map((id) =>
            skip(id, "services is not a list"),
          ),
        ]),
  ];
}

/** Fields whose wrong values other checks tell. */
const OF_OTHERS: ReadonlySet<string> = new Set(["slug", "code", "color"]);

function checkEntries(services: readonly unknown[], expected: number): readonly CheckFinding[] {
  const seen = `${services.length} services`;
  const all = services.flatMap((value, index): StatusDescription[] => {
    if (!isObject(value)) return [];
    const { slug } = value;
    const name = typeof slug === "string" ? slug : `entry ${index + 1}`;
    return [{ name, value, problems: findSchemaProblems(StatusSummary, value) }];
  });
  const others = services.flatMap((value, index) =>
    unless(isObject(value), `entry ${index + 1} is ${show(value)}, not an object`),
  );
  const entries = checkEach("list.entries", all, seen, ({ problems }) =>
    problems.flatMap(({ field, isField, text }) =>
      isField || !OF_OTHERS.has(field) ? [text] : [],
    ),
  );
  const slugs = checkEach("list.slugs", all, seen, valueProblemsOf("slug"));
  const named = all.filter(({ value: { slug } }) => slug !== undefined && slug !== null);
  const repeated = findRepeated("", named, ({ value: { slug } }) => slug);
  const isWhole = services.length === expected;
  return [
    toFinding("list.count", unless(isWhole, `${seen}, expected ${expected}`), seen),
    toFinding("list.entries", [...entries.problems, ...others], seen),
    toFinding("list.slugs", [...slugs.problems, ...repeated], seen),
    ...checkVerdicts("list", all, seen),
  ];
}

/** A description of a service, in the list or alone, and where it does not fit its schema. */
export interface StatusDescription {
  /** How messages name it. */
  readonly name: string;
  readonly value: JsonObject;
  readonly problems: readonly SchemaProblem[];
}

/** What a check finds in each description. */
export function checkEach(
  id: CheckId,
  all: readonly StatusDescription[],
  seen: string,
  find: (one: StatusDescription) => readonly string[],
): CheckFinding {
  return toFinding(
    id,
    all.flatMap((one) => about(one.name, find(one))),
    seen,
  );
}

/** Wrong values of some fields. */
export function valueProblemsOf(...fields: readonly string[]) {
  return ({ problems }: StatusDescription): readonly string[] =>
    problems
      .filter(({ field, isField }) => !isField && fields.includes(field))
      .map(({ text }) => text);
}

/** Checks code, colour and `live` of each description. */
export function checkVerdicts(
  subject: "list" | "detail",
  all: readonly StatusDescription[],
  seen: string,
): readonly CheckFinding[] {
  const findWrong = valueProblemsOf("code", "color");
  return [
    checkEach(`${subject}.pairs`, all, seen, (one) => {
      const wrong = findWrong(one);
      return wrong.length > 0 ? wrong : findPairProblems(one.value);
    }),
    checkEach(`${subject}.live`, all, seen, ({ value }) => findLiveProblems(value)),
  ];
}

/** Whether code and colour are a pair of the specification. */
export function findPairProblems({ code, color }: JsonObject): readonly string[] {
  const { data } = Code.safeParse(code);
  if (data === undefined || color === undefined) return [];
  const expected = COLOR_OF[data];
  return unless(color === expected, `${data} with the colour ${show(color)}, not ${expected}`);
}

/**
 * `live` of the codes whose description determines it: `fail` is an "ongoing outage right now", `spike` a current increase; with
 * `ok` "everything works", and with `none` no check could have failed. Other codes allow both.
 * Source: API specification, "States and transitions".
 */
const LIVE_BY_CODE: ReadonlyMap<unknown, boolean> = new Map([
  ["fail", true],
  ["spike", true],
  ["ok", false],
  ["none", false],
]);

/** Whether `live` contradicts the code. */
function findLiveProblems({ code, live }: JsonObject): readonly string[] {
  const expected = LIVE_BY_CODE.get(code);
  const isRight = expected === undefined || typeof live !== "boolean" || live === expected;
  return unless(isRight, `${String(code)} with live ${String(live)}`);
}
