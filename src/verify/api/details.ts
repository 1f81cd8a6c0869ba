import type { Client } from "../http/client.ts";
import { findFuture, type ServerClock } from "../http/freshness.ts";
import {
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "../http/http-exchange.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import { findLiveProblems, findPairProblems, type ListReading, readList, SUMMARY } from "./list.ts";
import { type JsonObject, parseObject, show } from "./parse-json.ts";
import type { CheckId } from "./checks.ts";
import {
  COUNT,
  findSchemaProblems,
  isCount,
  isUnixSeconds,
  objectOf,
  orNull,
  SECONDS,
} from "./schema.ts";
import { settle, type Settling } from "../http/settle.ts";
import { detailPath, LIST_PATH } from "./specification.ts";

const SINCE = objectOf({ since: orNull(SECONDS) });
const REPORTS = objectOf({ reportsHour: COUNT, reportsDay: COUNT });

/** Source: API specification, "Service status detail". */
const DETAIL = SUMMARY.extend({ ...SINCE.shape, ...REPORTS.shape });

const SUMMARY_FIELDS = Object.keys(SUMMARY.shape);

/** The responses for all details, and for the first one with an `Origin`, as browsers request it. */
export interface DetailReading {
  /** By slug. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  readonly withOrigin: Exchange | undefined;
}

/** Reads the detail of each slug. */
export async function readDetails(
  client: Client,
  slugs: readonly string[],
): Promise<DetailReading> {
  const [first] = slugs;
  const [exchanges, withOrigin] = await Promise.all([
    readAll(client, slugs),
    first === undefined
      ? undefined
      : client.send({ method: "GET", target: detailPath(first), headers: ORIGIN }),
  ]);
  return { exchanges, withOrigin };
}

async function readAll(
  client: Client,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, Exchange>> {
  return new Map(
    await Promise.all(
      slugs.map(async (slug): Promise<[string, Exchange]> => [
        slug,
        await client.send({ method: "GET", target: detailPath(slug) }),
      ]),
    ),
  );
}

/** Checks the content of each detail. */
export function checkDetails(reading: DetailReading, clock: ServerClock): readonly CheckFinding[] {
  const { exchanges, withOrigin } = reading;
  const all = [...exchanges.values(), ...(withOrigin === undefined ? [] : [withOrigin])];
  const parsed = [...exchanges].flatMap(([slug, exchange]) =>
    hasStatus(exchange, 200) ? [{ slug, document: parseObject(exchange.body) }] : [],
  );
  const seen = `${parsed.length} details`;
  const checkEach = (id: CheckId, find: (value: JsonObject) => readonly string[]): CheckFinding =>
    toFinding(
      id,
      parsed.flatMap(({ slug, document }) =>
        document.kind === "object" ? find(document.value).map((one) => `${slug}: ${one}`) : [],
      ),
      seen,
    );
  return [
    toFinding("detail.reachable", findStatusProblems(all, [200]), seen),
    toFinding(
      "detail.json",
      parsed.flatMap(({ slug, document }) =>
        document.kind === "object" ? [] : [`${slug}: ${document.reason}`],
      ),
      seen,
    ),
    checkEach("detail.fields", (value) => findSchemaProblems(DETAIL, value, "fields")),
    checkEach("detail.types", (value) => findSchemaProblems(SUMMARY, value, "values")),
    checkEach("detail.pairs", findPairProblems),
    checkEach("detail.live", findLiveProblems),
    checkEach("detail.since", (value) => [
      ...findSchemaProblems(SINCE, value, "values"),
      ...(isUnixSeconds(value["since"]) ? findFuture("since", value["since"], clock) : []),
    ]),
    checkEach("detail.reports", (value) => [
      ...findSchemaProblems(REPORTS, value, "values"),
      ...findReportProblems(value),
    ]),
  ];
}

function findReportProblems({ reportsHour, reportsDay }: JsonObject): readonly string[] {
  return isCount(reportsHour) && isCount(reportsDay) && reportsHour > reportsDay
    ? [`reportsHour ${reportsHour} is above reportsDay ${reportsDay}`]
    : [];
}

/** Checks that list and details agree. Only details that disagree are read again. */
export function checkAgreement(
  client: Client,
  list: ListReading,
  details: DetailReading,
  settling: Settling,
): Promise<CheckFinding> {
  let problems = findDisagreements(list, details.exchanges);
  const toLines = (): readonly string[] =>
    [...problems].flatMap(([slug, lines]) => lines.map((line) => `${slug}: ${line}`));
  const readAgain = async (): Promise<readonly string[] | undefined> => {
    const [again, exchanges] = await Promise.all([
      client.send({ method: "GET", target: LIST_PATH }),
      readAll(client, [...problems.keys()]),
    ]);
    if (!hasStatus(again, 200)) return undefined;
    problems = findDisagreements(readList(again), exchanges);
    return toLines();
  };
  const seen = `${details.exchanges.size} details`;
  return settle("detail.agrees", seen, toLines(), readAgain, settling);
}

/** Problems by slug. Details that could not be read are left out: `detail.reachable` and `detail.json` report them. */
function findDisagreements(
  list: ListReading,
  details: ReadonlyMap<string, Exchange>,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...details].flatMap(([slug, exchange]): [string, readonly string[]][] => {
      const entry = list.entries.get(slug);
      if (!hasStatus(exchange, 200)) return [];
      const document = parseObject(exchange.body);
      if (document.kind !== "object") return [];
      if (entry === undefined)
        return [[slug, [`${describeExchange(exchange)}, but it is not in the list`]]];
      const lines = SUMMARY_FIELDS.filter(
        (name) => name in entry && name in document.value && entry[name] !== document.value[name],
      ).map(
        (name) =>
          `${name} is ${show(entry[name])} in the list, ${show(document.value[name])} in the detail`,
      );
      return lines.length === 0 ? [] : [[slug, lines]];
    }),
  );
}
