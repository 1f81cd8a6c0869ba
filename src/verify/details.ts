import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import { type ServerClock, CLOCK_TOLERANCE_MS } from "./clock.ts";
import {
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "./exchange.ts";
import { type Finding, judge } from "./finding.ts";
import { type ListReading, readList } from "./list.ts";
import { type JsonObject, parseObject, show } from "./parse.ts";
import type { PointId } from "./points.ts";
import {
  findFieldProblems,
  findLiveProblems,
  findPairProblems,
  findReportProblems,
  findSinceProblems,
  findTypeProblems,
} from "./shape.ts";
import { DETAIL_FIELDS, detailPath, LIST_PATH, SUMMARY_FIELDS } from "./specification.ts";

/** All details, and the first one asked for again as a browser would. */
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

/** Judges what each detail says for itself. */
export function judgeDetails(reading: DetailReading, clock: ServerClock): readonly Finding[] {
  const { exchanges, withOrigin } = reading;
  const all = [...exchanges.values(), ...(withOrigin === undefined ? [] : [withOrigin])];
  const parsed = [...exchanges].flatMap(([slug, exchange]) =>
    hasStatus(exchange, 200) ? [{ slug, document: parseObject(exchange.body) }] : [],
  );
  const seen = `${parsed.length} details`;
  const judgeEach = (id: PointId, find: (value: JsonObject) => readonly string[]): Finding =>
    judge(
      id,
      parsed.flatMap(({ slug, document }) =>
        document.kind === "object" ? find(document.value).map((one) => `${slug}: ${one}`) : [],
      ),
      seen,
    );
  return [
    judge("detail.reachable", findStatusProblems(all, [200]), seen),
    judge(
      "detail.json",
      parsed.flatMap(({ slug, document }) =>
        document.kind === "object" ? [] : [`${slug}: ${document.reason}`],
      ),
      seen,
    ),
    judgeEach("detail.fields", (value) => findFieldProblems(value, DETAIL_FIELDS)),
    judgeEach("detail.types", findTypeProblems),
    judgeEach("detail.pairs", findPairProblems),
    judgeEach("detail.live", findLiveProblems),
    judgeEach("detail.since", (value) => findSinceProblems(value, clock.nowMs, CLOCK_TOLERANCE_MS)),
    judgeEach("detail.reports", findReportProblems),
  ];
}

/** How long a disagreement may take to end. */
export interface Settling {
  readonly settleWaitsMs: readonly number[];
  readonly onSettle?: (waitMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Judges whether list and details say the same. A publish may fall between the reads, and caches may keep either for a
 * minute, so what disagrees is read again after each of the waits before it counts.
 */
export async function judgeAgreement(
  client: Client,
  list: ListReading,
  details: DetailReading,
  { settleWaitsMs, onSettle, signal }: Settling,
): Promise<Finding> {
  let problems = findDisagreements(list, details.exchanges);
  let rereads = 0;
  for (const waitMs of settleWaitsMs) {
    if (problems.size === 0) break;
    onSettle?.(waitMs);
    try {
      await sleep(waitMs, undefined, { signal });
    } catch {
      break;
    }
    const slugs = [...problems.keys()];
    const [again, exchanges] = await Promise.all([
      client.send({ method: "GET", target: LIST_PATH }),
      readAll(client, slugs),
    ]);
    // A list that cannot be read any more proves nothing about the details.
    if (hasStatus(again, 200)) problems = findDisagreements(readList(again), exchanges);
    rereads += 1;
  }
  const warnings =
    problems.size === 0 && rereads > 0 ? ["they agreed only when they were read again"] : [];
  return judge(
    "detail.agrees",
    [...problems].flatMap(([slug, lines]) => lines.map((line) => `${slug}: ${line}`)),
    `${details.exchanges.size} details`,
    warnings,
  );
}

/** By slug. A detail that could not be read is told elsewhere; here only what was read can contradict. */
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
