import { detailPath, LIST_PATH } from "./addresses.ts";
import {
  findSchemaProblems,
  isUnixSeconds,
  type JsonObject,
  parseObject,
  show,
} from "./json-document.ts";
import { checkEach, checkVerdicts, type ListReading, readList, valueProblemsOf } from "./list.ts";
import { STATUS_SCHEMAS } from "../../contract/status.ts";
import { type CheckFinding, settle, type Settling, toFinding, unless } from "../finding.ts";
import {
  type Client,
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "../http/client.ts";
import { findFuture, type ServerClock } from "../http/freshness.ts";

const SUMMARY_FIELDS = Object.keys(STATUS_SCHEMAS.StatusSummary.shape);

/** The responses for all details, and for the first one with an `Origin`, as browsers request it. */
export interface DetailReading {
  /** By slug. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly withOrigin: readonly Exchange[];
}

/** Reads the detail of each slug. */
export async function readDetails(
  client: Client,
  slugs: readonly string[],
): Promise<DetailReading> {
  const [exchanges, withOrigin] = await Promise.all([
    readAll(client, slugs),
    client.getAll(slugs.slice(0, 1).map(detailPath), ORIGIN),
  ]);
  return { exchanges, withOrigin };
}

async function readAll(
  client: Client,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, Exchange>> {
  const exchanges = slugs.map(async (slug) => [slug, await client.get(detailPath(slug))] as const);
  return new Map(await Promise.all(exchanges));
}

/** Checks the content of each detail. */
export function checkDetails(
  { exchanges, withOrigin }: DetailReading,
  clock: ServerClock,
): readonly CheckFinding[] {
  const parsed = [...exchanges].flatMap(([name, exchange]) =>
    hasStatus(exchange, 200) ? [{ name, document: parseObject(exchange.body) }] : [],
  );
  const all = parsed.flatMap(({ name, document }) => {
    if (document.kind !== "object") return [];
    const { value } = document;
    return [{ name, value, problems: findSchemaProblems(STATUS_SCHEMAS.StatusDetail, value) }];
  });
  const seen = `${parsed.length} details`;
  const reachable = findStatusProblems([...exchanges.values(), ...withOrigin], [200]);
  const broken = parsed.flatMap(({ name, document }) =>
    document.kind === "object" ? [] : [`${name}: ${document.reason}`],
  );
  const ofSince = valueProblemsOf("since");
  const ofReports = valueProblemsOf("reportsHour", "reportsDay");
  return [
    toFinding("detail.reachable", reachable, seen),
    toFinding("detail.json", broken, seen),
    checkEach("detail.fields", all, seen, ({ problems }) =>
      problems.flatMap(({ isField, text }) => (isField ? [text] : [])),
    ),
    checkEach("detail.types", all, seen, valueProblemsOf("slug", "name", "live")),
    ...checkVerdicts("detail", all, seen),
    checkEach("detail.since", all, seen, (one) => {
      const { since } = one.value;
      return [...ofSince(one), ...(isUnixSeconds(since) ? findFuture("since", since, clock) : [])];
    }),
    checkEach("detail.reports", all, seen, (one) => {
      const { reportsHour: hour, reportsDay: day } = one.value;
      const wrong = ofReports(one);
      const isRight = wrong.length > 0 || !(Number(hour) > Number(day));
      const problem = `reportsHour ${show(hour)} is above reportsDay ${show(day)}`;
      return [...wrong, ...unless(isRight, problem)];
    }),
  ];
}

/** Checks that list and details agree. Only details that disagree are read again. */
export function checkAgreement(
  client: Client,
  list: ListReading,
  { exchanges: first }: DetailReading,
  settling: Settling,
): Promise<CheckFinding> {
  let problems = findDisagreements(list, first);
  const toLines = (): readonly string[] =>
    [...problems].flatMap(([slug, lines]) => lines.map((line) => `${slug}: ${line}`));
  const readAgain = async (): Promise<readonly string[] | undefined> => {
    const [again, exchanges] = await Promise.all([
      client.get(LIST_PATH),
      readAll(client, [...problems.keys()]),
    ]);
    if (!hasStatus(again, 200)) return undefined;
    problems = findDisagreements(readList(again), exchanges);
    return toLines();
  };
  return settle("detail.agrees", `${first.size} details`, toLines(), readAgain, settling);
}

/** Problems by slug. Details that could not be read are left out: `detail.reachable` and `detail.json` report them. */
function findDisagreements(
  list: ListReading,
  details: ReadonlyMap<string, Exchange>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...details].flatMap(([slug, exchange]): [string, readonly string[]][] => {
      const document = hasStatus(exchange, 200) ? parseObject(exchange.body) : undefined;
      if (document?.kind !== "object") return [];
      const entry = list.entries.get(slug);
      const lines =
        entry === undefined
          ? [`${describeExchange(exchange)}, but it is not in the list`]
          : compare(entry, document.value);
      return lines.length === 0 ? [] : [[slug, lines]];
    }),
  );
}

function compare(entry: JsonObject, detail: JsonObject): readonly string[] {
  return SUMMARY_FIELDS.filter((name) => name in entry && name in detail).flatMap((name) => {
    const [ofList, ofDetail] = [entry[name], detail[name]];
    const problem = `${name} is ${show(ofList)} in the list, ${show(ofDetail)} in the detail`;
    return unless(ofList === ofDetail, problem);
  });
}
