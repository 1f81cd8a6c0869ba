import type { Client } from "../http/client.ts";
import { checkDataAgreement } from "./agreement.ts";
import { checkArchive } from "./archive.ts";
import { checkDataBodies } from "./bodies.ts";
import { type DataExchanges, readData } from "./reading.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import type { ServerClock } from "../http/freshness.ts";
import { checkHeaders } from "../http/headers.ts";
import { type Exchange, findStatusProblems, hasStatus, ORIGIN } from "../http/http-exchange.ts";
import type { ListReading } from "../api/list.ts";
import type { Settling } from "../http/settle.ts";
import {
  DATA_PATHS,
  historyPath,
  shieldPath,
  STATUSPAGE_NAMES,
  statuspagePath,
} from "../api/specification.ts";

/** Documents of every publish. */
const ALWAYS: readonly string[] = [
  DATA_PATHS.changes,
  ...STATUSPAGE_NAMES.map(statuspagePath),
  DATA_PATHS.metrics,
  DATA_PATHS.accuracy,
];

/** Those that are requested with an `Origin` as well: for each of them fronts have another rule. */
const WITH_ORIGIN = [
  DATA_PATHS.changes,
  statuspagePath("summary"),
  DATA_PATHS.metrics,
  DATA_PATHS.accuracy,
] as const;

/** What open data have to agree with. */
export interface DataQuestion {
  readonly list: ListReading;
  readonly clock: ServerClock;
}

/**
 * Checks the documents besides the API. Histories, the archive and badges are not there from the first publish on, so their checks are
 * skipped at a 404. Source: docs/open-data.md.
 */
export async function checkData(
  client: Client,
  { list, clock }: DataQuestion,
  settling: Settling,
): Promise<readonly CheckFinding[]> {
  const [sample] = list.entries.keys();
  const later = [
    DATA_PATHS.historyIndex,
    DATA_PATHS.archiveIndex,
    DATA_PATHS.datapackage,
    DATA_PATHS.overallShield,
    ...(sample === undefined ? [] : [historyPath(sample), shieldPath(sample)]),
  ];
  const [always, others, withOrigin] = await Promise.all([
    readData(client, ALWAYS),
    readData(client, later),
    readData(client, WITH_ORIGIN, ORIGIN),
  ]);
  const exchanges: DataExchanges = new Map([...always, ...others]);
  return [
    checkReachable([...always.values(), ...withOrigin.values()], [...others.values()]),
    ...checkDataBodies(exchanges, list, clock),
    ...checkHeaders("data", [...exchanges.values(), ...withOrigin.values()]),
    ...(await Promise.all([
      checkDataAgreement(client, list, exchanges, settling),
      checkArchive(client, exchanges, clock, settling),
    ])),
  ];
}

function checkReachable(always: readonly Exchange[], later: readonly Exchange[]): CheckFinding {
  const there = [...always, ...later].filter((exchange) => hasStatus(exchange, 200));
  return toFinding(
    "data.reachable",
    [...findStatusProblems(always, [200]), ...findStatusProblems(later, [200, 404])],
    `${there.length} responses`,
  );
}
