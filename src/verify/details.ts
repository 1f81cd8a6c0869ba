import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import { type ServerClock, CLOCK_TOLERANCE_MS } from "./freshness.ts";
import {
  describeExchange,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "./http-exchange.ts";
import { type CheckFinding, toFinding } from "./finding.ts";
import { type ListReading, readList } from "./list.ts";
import { type JsonObject, parseObject, show } from "./parse-json.ts";
import type { CheckId } from "./checks.ts";
import {
  findFieldProblems,
  findLiveProblems,
  findPairProblems,
  findReportProblems,
  findSinceProblems,
  findTypeProblems,
} from "./field-rules.ts";
import { DETAIL_FIELDS, detailPath, LIST_PATH, SUMMARY_FIELDS } from "./specification.ts";

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
    checkEach("detail.fields", (value) => findFieldProblems(value, DETAIL_FIELDS)),
    checkEach("detail.types", findTypeProblems),
    checkEach("detail.pairs", findPairProblems),
    checkEach("detail.live", findLiveProblems),
    checkEach("detail.since", (value) => findSinceProblems(value, clock.nowMs, CLOCK_TOLERANCE_MS)),
    checkEach("detail.reports", findReportProblems),
  ];
}

/** When to read again documents that disagree. */
export interface Settling {
  readonly settleWaitsMs: readonly number[];
  readonly onSettle?: (waitMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Checks that list and details agree. A publish may come between the reads, and caches may keep either for a minute, so documents
 * that disagree are read again after each wait before the disagreement counts.
 */
export async function checkAgreement(
  client: Client,
  list: ListReading,
  details: DetailReading,
  { settleWaitsMs, onSettle, signal }: Settling,
): Promise<CheckFinding> {
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
    // A list that can no longer be read proves nothing, so the last problems stay.
    if (hasStatus(again, 200)) problems = findDisagreements(readList(again), exchanges);
    rereads += 1;
  }
  const warnings =
    problems.size === 0 && rereads > 0 ? ["they agreed only when they were read again"] : [];
  return toFinding(
    "detail.agrees",
    [...problems].flatMap(([slug, lines]) => lines.map((line) => `${slug}: ${line}`)),
    `${details.exchanges.size} details`,
    warnings,
  );
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
