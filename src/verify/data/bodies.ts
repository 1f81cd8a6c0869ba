import type { CheckId } from "../api/checks.ts";
import { findAccuracyProblems } from "./accuracy.ts";
import { findChangesProblems } from "./changes.ts";
import { findHistoryIndexProblems, findServiceHistoryProblems } from "./history.ts";
import { readMetricsView } from "./metrics.ts";
import { areAbsent, type DataExchanges, objectAt } from "./reading.ts";
import { findStatuspageProblems } from "./statuspage.ts";
import { type CheckFinding, skip, toFinding } from "../finding.ts";
import type { ServerClock } from "../http/freshness.ts";
import { describeExchange, hasStatus } from "../http/http-exchange.ts";
import type { ListReading } from "../api/list.ts";
import { type JsonObject, parseObject } from "../api/parse-json.ts";
import { readShields } from "../badges/shields.ts";
import {
  DATA_PATHS,
  historyPath,
  shieldPath,
  STATUSPAGE_NAMES,
  statuspagePath,
} from "../api/specification.ts";

/** A document, and what is wrong with its content. */
type DocumentRule = readonly [target: string, find: (value: JsonObject) => readonly string[]];

/** Checks the content of each document by itself. One that cannot be parsed fails `data.json` and no other check. */
export function checkDataBodies(
  exchanges: DataExchanges,
  { entries }: ListReading,
  clock: ServerClock,
): readonly CheckFinding[] {
  const slugs = [...entries.keys()];
  const [sample] = slugs;
  const check = (id: CheckId, rules: readonly DocumentRule[]): readonly CheckFinding[] =>
    checkDocuments(exchanges, id, rules);
  return [
    ...checkJson(exchanges),
    ...check("data.changes", [[DATA_PATHS.changes, (value) => findChangesProblems(value, clock)]]),
    ...check(
      "data.statuspage",
      STATUSPAGE_NAMES.map((name) => [
        statuspagePath(name),
        (value) => findStatuspageProblems(name, value),
      ]),
    ),
    ...checkMetrics(exchanges),
    ...check("data.accuracy", [
      [DATA_PATHS.accuracy, (value) => findAccuracyProblems(value, clock)],
    ]),
    ...checkHistory(exchanges, slugs, clock),
    ...checkShields(exchanges, sample),
  ];
}

/** Without a finding if no document could be read. */
function checkDocuments(
  exchanges: DataExchanges,
  id: CheckId,
  rules: readonly DocumentRule[],
): readonly CheckFinding[] {
  const read = rules.flatMap(([target, find]) => {
    const value = objectAt(exchanges, target);
    return value === undefined
      ? []
      : [{ target, problems: find(value).map((problem) => `${target}: ${problem}`) }];
  });
  if (read.length === 0) return [];
  const seen = read.map(({ target }) => target).join(" ");
  return [
    toFinding(
      id,
      read.flatMap(({ problems }) => problems),
      seen,
    ),
  ];
}

function checkJson(exchanges: DataExchanges): readonly CheckFinding[] {
  const answers = [...exchanges].flatMap(([target, exchange]) =>
    target !== DATA_PATHS.metrics && hasStatus(exchange, 200)
      ? [{ target, body: exchange.body }]
      : [],
  );
  if (answers.length === 0) return [];
  const problems = answers.flatMap(({ target, body }) => {
    const parsed = parseObject(body);
    return parsed.kind === "object" ? [] : [`${target}: ${parsed.reason}`];
  });
  return [toFinding("data.json", problems, `${answers.length} documents`)];
}

function checkMetrics(exchanges: DataExchanges): readonly CheckFinding[] {
  const exchange = exchanges.get(DATA_PATHS.metrics);
  if (!hasStatus(exchange, 200)) return [];
  const view = readMetricsView(exchange.body);
  return [
    "codes" in view
      ? toFinding("data.metrics", [], `${view.codes.size} services`)
      : toFinding("data.metrics", view, ""),
  ];
}

/** The first publish has no histories. After that there are all of them. */
function checkHistory(
  exchanges: DataExchanges,
  slugs: readonly string[],
  clock: ServerClock,
): readonly CheckFinding[] {
  const [sample] = slugs;
  const targets = [DATA_PATHS.historyIndex, ...(sample === undefined ? [] : [historyPath(sample)])];
  if (areAbsent(exchanges, targets))
    return [skip("data.history", "404: the first publish has no histories")];
  const absent = targets.flatMap((target) => {
    const exchange = exchanges.get(target);
    return hasStatus(exchange, 404) ? [`${describeExchange(exchange)}, but not the other`] : [];
  });
  const found = checkDocuments(exchanges, "data.history", [
    [DATA_PATHS.historyIndex, (value) => findHistoryIndexProblems(value, slugs, clock)],
    ...(sample === undefined
      ? []
      : [
          [
            historyPath(sample),
            (value) => findServiceHistoryProblems(value, sample, clock),
          ] satisfies DocumentRule,
        ]),
  ]);
  return found.map(({ id, problems, seen }) => toFinding(id, [...absent, ...problems], seen));
}

/** Badges are drawn in the time that a run has left, so each may be absent for some runs. */
function checkShields(
  exchanges: DataExchanges,
  sample: string | undefined,
): readonly CheckFinding[] {
  const targets = [DATA_PATHS.overallShield, ...(sample === undefined ? [] : [shieldPath(sample)])];
  if (areAbsent(exchanges, targets)) return [skip("data.shields", "404: no badge is drawn yet")];
  const find = (target: string): readonly string[] => {
    const exchange = exchanges.get(target);
    const reading = hasStatus(exchange, 200) ? readShields(exchange.body) : undefined;
    return reading?.kind === "no-badge" ? reading.problems : [];
  };
  return checkDocuments(
    exchanges,
    "data.shields",
    targets.map((target) => [target, () => find(target)]),
  );
}
