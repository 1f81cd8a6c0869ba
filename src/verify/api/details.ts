import { detailPath, LIST_PATH } from "./addresses.ts";
import {
  findSchemaProblems,
  isUnixSeconds,
  type JsonObject,
  parseObject,
  show,
} from "./json-document.ts";
import {
  checkEach,
  checkVerdicts,
  type Deployment,
  type ListReading,
  readList,
  valueProblemsOf,
} from "./list.ts";
import { STATUS_SCHEMAS } from "../../contract/status.ts";
import { about, type CheckFinding, settle, toFinding, unless } from "../finding.ts";
import {
  type Client,
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "../http/client.ts";
import { findFuture, type ServerClock } from "../http/freshness.ts";
import { checkHeaders } from "../http/headers.ts";
import { checkConditional, checkHead } from "../http/variants.ts";

const SUMMARY_FIELDS = Object.keys(STATUS_SCHEMAS.StatusSummary.shape);

/** Checks the detail of each service of the list, the first one also with an `Origin`, as browsers request it. */
export async function checkDetails(deployment: Deployment): Promise<readonly CheckFinding[]> {
  const { client, list, clock } = deployment;
  const slugs = [...list.entries.keys()];
  const [first] = slugs;
  if (first === undefined) return [];
  const target = detailPath(first);
  const [exchanges, withOrigin, ...variants] = await Promise.all([
    readAll(client, slugs),
    client.get(target, ORIGIN),
    checkHead(client, "detail.head", target),
    checkConditional(client, "detail.conditional", target),
  ]);
  const all = [...exchanges.values(), withOrigin];
  const seen = `${exchanges.size} details`;
  return [
    ...variants,
    toFinding("detail.reachable", findStatusProblems(all, [200]), seen),
    ...checkContents(exchanges, clock),
    ...checkHeaders("detail", all),
    await checkAgreement(deployment, exchanges),
  ];
}

type DetailExchanges = ReadonlyMap<string, Exchange>;

/** Reads the detail of each slug. */
async function readAll(client: Client, slugs: readonly string[]): Promise<DetailExchanges> {
  const exchanges = slugs.map(async (slug) => [slug, await client.get(detailPath(slug))] as const);
  return new Map(await Promise.all(exchanges));
}

function checkContents(exchanges: DetailExchanges, clock: ServerClock): readonly CheckFinding[] {
  const parsed = [...exchanges].flatMap(([name, exchange]) =>
    hasStatus(exchange, 200) ? [{ name, ...parseObject(exchange.body) }] : [],
  );
  const all = parsed.flatMap(({ name, data: value }) => {
    if (value === undefined) return [];
    return [{ name, value, problems: findSchemaProblems(STATUS_SCHEMAS.StatusDetail, value) }];
  });
  const seen = `${parsed.length} details`;
  const broken = parsed.flatMap(({ name, problems }) => about(name, problems));
  const ofSince = valueProblemsOf("since");
  const ofReports = valueProblemsOf("reportsHour", "reportsDay");
  return [
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
function checkAgreement(
  { client, list, settling }: Deployment,
  first: DetailExchanges,
): Promise<CheckFinding> {
  let problems = findDisagreements(list, first);
  const toLines = (): readonly string[] =>
    [...problems].flatMap(([slug, lines]) => about(slug, lines));
  return settle("detail.agrees", `${first.size} details`, settling, toLines(), async () => {
    const [again, exchanges] = await Promise.all([
      client.get(LIST_PATH),
      readAll(client, [...problems.keys()]),
    ]);
    if (!hasStatus(again, 200)) return undefined;
    problems = findDisagreements(readList(again), exchanges);
    return toLines();
  });
}

/** Problems by slug. Details that could not be read are left out: `detail.reachable` and `detail.json` report them. */
function findDisagreements(
  list: ListReading,
  details: DetailExchanges,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...details].flatMap(([slug, exchange]): [string, readonly string[]][] => {
      const document = hasStatus(exchange, 200) ? parseObject(exchange.body).data : undefined;
      if (document === undefined) return [];
      const entry = list.entries.get(slug);
      const lines =
        entry === undefined
          ? [`${describeExchange(exchange)}, but it is not in the list`]
          : compare(entry, document);
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
