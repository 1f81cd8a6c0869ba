import { checkDataAgreement } from "./agreement.ts";
import { checkArchive } from "./archive.ts";
import { checkDataBodies } from "./bodies.ts";
import { type DataExchanges, readData } from "./reading.ts";
import { STATUSPAGE_RULES } from "./statuspage.ts";
import { DATA_PATHS, historyPath, shieldPath, statuspagePath } from "../api/addresses.ts";
import type { Deployment } from "../api/list.ts";
import { type CheckFinding, toFinding } from "../finding.ts";
import { findStatusProblems, hasStatus, ORIGIN } from "../http/client.ts";
import { checkHeaders } from "../http/headers.ts";

/** Documents of every publish. */
const ALWAYS: readonly string[] = [
  DATA_PATHS.changes,
  ...STATUSPAGE_RULES.map(([target]) => target),
  DATA_PATHS.metrics,
  DATA_PATHS.accuracy,
  DATA_PATHS.operators,
];

/** Those that are requested with an `Origin` as well: for each of them fronts have another rule. */
const WITH_ORIGIN = [
  DATA_PATHS.changes,
  statuspagePath("summary"),
  DATA_PATHS.metrics,
  DATA_PATHS.accuracy,
] as const;

/** Checks the documents besides the API. What the first publish does not have is skipped at a 404. Source: docs/open-data.md. */
export async function checkData(deployment: Deployment): Promise<readonly CheckFinding[]> {
  const { client, list, clock } = deployment;
  const slugs = [...list.entries.keys()];
  const samples = slugs.slice(0, 1);
  const later = [
    DATA_PATHS.historyIndex,
    DATA_PATHS.outages,
    DATA_PATHS.archiveIndex,
    DATA_PATHS.datapackage,
    DATA_PATHS.overallShield,
    ...samples.flatMap((slug) => [historyPath(slug), shieldPath(slug)]),
  ];
  const [always, others, withOrigin] = await Promise.all([
    readData(client, ALWAYS),
    readData(client, later),
    readData(client, WITH_ORIGIN, ORIGIN),
  ]);
  const exchanges: DataExchanges = new Map([...always, ...others]);
  const answers = [...exchanges.values(), ...withOrigin.values()];
  const problems = [
    ...findStatusProblems([...always.values(), ...withOrigin.values()], [200]),
    ...findStatusProblems([...others.values()], [200, 404]),
  ];
  const there = answers.filter((exchange) => hasStatus(exchange, 200));
  return [
    toFinding("data.reachable", problems, `${there.length} responses`),
    ...checkDataBodies(exchanges, slugs, clock),
    ...checkHeaders("data", answers),
    ...(await Promise.all([
      checkDataAgreement(deployment, exchanges),
      checkArchive(deployment, exchanges),
    ])),
  ];
}
